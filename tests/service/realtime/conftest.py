"""A server of two processes, and a game of Ada and Bob on it."""

from collections.abc import Callable, Iterator

import pytest

from tests.service.realtime.followed_game import FollowedGame
from tests.support.servers import SocketServer
from tests.support.web_server import WebServer


@pytest.fixture(scope="package")
def running(
    redis_server: SocketServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebServer]:
    server = WebServer(redis_server.url, tmp_path_factory.mktemp("data"))
    yield server
    server.stop()


@pytest.fixture
def web(running: WebServer) -> Iterator[WebServer]:
    """The server; the test's streams are closed after it."""
    yield running
    running.hang_up()


@pytest.fixture
def make_game(web: WebServer, redis: object) -> Callable[..., FollowedGame]:
    """Makes games with other options, on an empty store."""
    return lambda **options: FollowedGame(web, **options)


@pytest.fixture
def game(make_game: Callable[..., FollowedGame]) -> FollowedGame:
    return make_game()
