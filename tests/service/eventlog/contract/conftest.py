"""The log on every kind of server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache, partial

import pytest
from fakeredis import FakeRedis

from service.core.redis.client import Client, connect
from service.eventlog import EventLog
from tests.service.eventlog.contract.written import NOW
from tests.support.clock import Clock
from tests.support.cluster import running_cluster
from tests.support.event_logs import event_log
from tests.support.servers import bundled_binary, installed_binaries, running

IMITATION = "fakeredis"
"""Whoever writes against the log may test with it."""
SERVERS = {"bundled": bundled_binary(), **installed_binaries()}
STORES = {
    **{name: partial(running, binary) for name, binary in SERVERS.items()},
    "cluster": partial(running_cluster, bundled_binary()),
}


@pytest.fixture(scope="package")
def started() -> Iterator[Callable[[str], Client]]:
    """Each kind of server, started when it is asked for first."""
    with ExitStack() as stack:

        @cache
        def start(name: str) -> Client:
            if name == IMITATION:
                return stack.enter_context(FakeRedis(decode_responses=True))
            return stack.enter_context(connect(stack.enter_context(STORES[name]()).url))

        yield start


@pytest.fixture(params=[*STORES, IMITATION])
def store(request: pytest.FixtureRequest, started: Callable[[str], Client]) -> Client:
    return started(request.param)


@pytest.fixture
def clock() -> Clock:
    return Clock(NOW)


@pytest.fixture
def log(store: Client, clock: Clock) -> EventLog:
    store.flushall()
    return event_log(store, now=clock)
