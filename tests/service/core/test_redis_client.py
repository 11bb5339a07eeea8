"""Redis by URL, and which of its errors will pass."""

from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,  # noqa: A004
    ReadOnlyError,
    ResponseError,
    TimeoutError,  # noqa: A004
)
from redis.retry import Retry

from service.core.redis import client as connections
from service.core.redis.client import Client, connect, unavailable
from tests.support.servers import SocketServer


def test_a_socket_s_url_names_its_file_and_answers_are_text(
    redis_server: SocketServer, redis: Client
) -> None:
    with connect(redis_server.url) as client:
        client.set("name", "Ærø")
        assert client.get("name") == "Ærø"


def test_a_server_s_url_may_hold_a_password_a_port_and_a_database() -> None:
    with connect("rediss://me:p%40ss@redis.example:7000/3") as client:
        options = client.get_connection_kwargs()
    wanted = {"host": "redis.example", "port": 7000, "db": 3, "username": "me", "password": "p@ss"}
    assert options.items() >= wanted.items()


@pytest.mark.parametrize("url", ["", "localhost:6379", "http://localhost", "redis-cluster://"])
def test_another_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL|host"):
        connect(url)


def test_no_call_waits_for_ever() -> None:
    with connect("redis://localhost") as client:
        assert isinstance(client, Redis)
        options = client.get_connection_kwargs()
    assert options["socket_timeout"] > 0
    assert options["socket_connect_timeout"] > 0


@pytest.mark.parametrize(
    "error",
    [
        ConnectionError("refused"),
        TimeoutError("no answer"),
        BusyLoadingError("loading the dataset in memory"),
        ClusterDownError("the cluster is down"),
        ReadOnlyError("you can't write against a read only replica"),
    ],
)
def test_what_will_pass_is_unavailable(error: Any) -> None:
    assert unavailable(error)


def test_a_server_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with (
        Redis.from_url(f"unix://{tmp_path}/none.sock", retry=Retry(NoBackoff(), 0)) as client,
        pytest.raises(Exception, match="connecting") as failure,
    ):
        client.ping()
    assert unavailable(failure.value)


@pytest.mark.parametrize("error", [ResponseError("WRONGTYPE"), ValueError("a mistake of ours")])
def test_a_mistake_is_not(error: Any) -> None:
    assert not unavailable(error)


@pytest.mark.parametrize("scheme", ["redis-cluster", "rediss-cluster"])
def test_a_cluster_s_url_names_some_of_its_nodes(
    monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    asked = {}
    monkeypatch.setattr(connections, "RedisCluster", lambda **options: asked.update(options))
    connect(f"{scheme}://me:p%40ss@one.example:7000,two.example")
    nodes = [(node.host, node.port) for node in asked["startup_nodes"]]
    assert nodes == [("one.example", 7000), ("two.example", 6379)]
    assert (asked["username"], asked["password"]) == ("me", "p@ss")
    assert asked["ssl"] is (scheme == "rediss-cluster")
