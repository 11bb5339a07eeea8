"""A store with games in it, and a second, empty one."""

from collections.abc import Iterator

import pytest

from service import container
from service.container import Container
from service.core.redis.client import Client, connect
from service.ops.restore import restore_game
from tests.servers import bundled_binary, running
from tests.service.archive.stored_games import SlowGame
from tests.service.archive.stored_games import running as running_game
from tests.service.clock import Clock
from tests.service.settings import settings


@pytest.fixture
def clock() -> Clock:
    """Right after the last move of the running game, which is in time."""
    return Clock(running_game().now)


@pytest.fixture
def store(redis: Client, clock: Clock) -> Container:
    return container.build(settings(), redis, clock)


@pytest.fixture(scope="session")
def _elsewhere() -> Iterator[str]:
    with running(bundled_binary()) as server:
        yield server.url


@pytest.fixture
def elsewhere(_elsewhere: str, clock: Clock) -> Iterator[Container]:
    """Another, empty store."""
    with connect(_elsewhere) as redis:
        redis.flushall()
        yield container.build(settings(), redis, clock)


def game_id(letter: str) -> str:
    return letter * 20


def keep(store: Container, letter: str, game: SlowGame) -> str:
    """Let the store have this game and its players; its id."""
    for number, player in enumerate(game.players):
        store.players.enrol(player, f"Player {letter}{number}")
    assert restore_game(store, game_id(letter), game.lines)
    return game_id(letter)
