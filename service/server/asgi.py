"""What the web server runs: `service.server.asgi:app`, the web application behind its front."""

from functools import partial

from service.realtime import places
from service.realtime.asgi import Front
from service.realtime.pubsub import Listener
from service.server.app import MAX_BODY
from service.server.wsgi import app as web_application
from service.server.wsgi import redis, settings

app = Front(
    web_application,
    listen=partial(Listener, redis),
    threads=settings.web_threads,
    largest_body=MAX_BODY,
    places=places.shared(),
    quick=("/healthz", "/docs", "/openapi.yaml"),
)
