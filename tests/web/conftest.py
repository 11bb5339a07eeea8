"""The pages of a server over an imitation of Redis, and a game to look at."""

from typing import NamedTuple

import pytest
from fakeredis import FakeRedis
from flask import Flask
from flask.testing import FlaskClient

from service.container import EXTENSION, Container
from service.games import NewGame
from service.server.app import create_app
from tests.service.clock import Clock
from tests.service.settings import settings

SECRET = "5e" * 32


@pytest.fixture
def app(fake_redis: FakeRedis) -> Flask:
    return create_app(settings(), fake_redis, Clock())


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def container(app: Flask) -> Container:
    found: Container = app.extensions[EXTENSION]
    return found


class Shown(NamedTuple):
    """A game and its two players."""

    id: str
    ann: str
    bob: str


def begin(container: Container, ann: str = "Ann", **options: object) -> Shown:
    """A game of Ann (north, who plays first) against Bob."""
    players = [container.players.register(name).player.id for name in (ann, "Bob")]
    wanted = NewGame(first_player="creator", salt="a", opponent=players[1], **options)  # type: ignore[arg-type]
    made = container.games.create(players[0], wanted, secret=SECRET)
    container.games.join(made.id, players[1], salt="b")
    return Shown(made.id, *players)


@pytest.fixture
def game(container: Container) -> Shown:
    return begin(container)
