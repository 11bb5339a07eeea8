"""The web application, set up from the environment: `web_application`, and as our web server calls
it, `service.server.serving:app`. It starts no thread before the fork."""

import sys
from collections.abc import Callable

from service.api import request_ids
from service.container import EXTENSION
from service.core import logs
from service.core.heartbeat import start_heartbeat
from service.core.redis.client import connect
from service.core.settings import BadSetting, Settings
from service.core.words import BrokenCatalogue
from service.realtime import places
from service.realtime.pubsub import Listener
from service.realtime.serving import Serving
from service.server.app import LARGER_BODIES, MAX_BODY, create_app

settings = Settings.from_env()
if settings.redis_url is None:
    raise BadSetting("SCOTTENBURY_REDIS_URL must name the server; `scottenbury serve` starts one.")

redis = connect(settings.redis_url)
try:
    web_application = create_app(settings, redis)
except BrokenCatalogue as error:
    sys.exit(f"scottenbury web: {error}")
logs.configure("web", settings, request_ids.about)
outages = web_application.extensions[EXTENSION].outages


def _connect(on_news: Callable[[str], None]) -> Listener:
    """Start the threads of this process. Call it after the fork."""
    start_heartbeat(outages)
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
