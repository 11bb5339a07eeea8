"""The least that a service on Flask and Redis can do: one endpoint, one script call.

    python -m bench.bare

It is served by the same server with the same settings as the real one, to be measured beside it.
"""

from functools import partial

from flask import Flask, Response

from service.core.redis.client import connect
from service.core.settings import Settings
from service.realtime.pubsub import Listener
from service.realtime.serving import Serving
from service.server.http_server import main

SCRIPT = "return redis.call('INCR', KEYS[1])"


def bare_application() -> Serving:
    """The endpoint `/bare`, served in the same way."""
    settings = Settings.from_env()
    redis = connect(settings.redis_url or "")
    count = redis.register_script(SCRIPT)
    flask = Flask(__name__)

    @flask.route("/bare", methods=["GET", "POST"])
    def bare() -> Response:
        return Response(f"{count(keys=['st:bare'])}\n", mimetype="text/plain")

    listen = partial(Listener, redis)
    return Serving(flask, listen, lanes=settings.web_threads, max_body=0)


def __getattr__(name: str) -> Serving:
    """The application is made in the process that serves it."""
    if name == "app":
        return bare_application()
    raise AttributeError(name)


if __name__ == "__main__":
    main("bench.bare:app")
