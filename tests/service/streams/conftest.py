"""A server of two processes, and a game of Ada and Bob on it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.core.redis.client import Client
from tests.servers import SocketServer
from tests.service.streams.serving import Received, WebServer


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


class Table:
    """A running game of Ada, north, who began, and Bob."""

    def __init__(self, web: WebServer, **options: Any) -> None:
        self._web = web
        self.ada, self.bob, self.eve = (self._register(name) for name in ("Ada", "Bob", "Eve"))
        wanted = {"first_player": "creator", **options}
        made = web.request("POST", "/games", wanted, token=self.ada).json
        self.id, self.path, self.invite = made["id"], f"/games/{made['id']}", made["invite"]
        body = {"invite": self.invite}
        assert web.request("POST", f"{self.path}/join", body, token=self.bob).status == 200

    def play(self) -> Received:
        """The player to move takes the first turn there is: three events."""
        view = self._web.request("GET", self.path, token=self.ada).json
        token = self.ada if view["turn"] == "north" else self.bob
        legal = self._web.request("GET", self.path, token=token).json["legal"]
        played = self._web.request(
            "POST", f"{self.path}/turns", {"actions": legal[:1]}, token=token
        )
        assert played.status == 200, played.text
        return played

    def resign(self) -> None:
        """Ada gives up, which ends the game."""
        self._web.request("POST", f"{self.path}/resignation", {}, token=self.ada)

    def events(self, token: str, after: int = 0) -> list[dict[str, Any]]:
        """The same events as plain JSON."""
        path = f"{self.path}/events?after={after}"
        found: list[dict[str, Any]] = self._web.request("GET", path, token=token).json["events"]
        return found

    def _register(self, name: str) -> str:
        return str(self._web.request("POST", "/players", {"name": name}).json["token"])


@pytest.fixture
def seat(web: WebServer, redis: Client) -> Callable[..., Table]:
    """Makes tables, for games with other options."""
    return lambda **options: Table(web, **options)


@pytest.fixture
def table(seat: Callable[..., Table]) -> Table:
    return seat()
