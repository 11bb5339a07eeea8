"""One caller opens stream after stream: he is told no, and the others are served."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.core.redis.client import Client
from tests.faults.impatient import STREAMS_OF_ADDRESS, STREAMS_OF_PLAYER
from tests.faults.raw import Answer, answer_to, connected, head, impatient_server
from tests.support.servers import SocketServer
from tests.support.waiting import until
from tests.support.web_server import WebServer


@pytest.fixture(scope="module")
def web(
    redis_server: SocketServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebServer]:
    with impatient_server(redis_server.url, tmp_path_factory.mktemp("data"), 2) as server:
        yield server


@pytest.fixture
def clients(web: WebServer, redis: Client) -> Iterator[ExitStack]:
    """The clients that are waiting; they are gone after the test."""
    with ExitStack() as stack:
        yield stack


def register(web: WebServer, name: str) -> str:
    return str(web.request("POST", "/players", {"name": name}).json["token"])


def opened(web: WebServer, clients: ExitStack, path: str, **headers: str) -> Answer:
    """The beginning of the answer to a client who stays."""
    connection = clients.enter_context(connected(web))
    connection.sendall(head("GET", f"/v1{path}", Accept="text/event-stream", **headers))
    return answer_to(connection)


def test_a_player_has_so_many_streams_over_all_processes_and_tokens(
    web: WebServer, clients: ExitStack
) -> None:
    ada, bob = (f"Bearer {register(web, name)}" for name in ("Ada", "Bob"))
    streams = [
        opened(web, clients, "/me/stream", Authorization=ada) for _ in range(STREAMS_OF_PLAYER)
    ]
    assert [stream.status for stream in streams] == [200] * STREAMS_OF_PLAYER
    for _ in range(5):
        refused = opened(web, clients, "/me/stream", Authorization=ada)
        assert (refused.status, refused.code) == (429, "too-many-streams")
        assert int(refused.headers["retry-after"]) > 0
    assert opened(web, clients, "/me/stream", Authorization=bob).status == 200
    clients.close()
    until(lambda: opened(web, clients, "/me/stream", Authorization=ada).status == 200)


def test_passers_by_have_so_many_streams_for_each_address(
    web: WebServer, clients: ExitStack
) -> None:
    ada = register(web, "Ada")
    game = web.request("POST", "/games", {}, token=ada).json["id"]
    path = f"/games/{game}/events"
    until(lambda: _all_open(web, clients, path))
    refused = opened(web, clients, path)
    assert (refused.status, refused.code) == (429, "too-many-streams")
    waiting = opened(web, clients, f"{path}?after=1&wait=30")
    assert (waiting.status, waiting.code) == (429, "too-many-streams")
    assert web.request("GET", f"/games/{game}", token=ada).status == 200


def _all_open(web: WebServer, clients: ExitStack, path: str) -> bool:
    """Whether there are places for all; after the test before, they may not be free yet."""
    clients.close()
    statuses = [opened(web, clients, path).status for _ in range(STREAMS_OF_ADDRESS)]
    return statuses == [200] * STREAMS_OF_ADDRESS
