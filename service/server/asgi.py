"""The ASGI entry point, `service.server.asgi:app`, which serves the web application."""

from collections.abc import Callable

from service.core.heartbeat_thread import start_heartbeat
from service.realtime import slots
from service.realtime.asgi import AsgiApplication
from service.realtime.pubsub import Listener
from service.server.app import LARGER_BODIES, MAX_BODY
from service.server.from_environment import app as web_application
from service.server.from_environment import outages, redis, settings


def _connect(on_news: Callable[[str], None]) -> Listener:
    """Start the threads of this process. Call it after the fork."""
    start_heartbeat(outages, "web")
    return Listener(redis, on_news)


app = AsgiApplication(
    web_application,
    connect=_connect,
    threads=settings.web_threads,
    max_body=MAX_BODY,
    larger_bodies=LARGER_BODIES,
    storeless_paths=("/healthz", "/docs", "/help", "/openapi.yaml", "/openapi.json"),
    slots=slots.shared(),
)
