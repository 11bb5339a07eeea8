"""The REST API, its documentation, and the endpoints for monitoring."""

from flask import Flask

from service.api import origins
from service.api.endpoints import docs, health, mail_in
from service.api.openapi import document


def register(app: Flask) -> None:
    """Serve the API under `/v1`, its documentation, health checks and metrics."""
    origins.register(app)
    document.serve(app)
    app.register_blueprint(docs.blueprint)
    app.register_blueprint(health.blueprint)
    app.register_blueprint(mail_in.blueprint)
