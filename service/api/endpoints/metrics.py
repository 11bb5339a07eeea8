"""Counters of this server for Prometheus.

With `PROMETHEUS_MULTIPROC_DIR` set to an empty folder, all processes of a server count together;
without it each web process tells of itself.
"""

import os
import threading
import time
from functools import lru_cache
from typing import Final

from flask import Flask, Response, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

REQUESTS = Counter("scottenbury_requests", "Requests answered.", ("method", "endpoint", "status"))
PROBLEMS = Counter("scottenbury_problems", "Refusals and failures.", ("code",))
SECONDS = Histogram("scottenbury_request_seconds", "Time to answer a request.", ("endpoint",))


FRESH: Final = 1.0
"""Seconds for which what was told is told again."""
_adding_up = threading.Lock()
_last: tuple[float, bytes] = (-FRESH, b"")

# Methods and endpoints are few, and looking their counters up takes longer than counting.
_requests = lru_cache(1000)(REQUESTS.labels)
_seconds = lru_cache(1000)(SECONDS.labels)


def watch(app: Flask) -> None:
    """Count every request of the application."""
    app.before_request(_begin)
    app.after_request(_count)


def text() -> bytes:
    """All counters in the text format of Prometheus, as they were a second ago at most.

    Adding up what all processes have counted takes about 50 ms: not more often than that.
    """
    global _last
    with _adding_up:
        at, told = _last
        if time.monotonic() - at >= FRESH:
            told = _text()
            _last = time.monotonic(), told
        return told


def _text() -> bytes:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def _begin() -> None:
    g.began = time.perf_counter()


def _count(answer: Response) -> Response:
    # Unknown addresses share one label: there is no end of them.
    endpoint = request.endpoint or "unknown"
    _requests(request.method, endpoint, answer.status_code).inc()
    _seconds(endpoint).observe(time.perf_counter() - g.began)
    return answer
