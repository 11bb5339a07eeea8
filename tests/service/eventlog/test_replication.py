"""An append can wait until it is in the memory of a replica, as long as there is hope."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.core.redis.client import Client, connect
from service.eventlog import Appended, IdempotencyKey, Repeated, replication
from service.eventlog.replication import Replicas
from tests.support.cluster import running_cluster
from tests.support.event_logs import event_log
from tests.support.ports import free_ports
from tests.support.servers import RedisServer, bundled_binary
from tests.support.waiting import PATIENCE, until

GAME = "abcdefghijklmnopqrst"
KEY = IdempotencyKey("k", "f")


class Pair:
    """A master and its replica."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        first, second = free_ports(2)
        self.master = self._start(folder / "master", first, stack)
        replicates = ("--replicaof", "127.0.0.1", str(first))
        self.replica = self._start(folder / "replica", second, stack, *replicates)
        self.redis = stack.enter_context(connect(self.master.url))
        self.copy = stack.enter_context(connect(self.replica.url))
        until(lambda: self.copy.info("replication")["master_link_status"] == "up")

    def _start(self, folder: Path, port: int, stack: ExitStack, *options: str) -> RedisServer:
        folder.mkdir()
        url = f"redis://127.0.0.1:{port}"
        at_once = ("--repl-diskless-sync-delay", "0")
        server = RedisServer(bundled_binary(), folder, url, "--port", str(port), *at_once, *options)
        stack.callback(server.kill)
        return server

    def halt(self) -> None:
        """Let the replica hear nothing, and wait for it only shortly."""
        self._signal(signal.SIGSTOP)
        replication.PATIENCE = 300  # type: ignore[misc]

    def resume(self) -> None:
        self._signal(signal.SIGCONT)
        replication.PATIENCE = int(1000 * PATIENCE)  # type: ignore[misc]

    def _signal(self, number: int) -> None:
        os.kill(self.replica._process.pid, number)


@pytest.fixture(scope="module")
def _servers() -> Iterator[Pair]:
    with TemporaryDirectory(prefix="st-") as folder, ExitStack() as stack:
        yield Pair(Path(folder), stack)


@pytest.fixture
def pair(_servers: Pair, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    monkeypatch.setattr(replication, "PATIENCE", int(1000 * PATIENCE))
    _servers.redis.flushall()
    yield _servers
    _servers.resume()


def test_what_is_answered_is_in_the_replica(pair: Pair) -> None:
    log = event_log(pair.redis, replicas=1)
    for version in range(50):
        assert log.events.append(GAME, version, ["event"]) == Appended(version + 1)
        assert event_log(pair.copy).events.version(GAME) == version + 1


def test_a_replica_that_does_not_follow_is_told_and_the_write_stands(
    pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    log = event_log(pair.redis, replicas=1)
    pair.halt()
    assert log.events.append(GAME, 0, ["1"], key=KEY) == Appended(1)
    assert "reached 0 replicas, not 1" in caplog.text
    assert log.events.read(GAME) == ["1"]


def test_a_repeated_request_waits_as_the_first_did(
    pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    log = event_log(pair.redis, replicas=1)
    pair.halt()
    log.events.append(GAME, 0, ["1"], key=KEY)
    pair.resume()
    caplog.clear()
    assert log.events.append(GAME, 0, ["1"], key=KEY) == Repeated(1)
    assert caplog.text == ""
    assert event_log(pair.copy).events.version(GAME) == 1


def test_nothing_is_waited_for_unless_it_is_set(
    pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    pair.halt()
    assert event_log(pair.redis).events.append(GAME, 0, ["1"]) == Appended(1)
    assert caplog.text == ""


def test_a_server_that_cannot_be_asked_is_told_and_the_write_stands(
    redis: Client, caplog: pytest.LogCaptureFixture
) -> None:
    redis.set("not a key of ours", "x")
    redis.config_set("maxmemory", 1)
    try:
        assert not Replicas(redis, 1).await_write("mark")
    finally:
        redis.config_set("maxmemory", 0)
    assert "was not followed" in caplog.text


def test_on_a_cluster_each_game_waits_for_its_own_master_s_replica() -> None:
    with running_cluster(bundled_binary()) as cluster, connect(cluster.url) as redis:
        log = event_log(redis, replicas=1)
        for number in range(20):
            assert log.events.append(f"game{number:016}", 0, ["1"]) == Appended(1)
        stored = [node.redis.dbsize() for node in cluster.replicas]
        assert sum(stored) == sum(node.redis.dbsize() for node in cluster.masters)
        assert all(stored)
