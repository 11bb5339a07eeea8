"""Waiting for news of topics, on one event loop."""

import asyncio
from collections.abc import Awaitable, Callable

from service.realtime.broker import Broker

LONG = 60.0


class Fixture:
    """A broker, and what it has subscribed to and unsubscribed from."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.broker = Broker(lambda publish: self)
        self.disconnect: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def subscribe(self, topic: str, /) -> None:
        self.calls.append(("subscribe", topic))

    def unsubscribe(self, topic: str, /) -> None:
        self.calls.append(("unsubscribe", topic))

    async def waiter(self, *topics: str) -> asyncio.Task[bool]:
        """A client that waits already."""
        task = asyncio.create_task(self._waited(frozenset(topics), 0, LONG))
        await asyncio.sleep(0)
        return task

    async def wait(self, topic: str, since: int, seconds: float = LONG) -> bool:
        return await self._waited(frozenset([topic]), since, seconds)

    async def _waited(self, topics: frozenset[str], since: int, seconds: float) -> bool:
        with self.broker.watch() as watch:
            return await watch.wait(topics, since, seconds, self.disconnect)


def on_a_loop(test: Callable[[Fixture], Awaitable[None]]) -> Callable[[], None]:
    """Run a test with a broker of its own."""

    async def run() -> None:
        await test(Fixture())

    def wrapped() -> None:
        asyncio.run(run())

    wrapped.__name__ = test.__name__
    return wrapped


@on_a_loop
async def test_news_of_a_topic_wakes_everyone_who_waits_for_it(fixture: Fixture) -> None:
    one, other = await fixture.waiter("a", "b"), await fixture.waiter("b")
    fixture.broker.publish("b")
    assert (await one, await other) == (True, True)


@on_a_loop
async def test_news_of_another_topic_wakes_nobody(fixture: Fixture) -> None:
    waiter = await fixture.waiter("a")
    fixture.broker.publish("b")
    await asyncio.sleep(0)
    assert not waiter.done()
    fixture.disconnect.set_result(None)
    assert await waiter is False


@on_a_loop
async def test_news_after_the_position_is_reported_at_once(fixture: Fixture) -> None:
    position = fixture.broker.position()
    fixture.broker.publish("a")
    await asyncio.sleep(0)
    assert await fixture.wait("a", position) is True


@on_a_loop
async def test_news_before_the_position_is_not_reported(fixture: Fixture) -> None:
    fixture.broker.publish("a")
    await asyncio.sleep(0)
    assert await fixture.wait("a", fixture.broker.position(), seconds=0) is False


@on_a_loop
async def test_nobody_waits_at_a_closed_broker(fixture: Fixture) -> None:
    waiter = await fixture.waiter("a")
    fixture.broker.close()
    assert await waiter is False
    assert await fixture.wait("a", fixture.broker.position()) is False


@on_a_loop
async def test_a_topic_is_subscribed_to_while_somebody_waits_for_it(fixture: Fixture) -> None:
    one, other = await fixture.waiter("a"), await fixture.waiter("a", "b")
    assert fixture.calls == [("subscribe", "a"), ("subscribe", "b")]
    fixture.broker.publish("b")
    await other
    assert fixture.calls[2:] == [("unsubscribe", "b")]
    fixture.broker.publish("a")
    await one
    assert fixture.calls[3:] == [("unsubscribe", "a")]
