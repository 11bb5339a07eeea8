"""Metrics of this server for Prometheus.

With `PROMETHEUS_MULTIPROC_DIR` set to an empty folder, all processes of a server count together.
Without it each web process reports its own counts.
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
PROBLEMS = Counter("scottenbury_problems", "Rejected and failed requests.", ("code",))
SECONDS = Histogram("scottenbury_request_seconds", "Time to answer a request.", ("endpoint",))


CACHE_SECONDS: Final = 1.0
_collecting = threading.Lock()
_cached: tuple[float, bytes] = (-CACHE_SECONDS, b"")

# Looking a counter up takes longer than counting, and there are few methods and endpoints.
_requests = lru_cache(1000)(REQUESTS.labels)
_seconds = lru_cache(1000)(SECONDS.labels)


def watch(app: Flask) -> None:
    """Count every request of the application."""
    app.before_request(_start_timer)
    app.after_request(_count)


def text() -> bytes:
    """All metrics in the text format of Prometheus, at most `CACHE_SECONDS` old.

    They are cached because adding up the counts of all processes takes about 50 ms.
    """
    global _cached
    with _collecting:
        collected_at, text = _cached
        if time.monotonic() - collected_at >= CACHE_SECONDS:
            text = _collect()
            _cached = time.monotonic(), text
        return text


def _collect() -> bytes:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def _start_timer() -> None:
    g.started = time.perf_counter()


def _count(answer: Response) -> Response:
    # All unknown addresses share one label, or there would be no end of labels.
    endpoint = request.endpoint or "unknown"
    _requests(request.method, endpoint, answer.status_code).inc()
    _seconds(endpoint).observe(time.perf_counter() - g.started)
    return answer
