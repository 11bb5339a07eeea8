"""What a WSGI server runs: `service.wsgi:app`, set up from the environment."""

from service.app import create_app
from service.connections import connect
from service.settings import BadSetting, Settings

settings = Settings.from_env()
if settings.redis_url is None:
    raise BadSetting("SCOTTENBURY_REDIS_URL must name the server; `scottenbury serve` starts one.")

redis = connect(settings.redis_url)
app = create_app(settings, redis)
