"""The WSGI entry point, `service.server.wsgi:app`, set up from the environment."""

from service.core.heartbeat import start_heartbeat
from service.server.serving import outages
from service.server.serving import web_application as app

start_heartbeat(outages)

__all__ = ["app"]
