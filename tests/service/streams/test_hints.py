"""Listening for hints, over a real Redis."""

import queue
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count

import pytest
from redis import RedisCluster

from service.core.redis.client import Client, connect
from service.core.redis.news import CHANNEL
from service.eventlog import event_log, keys
from service.realtime import pubsub
from service.realtime.pubsub import Listener
from tests.support.cluster import running_cluster
from tests.support.servers import bundled_binary, running
from tests.support.waiting import until

PATIENCE = 4.0
"""Seconds; fewer than those after which a listener looks up by itself."""


class Ear:
    """A listener, and what it has heard."""

    def __init__(self, redis: Client) -> None:
        self._heard: queue.Queue[str] = queue.Queue()
        self._wanted: set[str] = set()
        self._known: set[str] = set()
        self._listener = Listener(redis, self._heard.put)

    def want(self, *topics: str) -> None:
        for topic in topics:
            self._listener.want(topic, True)
        self._wanted |= set(topics)

    def leave(self, topic: str) -> None:
        self._listener.want(topic, False)
        self._wanted.discard(topic)

    def hears(self) -> str:
        return self._heard.get(timeout=PATIENCE)

    def has_heard(self, *topics: str) -> bool:
        """Whether it has heard of all of them by now."""
        with suppress(queue.Empty):
            while True:
                self._known.add(self._heard.get(timeout=0.1))
        return self._known >= set(topics)

    def forget(self) -> None:
        self._known.clear()

    def close(self) -> None:
        self.want("the end")  # it is called
        for topic in set(self._wanted):
            self.leave(topic)


@contextmanager
def listening(redis: Client, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ear]:
    monkeypatch.setattr(pubsub, "_LINGER", 0.1)
    ear = Ear(redis)
    yield ear
    monkeypatch.setattr(pubsub, "_PATIENCE", 0.05)
    ear.close()
    everywhere = {"target_nodes": "all"} if isinstance(redis, RedisCluster) else {}
    until(lambda: not redis.pubsub_channels("st:*", **everywhere))


@pytest.fixture
def ear(redis: Client, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ear]:
    with listening(redis, monkeypatch) as ear:
        yield ear


def move(redis: Client, topic: str) -> int:
    """Something happens; to so many who listen."""
    return int(redis.publish(f"{CHANNEL}{topic}", ""))


def test_who_begins_to_listen_looks_once_for_what_they_may_have_missed(ear: Ear):
    ear.want("a")
    assert ear.hears() == "a"


def test_a_hint_is_handed_on(ear: Ear, redis: Client):
    ear.want("a")
    ear.hears()
    assert move(redis, "a") == 1
    assert ear.hears() == "a"


def test_nothing_comes_of_a_topic_that_nobody_waits_for(ear: Ear, redis: Client):
    ear.want("a")
    ear.hears()
    assert move(redis, "b") == 0
    move(redis, "a")
    assert ear.hears() == "a"


def test_who_listens_already_is_told_at_once_of_more_to_listen_to(ear: Ear):
    ear.want("a")
    ear.hears()
    ear.want("b", "c")
    assert {ear.hears(), ear.hears()} == {"b", "c"}


def test_a_broken_connection_is_mended_and_everything_looked_at(ear: Ear, redis: Client):
    ear.want("a", "b")
    assert {ear.hears(), ear.hears()} == {"a", "b"}
    redis.client_kill_filter(_type="pubsub")
    assert {ear.hears(), ear.hears()} == {"a", "b"}
    move(redis, "b")
    assert ear.hears() == "b"


def test_who_is_back_at_once_has_missed_nothing_and_looks_at_nothing(ear: Ear, redis: Client):
    ear.want("a")
    ear.hears()
    ear.leave("a")
    assert move(redis, "a") == 1
    ear.want("a")
    assert ear.hears() == "a"
    ear.want("b")
    assert ear.hears() == "b"


def test_after_the_store_was_away_everything_is_looked_at(monkeypatch: pytest.MonkeyPatch):
    with (
        running(bundled_binary()) as server,
        connect(server.url) as redis,
        listening(redis, monkeypatch) as ear,
    ):
        monkeypatch.setattr(pubsub, "_PAUSE", 0.05)
        ear.want("a")
        ear.hears()
        server.kill()
        ear.want("b")
        time.sleep(3)  # longer than the client tries
        server.start()
        until(lambda: ear.has_heard("a", "b"))
        assert move(redis, "b") == 1


def test_what_nobody_wants_any_more_is_listened_to_no_more(
    ear: Ear, redis: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pubsub, "_PATIENCE", 0.05)
    ear.want("a", "b")
    assert {ear.hears(), ear.hears()} == {"a", "b"}
    ear.leave("a")
    until(lambda: move(redis, "a") == 0)
    assert move(redis, "b") == 1
    ear.leave("b")
    until(lambda: not redis.pubsub_channels("st:*"))
    ear.want("b")
    until(lambda: move(redis, "b") == 1)


def test_in_a_cluster_hints_come_whichever_server_they_are_from(monkeypatch: pytest.MonkeyPatch):
    with (
        running_cluster(bundled_binary()) as cluster,
        connect(cluster.url) as redis,
        listening(redis, monkeypatch) as ear,
    ):
        log = event_log(redis)
        games = [f"game{number}" for number in range(5)]
        assert len({keys.bucket_of(game) for game in games}) == 5
        ear.want(*games)
        until(lambda: ear.has_heard(*games))
        ear.forget()
        versions = count()

        def heard_of_another_event() -> bool:
            version = next(versions)
            for game in games:
                log.events.append(game, version, ["{}"])
            return ear.has_heard(*games)

        until(heard_of_another_event)  # a cluster that is just set up loses some
