"""What the web server runs, `service.server.asgi:app`: the web application, served by ASGI."""

from functools import partial

from service.realtime import slots
from service.realtime.asgi import AsgiApplication
from service.realtime.pubsub import Listener
from service.server.app import LARGER_BODIES, MAX_BODY
from service.server.wsgi import app as web_application
from service.server.wsgi import redis, settings

app = AsgiApplication(
    web_application,
    connect=partial(Listener, redis),
    threads=settings.web_threads,
    max_body=MAX_BODY,
    larger_bodies=LARGER_BODIES,
    storeless_paths=("/healthz", "/docs", "/openapi.yaml"),
    slots=slots.shared(),
)
