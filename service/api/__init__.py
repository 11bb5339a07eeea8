"""The REST API, its documentation, and the endpoints for monitoring."""

from service.api import paths, problems
from service.api.application import Application
from service.api.endpoints import docs, mail_in, metrics
from service.api.openapi.resources import BLUEPRINTS


def register(app: Application) -> None:
    """Serve the API under `/v1`, its documentation, health checks and metrics."""
    paths.register(app)
    problems.register(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=paths.PREFIX)
    app.register_blueprint(docs.blueprint)
    app.register_blueprint(metrics.blueprint)
    app.register_blueprint(mail_in.blueprint)
