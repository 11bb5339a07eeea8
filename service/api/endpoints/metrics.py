"""Monitoring: whether the process is up and can serve, and its counters."""

import os
import threading
import time
from collections import Counter as Counter_
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final

from flask import Blueprint, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    Metric,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from service.api.application import Application, Request
from service.container import Container, get_container
from service.core.errors import STORE_FAILURE
from service.core.words import Languages
from service.eventlog.outbox import BOUNDS, GIVEN_UP, OVER, Delays
from service.ops.status import Gauge, gauges

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

REQUESTS = Counter("scottenbury_requests", "Requests answered.", ("method", "endpoint", "status"))
PROBLEMS = Counter("scottenbury_problems", "Rejected and failed requests.", ("code",))
SECONDS = Histogram("scottenbury_request_seconds", "Time to answer a request.", ("endpoint",))
APPENDS = Histogram(
    "scottenbury_append_seconds",
    "Time until Redis, and the replicas waited for, had an append to a game's log.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
)
UNTRANSLATED = Counter(
    "scottenbury_untranslated",
    "Messages of pages and answers said in English, because their language lacks them.",
    ("language",),
)

CACHE_SECONDS: Final = 1.0
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_collecting = threading.Lock()
_cached: tuple[float, bytes] = (-CACHE_SECONDS, b"")

# Looking a counter up takes longer than counting, and there are few methods and endpoints.
_requests = lru_cache(1000)(REQUESTS.labels)
_seconds = lru_cache(1000)(SECONDS.labels)


def watch(app: Application) -> None:
    """Count every request of the application."""
    app.finishers.append(_count)


def time_appends(store: Container) -> None:
    """Measure how long this container's appends take."""
    store.log.events.measure = APPENDS.observe


def count_untranslated(languages: Languages) -> None:
    """Count the messages that these languages lack. There are as many labels as catalogues."""
    languages.on_untranslated = lambda language: UNTRANSLATED.labels(language).inc()


def text(store: Container) -> bytes:
    """All metrics in the text format of Prometheus, at most `CACHE_SECONDS` old.

    They are cached: adding up the counts of all processes takes about 50 ms.
    """
    global _cached
    with _collecting:
        collected_at, text = _cached
        if time.monotonic() - collected_at >= CACHE_SECONDS:
            text = _of_processes() + generate_latest(_StoreRegistry(store))
            _cached = time.monotonic(), text
        return text


def _of_processes() -> bytes:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


class _StoreRegistry(CollectorRegistry):
    """The counts in the store, which are the same in every process."""

    def __init__(self, store: Container) -> None:
        super().__init__()
        self._store = store

    def collect(self) -> Iterator[Metric]:
        """The present numbers; empty while the store cannot be reached."""
        with suppress(*STORE_FAILURE):
            yield from (_family(each) for each in gauges(self._store))
            delays = self._store.delays.all()
            yield _delays(delays)
            yield _done(delays)


def _family(gauge: Gauge) -> Metric:
    make = CounterMetricFamily if gauge.total else GaugeMetricFamily
    family = make(f"scottenbury_{gauge.name}", gauge.help_text, labels=gauge.labels)
    for labels, number in gauge.samples.items():
        family.add_metric(labels, number)
    return family


def _delays(delays: Sequence[Delays]) -> Metric:
    family = HistogramMetricFamily(
        "scottenbury_notice_delay_seconds",
        "Time from when a notice fell due until it was done.",
        labels=("channel", "kind"),
    )
    for one in delays:
        total, buckets = 0, []
        for bound in (*map(str, BOUNDS), OVER):
            total += one.counts.get(bound, 0)
            buckets.append(("+Inf" if bound == OVER else bound, total))
        family.add_metric((one.channel, one.kind), buckets, one.seconds)
    return family


def _done(delays: Sequence[Delays]) -> Metric:
    family = CounterMetricFamily(
        "scottenbury_notices_done",
        "Notices that were delivered, or given up after all tries.",
        labels=("channel", "outcome"),
    )
    numbers: Counter_[tuple[str, str]] = Counter_()
    for one in delays:
        given_up = one.counts.get(GIVEN_UP, 0)
        numbers[one.channel, "sent"] += sum(one.counts.values()) - given_up
        numbers[one.channel, "dead-letter"] += given_up
    for labels, number in numbers.items():
        family.add_metric(labels, number)
    return family


def _count(request: Request, answer: Response) -> Response:
    # Labels that a client invents are merged into one; their number would have no limit.
    endpoint = request.endpoint or "unknown"
    method = request.method if request.method in _METHODS else "other"
    _requests(method, endpoint, answer.status_code).inc()
    _seconds(endpoint).observe(time.perf_counter() - request.began)
    return answer


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
    return Response(text(get_container()), content_type=CONTENT_TYPE)
