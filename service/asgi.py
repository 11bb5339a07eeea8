"""What the web server runs: `service.asgi:app`, the web application behind its front."""

from functools import partial

from service.app import MAX_BODY
from service.streams import places
from service.streams.front import Front
from service.streams.hints import Listener
from service.wsgi import app as web_application
from service.wsgi import redis, settings

app = Front(
    web_application,
    listen=partial(Listener, redis),
    threads=settings.web_threads,
    largest_body=MAX_BODY,
    places=places.shared(),
    quick=("/healthz", "/docs", "/openapi.yaml"),
)
