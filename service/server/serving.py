"""The web application as our web server calls it: `service.server.serving:app`."""

from collections.abc import Callable

from service.core.heartbeat import start_heartbeat
from service.realtime import places
from service.realtime.pubsub import Listener
from service.realtime.serving import Serving
from service.server.app import LARGER_BODIES, MAX_BODY
from service.server.from_environment import app as web_application
from service.server.from_environment import outages, redis, settings


def _connect(on_news: Callable[[str], None]) -> Listener:
    """Start the threads of this process. Call it after the fork."""
    start_heartbeat(outages, "web")
    return Listener(redis, on_news)


app = Serving(
    web_application,
    connect=_connect,
    lanes=settings.web_threads,
    max_body=MAX_BODY,
    larger_bodies=LARGER_BODIES,
    storeless_paths=("/healthz", "/docs", "/help", "/openapi.yaml", "/openapi.json"),
    slots=places.shared(),
)
