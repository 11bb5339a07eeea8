"""What a WSGI server runs: `service.server.wsgi:app`, set up from the environment."""

from service.core.pulse import start_pulse
from service.server.from_environment import app, outages

start_pulse(outages, "web")

__all__ = ["app"]
