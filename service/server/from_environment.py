"""The web application, set up from the environment. It starts no thread, so it may be forked."""

import sys

from service.api import request_ids
from service.container import EXTENSION
from service.core import logs
from service.core.redis.client import connect
from service.core.settings import BadSetting, Settings
from service.core.words import BrokenCatalogue
from service.server.app import create_app

settings = Settings.from_env()
if settings.redis_url is None:
    raise BadSetting("SCOTTENBURY_REDIS_URL must name the server; `scottenbury serve` starts one.")

redis = connect(settings.redis_url)
try:
    app = create_app(settings, redis)
except BrokenCatalogue as error:
    sys.exit(f"scottenbury web: {error}")
logs.configure("web", settings, request_ids.about)
outages = app.extensions[EXTENSION].outages
