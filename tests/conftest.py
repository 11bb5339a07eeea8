"""Fixtures that start servers, for every test that needs Redis."""

import gc
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from hypothesis import settings

from service.core import words as words_module
from service.core.redis import client as client_module
from service.core.redis import failures
from service.core.redis.client import Client, connect
from service.server.http_server import GARBAGE
from tests.engine.games import THOROUGHNESS
from tests.support import node_ids
from tests.support.clock import Clock
from tests.support.folders import keep_in_memory
from tests.support.node_ids import (
    pytest_xdist_node_collection_finished as pytest_xdist_node_collection_finished,
)
from tests.support.scheduling import put_long_files_first
from tests.support.servers import SocketServer, bundled_binary, running
from tests.support.waiting import PATIENCE

# The same examples in every run; new ones where somebody asks for more than usual. On a busy
# machine an example may take long.
settings.register_profile("steady", derandomize=THOROUGHNESS == 1, deadline=None)
settings.load_profile("steady")

# A machine may be so busy that Redis answers late, as a cluster's nodes, whose URL tells no bounds.
client_module._ANSWER_TIMEOUT = client_module._CONNECT_TIMEOUT = PATIENCE

# For each catalogue that a test writes, all that the tests have made would be looked through.
words_module.gc = SimpleNamespace(collect=lambda: 0)  # type: ignore[attr-defined]

gc.disable()  # until all tests are collected
keep_in_memory()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Check and order what was collected."""
    node_ids.pytest_collection_modifyitems(config, items)
    put_long_files_first(items)


def pytest_collection_finish() -> None:
    """Let the garbage collector look at what the tests make, not at thousands of tests; and as
    seldom as in a web process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    gc.enable()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[SocketServer]:
    """The server that comes with the application; one for all tests of a process.

    It does not wait for the disk: a test that ends a server has one of its own. Its dumps are as
    long as what they hold.
    """
    with running(bundled_binary()) as server:
        with connect(server.url) as client:
            client.config_set("appendfsync", "no")
            client.config_set("rdbcompression", "no")
        yield server


@pytest.fixture
def redis(redis_server: SocketServer) -> Iterator[Client]:
    """A client of an empty real server."""
    with connect(redis_server.url) as client:
        client.flushall()
        yield client


@pytest.fixture(autouse=True)
def fresh_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test hears less of a trouble since another has had the same."""
    monkeypatch.setattr(failures, "_last", {})


@pytest.fixture
def clock() -> Clock:
    """Noon of a Saturday, 21 November 2026."""
    return Clock()
