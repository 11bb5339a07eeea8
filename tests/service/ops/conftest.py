"""A store with games in it, and a second, empty one."""

from collections.abc import Iterator

import pytest

from service import container
from service.container import Container
from service.core.redis.client import Client, connect
from tests.support.clock import Clock
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings
from tests.support.stored_games import running as running_game


@pytest.fixture
def clock() -> Clock:
    """Right after the last move of the running game, which is in time."""
    return Clock(running_game().now)


@pytest.fixture
def store(redis: Client, clock: Clock) -> Container:
    return container.Container(settings(), redis, clock)


@pytest.fixture(scope="session")
def _elsewhere() -> Iterator[str]:
    with running(bundled_binary()) as server:
        yield server.url


@pytest.fixture
def elsewhere(_elsewhere: str, clock: Clock) -> Iterator[Container]:
    """Another, empty store."""
    with connect(_elsewhere) as redis:
        redis.flushall()
        yield container.Container(settings(), redis, clock)
