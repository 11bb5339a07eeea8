"""Fixtures that start servers, for every test that needs Redis."""

from collections.abc import Iterator

import pytest
from fakeredis import FakeRedis
from hypothesis import settings

from service.core.redis.client import Client, connect
from tests.engine.games import THOROUGHNESS
from tests.support.servers import SocketServer, bundled_binary, running

# The same examples in every run; new ones where somebody asks for more than usual.
settings.register_profile("steady", derandomize=True)
if THOROUGHNESS == 1:
    settings.load_profile("steady")


@pytest.fixture(scope="session")
def redis_server() -> Iterator[SocketServer]:
    """The server that comes with the application; one for all tests of a process.

    It does not wait for the disk: a test that ends a server has one of its own.
    """
    with running(bundled_binary()) as server:
        with connect(server.url) as client:
            client.config_set("appendfsync", "no")
        yield server


@pytest.fixture
def redis(redis_server: SocketServer) -> Iterator[Client]:
    """A client of an empty real server."""
    with connect(redis_server.url) as client:
        client.flushall()
        yield client


@pytest.fixture
def fake_redis() -> Iterator[FakeRedis]:
    """An empty imitation of Redis, for tests that are about something else."""
    with FakeRedis(decode_responses=True) as client:
        yield client
