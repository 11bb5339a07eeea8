"""A server of two processes, and a game of Ada and Bob on it."""

from collections.abc import Callable, Iterator

import pytest

from service.core.redis.client import Client
from tests.support.servers import SocketServer
from tests.support.web_server import Table, WebServer


@pytest.fixture(scope="module")
def running(
    redis_server: SocketServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebServer]:
    server = WebServer(redis_server.url, tmp_path_factory.mktemp("data"))
    yield server
    server.stop()


@pytest.fixture
def web(running: WebServer) -> Iterator[WebServer]:
    """The server; its clients are gone after the test."""
    yield running
    running.hang_up()


@pytest.fixture
def seat(web: WebServer, redis: Client) -> Callable[..., Table]:
    """Makes tables, for games with other options."""
    return lambda **options: Table(web, **options)


@pytest.fixture
def table(seat: Callable[..., Table]) -> Table:
    return seat()
