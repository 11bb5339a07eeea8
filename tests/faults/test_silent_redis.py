"""A Redis that hangs, or has no memory left: answers come in time, and say so."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

from service.core.redis.client import connect
from service.server.app import create_app
from tests.faults.raw import Answer, answer_to, connected, head
from tests.support.servers import SocketServer, bundled_binary, running
from tests.support.settings import settings
from tests.support.waiting import until
from tests.support.web_server import WebServer

IN_TIME = 30.0
"""Seconds: ten times as many as it takes, and half of what a proxy waits."""


@pytest.fixture
def redis() -> Iterator[SocketServer]:
    with running(bundled_binary()) as server:
        yield server


@pytest.fixture
def web(redis: SocketServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(
        redis.own_bounds_url,
        tmp_path_factory.mktemp("data"),
        SCOTTENBURY_RATE_LIMITS="on",
        SCOTTENBURY_WEB_WORKERS="1",
    )
    yield server
    redis.resume()
    server.stop()


def test_while_redis_hangs_every_answer_comes_in_time(web: WebServer, redis: SocketServer) -> None:
    token = web.request("POST", "/players", {"name": "Ada"}).json["token"]
    game = web.request("POST", "/games", {}, token=token).json["id"]
    redis.pause()
    asked = [
        ("POST", "/v1/games"),
        ("POST", f"/v1/games/{game}/resignation"),
        ("GET", f"/v1/games/{game}"),
        ("GET", "/v1/lobby"),
        ("GET", "/readyz"),
    ]
    with ThreadPoolExecutor(32) as clients:
        waiting = [clients.submit(timed, web, *each, token) for each in asked * 6]
        time.sleep(0.2)  # by now all threads wait
        well = [clients.submit(timed, web, "GET", path, token) for path in ("/healthz", "/docs")]
    first = min(each.result().end for each in waiting)
    for answer, _, end in (each.result() for each in well):
        assert answer.status == 200
        assert end < first, "it waited for one of them"
    for answer, begin, end in (each.result() for each in waiting):
        assert (answer.status, answer.code) == (503, "store-unavailable")
        assert end - begin < IN_TIME
        assert "retry-after" in answer.headers
    redis.resume()
    until(lambda: web.request("GET", f"/games/{game}", token=token).status == 200)


def test_without_memory_redis_is_not_ready(redis: SocketServer) -> None:
    with connect(redis.url) as client:
        app = create_app(settings(), client)
        assert app.test_client().get("/readyz").status_code == 200
        client.config_set("maxmemory", 1)
        answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.json["code"]) == (503, "store-unavailable")
    assert "the memory of Redis is full" in answer.json["detail"]


class Timed(NamedTuple):
    """An answer, and the moments of its request and of its end."""

    answer: Answer
    begin: float
    end: float


def timed(web: WebServer, method: str, path: str, token: str) -> Timed:
    """Ask, and look at the clock."""
    begin = time.monotonic()
    with connected(web) as connection:
        sent = {"Content_Length": 0, "Authorization": f"Bearer {token}"}
        connection.sendall(head(method, path, **sent))
        return Timed(answer_to(connection), begin, time.monotonic())
