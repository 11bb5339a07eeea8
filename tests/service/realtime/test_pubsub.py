"""Listening for news on a real Redis, and waiting for news of topics."""

import queue
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count

import pytest
from redis import RedisCluster

from service.core.redis.client import CHANNEL, Client, connect
from service.eventlog import keys
from service.realtime import pubsub
from service.realtime.pubsub import Broker, Listener
from tests.support.cluster import running_cluster
from tests.support.event_logs import event_log
from tests.support.servers import bundled_binary, running
from tests.support.waiting import PATIENCE, until

LONGER = 2 * PATIENCE
"""Seconds that a listener waits for its own wake-up: longer than a test waits for news."""


class RecordingListener:
    """A listener that records its news."""

    def __init__(self, redis: Client) -> None:
        self._news: queue.Queue[str] = queue.Queue()
        self._subscribed: set[str] = set()
        self._seen: set[str] = set()
        self._listener = Listener(redis, self._news.put)
        self.own_channel = self._listener._own_channel

    def subscribe(self, *topics: str) -> None:
        for topic in topics:
            self._listener.subscribe(topic)
        self._subscribed |= set(topics)

    def unsubscribe(self, topic: str) -> None:
        self._listener.unsubscribe(topic)
        self._subscribed.discard(topic)

    def next_news(self) -> str:
        return self._news.get(timeout=PATIENCE)

    def has_seen(self, *topics: str) -> bool:
        """Whether there has been news of all these topics."""
        with suppress(queue.Empty):
            while True:
                self._seen.add(self._news.get(timeout=0.1))
        return self._seen >= set(topics)

    def forget(self) -> None:
        self._seen.clear()

    def close(self) -> None:
        self.subscribe("the end")  # which wakes the thread
        for topic in set(self._subscribed):
            self.unsubscribe(topic)


@contextmanager
def listening(redis: Client, monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingListener]:
    monkeypatch.setattr(pubsub, "_LINGER", 0.1)
    monkeypatch.setattr(pubsub, "_READ_TIMEOUT", LONGER)
    listener = RecordingListener(redis)
    yield listener
    monkeypatch.setattr(pubsub, "_READ_TIMEOUT", 0.05)
    listener.close()
    everywhere = {"target_nodes": "all"} if isinstance(redis, RedisCluster) else {}
    own = listener.own_channel
    until(lambda: not redis.pubsub_channels(own, **everywhere))


@pytest.fixture
def listener(redis: Client, monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingListener]:
    with listening(redis, monkeypatch) as listener:
        yield listener


def publish(redis: Client, topic: str) -> int:
    """Publish news; return how many listeners receive it."""
    return int(redis.publish(f"{CHANNEL}{topic}", ""))


def test_a_new_subscription_reports_news_once_as_some_may_have_been_missed(
    listener: RecordingListener,
) -> None:
    listener.subscribe("a")
    assert listener.next_news() == "a"


def test_a_message_is_passed_on_but_not_of_another_topic(
    listener: RecordingListener, redis: Client
) -> None:
    listener.subscribe("a")
    listener.next_news()
    assert publish(redis, "a") == 1
    assert listener.next_news() == "a"

    assert publish(redis, "b") == 0
    publish(redis, "a")
    assert listener.next_news() == "a"


def test_a_listening_thread_takes_up_further_topics_at_once(listener: RecordingListener) -> None:
    listener.subscribe("a")
    listener.next_news()
    listener.subscribe("b", "c")
    assert {listener.next_news(), listener.next_news()} == {"b", "c"}


def test_after_a_broken_connection_every_topic_is_reported(
    listener: RecordingListener, redis: Client
) -> None:
    listener.subscribe("a", "b")
    assert {listener.next_news(), listener.next_news()} == {"a", "b"}
    redis.client_kill_filter(_type="pubsub")
    assert {listener.next_news(), listener.next_news()} == {"a", "b"}
    publish(redis, "b")
    assert listener.next_news() == "b"


def test_a_quick_resubscription_misses_nothing_and_reports_nothing(
    listener: RecordingListener, redis: Client
) -> None:
    listener.subscribe("a")
    listener.next_news()
    listener.unsubscribe("a")
    assert publish(redis, "a") == 1
    listener.subscribe("a")
    assert listener.next_news() == "a"
    listener.subscribe("b")
    assert listener.next_news() == "b"


def test_after_an_outage_of_the_store_every_topic_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        running(bundled_binary()) as server,
        connect(server.url) as redis,
        listening(redis, monkeypatch) as listener,
    ):
        failures: list[object] = []
        monkeypatch.setattr(pubsub, "_RETRY_PAUSE", 0.05)
        monkeypatch.setattr(pubsub, "report", lambda *failure: failures.append(failure))
        listener.subscribe("a")
        listener.next_news()
        server.kill()
        listener.subscribe("b")
        until(lambda: len(failures) > 1)  # the client has given up, and tried anew
        server.start()
        until(lambda: listener.has_seen("a", "b"))
        assert publish(redis, "b") == 1


def test_unused_topics_are_unsubscribed_from(
    listener: RecordingListener, redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pubsub, "_READ_TIMEOUT", 0.05)
    listener.subscribe("a", "b")
    assert {listener.next_news(), listener.next_news()} == {"a", "b"}
    listener.unsubscribe("a")
    until(lambda: publish(redis, "a") == 0)
    assert publish(redis, "b") == 1
    listener.unsubscribe("b")
    until(lambda: publish(redis, "b") == 0)
    listener.subscribe("b")
    until(lambda: publish(redis, "b") == 1)


def test_in_a_cluster_news_arrives_from_every_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        running_cluster(bundled_binary()) as cluster,
        connect(cluster.url) as redis,
        listening(redis, monkeypatch) as listener,
    ):
        log = event_log(redis)
        games = [f"game{number}" for number in range(5)]
        assert len({keys.bucket_of(game) for game in games}) == 5
        listener.subscribe(*games)
        until(lambda: listener.has_seen(*games))
        listener.forget()
        versions = count()

        def saw_another_event() -> bool:
            version = next(versions)
            for game in games:
                log.events.append(game, version, ["{}"])
            return listener.has_seen(*games)

        until(saw_another_event)  # a cluster that is just set up loses some


LONG = 60.0


class Fixture:
    """A broker, and what it has subscribed to and unsubscribed from."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.subscribed = threading.Semaphore(0)
        self.broker = Broker(lambda publish: self)
        self._pool = ThreadPoolExecutor()

    def subscribe(self, topic: str, /) -> None:
        self.calls.append(("subscribe", topic))

    def unsubscribe(self, topic: str, /) -> None:
        self.calls.append(("unsubscribe", topic))

    def waiter(self, *topics: str) -> "Future[bool]":
        """A client that waits already."""
        waits = threading.Event()

        def wait() -> bool:
            with self.broker.watch() as watch:
                self.broker.turn(watch, frozenset(topics))
                waits.set()
                return watch.wait(frozenset(topics), 0, LONG)

        future = self._pool.submit(wait)
        assert waits.wait(LONG)
        return future

    def wait(self, topic: str, since: int, seconds: float = LONG) -> bool:
        with self.broker.watch() as watch:
            return watch.wait(frozenset([topic]), since, seconds)


@pytest.fixture
def fixture() -> Fixture:
    return Fixture()


def test_news_of_a_topic_wakes_everyone_who_waits_for_it(fixture: Fixture) -> None:
    one, other = fixture.waiter("a", "b"), fixture.waiter("b")
    fixture.broker.publish("b")
    assert (one.result(LONG), other.result(LONG)) == (True, True)


def test_news_of_another_topic_wakes_nobody(fixture: Fixture) -> None:
    waiter = fixture.waiter("a")
    fixture.broker.publish("b")
    fixture.broker.close()
    assert waiter.result(LONG) is False


def test_news_after_the_position_is_reported_at_once(fixture: Fixture) -> None:
    position = fixture.broker.position()
    fixture.broker.publish("a")
    assert fixture.wait("a", position) is True


def test_news_before_the_position_is_not_reported(fixture: Fixture) -> None:
    fixture.broker.publish("a")
    assert fixture.wait("a", fixture.broker.position(), seconds=0) is False


def test_nobody_waits_at_a_closed_broker(fixture: Fixture) -> None:
    waiter = fixture.waiter("a")
    fixture.broker.close()
    assert waiter.result(LONG) is False
    assert fixture.wait("a", fixture.broker.position()) is False


def test_a_topic_is_subscribed_to_while_somebody_waits_for_it(fixture: Fixture) -> None:
    one, other = fixture.waiter("a"), fixture.waiter("a", "b")
    assert fixture.calls == [("subscribe", "a"), ("subscribe", "b")]
    fixture.broker.publish("b")
    other.result(LONG)
    assert fixture.calls[2:] == [("unsubscribe", "b")]
    fixture.broker.publish("a")
    one.result(LONG)
    assert fixture.calls[3:] == [("unsubscribe", "a")]
