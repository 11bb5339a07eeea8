"""The web application: API, documentation, health and pages over one set of services."""

import time
from collections.abc import Callable

from flask import Flask

from service import api, services, web
from service.connections import Client
from service.settings import Settings

MAX_BODY = 64 * 1024


def create_app(settings: Settings, redis: Client, now: Callable[[], float] = time.time) -> Flask:
    """The application over this Redis; `now` gives unix seconds."""
    app = Flask("service")
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.extensions[services.EXTENSION] = services.build(settings, redis, now)
    api.register(app)
    app.register_blueprint(web.blueprint)
    return app
