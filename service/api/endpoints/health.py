"""Monitoring: whether the process is up and can serve, and its counters."""

from flask import Blueprint, Response

from service.api.endpoints import metrics
from service.api.problems import RETRY_AFTER, problem
from service.container import get_container

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def alive() -> Response:
    """The process is up."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """The store answers and takes writes. Otherwise the answer is a 503 problem."""
    store_problem = get_container().store_problem()
    if store_problem is not None:
        answer = problem("store-unavailable", f"The store does not take writes: {store_problem}")
        answer.headers["Retry-After"] = str(RETRY_AFTER)
        return answer
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/metrics")
def show_metrics() -> Response:
    """The counters, for Prometheus."""
    return Response(metrics.text(get_container()), content_type=metrics.CONTENT_TYPE)
