"""Monitoring: whether the process is up and can serve, and its counters."""

from flask import Blueprint, Response

from service.api.endpoints import metrics
from service.container import get_container

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def alive() -> Response:
    """The process is up."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """The store answers and takes writes. Otherwise the answer is a 503 problem."""
    get_container().check_store()
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/metrics")
def show_metrics() -> Response:
    """The counters, for Prometheus."""
    return Response(metrics.text(get_container()), content_type=metrics.CONTENT_TYPE)
