"""Waiting for news of topics."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from service.realtime.pubsub import Broker

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
