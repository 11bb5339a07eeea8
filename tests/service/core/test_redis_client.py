"""Redis by URL, which of its errors will pass, and the counter of limits."""

from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.connection import AbstractConnection
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
from service.core.redis.client import Client, ServerClient, connect, counted, unavailable
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


class Interrupted(BaseException):
    """Comes from outside, at any moment, like the time limit of a job."""


def test_a_reply_that_an_interrupted_command_left_is_read_by_nobody(
    redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis.set("name", "Ann")
    with monkeypatch.context() as interrupted:
        interrupted.setattr(AbstractConnection, "read_response", Mock(side_effect=Interrupted))
        with pytest.raises(Interrupted):
            redis.get("name")

    assert redis.incr("turns") == 1


def test_commands_and_replies_are_those_of_the_library(redis: ServerClient) -> None:
    commands = [
        ("ZADD", "scores", 1.5, "ö", 2, b"b"),
        ("ZRANGE", "scores", 0, -1, "WITHSCORES"),
        ("HSET", "fields", "name", "Ada"),
        ("HGETALL", "fields"),
        ("OBJECT ENCODING", "fields"),
        ("EXISTS", "none"),
    ]
    library = Redis(connection_pool=redis.connection_pool)
    expected = [library.execute_command(*command) for command in commands]  # type: ignore[no-untyped-call]
    redis.delete("scores", "fields")
    assert redis.execute_all(commands) == expected
    redis.delete("scores", "fields")
    assert [redis.execute_command(*command) for command in commands] == expected


def test_threads_share_connections_but_never_at_the_same_time(redis: ServerClient) -> None:
    first = redis.client_id()
    with ThreadPoolExecutor(1) as other:
        assert other.submit(redis.client_id).result() == first
    taken = redis._connection()
    assert redis.client_id() != first
    redis._idle.append(taken)
    assert redis.client_id() == first


def test_a_fork_does_not_share_its_parent_s_connection(redis: Client) -> None:
    def show_id() -> None:
        redis.set("of the fork", redis.client_id())

    fork = get_context("fork").Process(target=show_id)
    fork.start()
    fork.join()

    assert redis.get("of the fork") not in (None, str(redis.client_id()))


def test_a_server_that_is_back_is_asked_again(redis_server: SocketServer) -> None:
    with connect(redis_server.url) as client, connect(redis_server.url) as other:
        assert client.ping()
        other.client_kill_filter(_type="normal", skipme=True)

        assert client.ping()


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


def test_a_count_adds_up_until_the_time_since_the_first_count_is_over(redis: Client) -> None:
    assert [counted(redis, "st:thing", 60), counted(redis, "st:thing", 60, 5)] == [1, 6]
    redis.expire("st:thing", 10)
    counted(redis, "st:thing", 60)
    assert 0 < redis.ttl("st:thing") <= 10
    redis.delete("st:thing")
    assert counted(redis, "st:thing", 60) == 1
