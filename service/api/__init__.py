"""The REST API, its documentation, and what watches over the process."""

from flask import Flask

from service.api import docs, document, health, metrics, origins


def register(app: Flask) -> None:
    """Serve the API under `/v1`, its document and page, and the health endpoints."""
    metrics.watch(app)
    origins.register(app)
    document.serve(app)
    app.register_blueprint(docs.blueprint)
    app.register_blueprint(health.blueprint)
