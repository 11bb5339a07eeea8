"""The WSGI entry point, `service.server.wsgi:app`, set up from the environment."""

from service.core.heartbeat import start_heartbeat
from service.server.from_environment import app, outages

start_heartbeat(outages, "web")

__all__ = ["app"]
