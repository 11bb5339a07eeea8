"""For those who watch over the server: is it up, can it serve, what has it done."""

from flask import Blueprint, Response

from service.api import metrics
from service.services import services

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def alive() -> Response:
    """The process is up."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """The store answers; a 503 problem while it does not."""
    services().redis.ping()
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/metrics")
def show_metrics() -> Response:
    """The counters, for Prometheus."""
    return Response(metrics.text(), content_type=metrics.CONTENT_TYPE)
