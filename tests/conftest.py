"""Fixtures that start servers, for every test that needs Redis."""

from collections.abc import Iterator

import pytest
from fakeredis import FakeRedis

from service.core.redis.client import Client, connect
from tests.support.servers import SocketServer, bundled_binary, running


@pytest.fixture(scope="session")
def redis_server() -> Iterator[SocketServer]:
    """The server that comes with the application; one for all tests of a process."""
    with running(bundled_binary()) as server:
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
