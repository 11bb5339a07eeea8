"""What a WSGI server runs: `service.server.wsgi:app`, set up from the environment."""

from service.container import EXTENSION
from service.core.pulse import start_pulse
from service.core.redis.client import connect
from service.core.settings import BadSetting, Settings
from service.server.app import create_app

settings = Settings.from_env()
if settings.redis_url is None:
    raise BadSetting("SCOTTENBURY_REDIS_URL must name the server; `scottenbury serve` starts one.")

redis = connect(settings.redis_url)
app = create_app(settings, redis)
start_pulse(app.extensions[EXTENSION].outages, "web")
