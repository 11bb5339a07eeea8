"""Waiting for news, on one event loop."""

import asyncio
from collections.abc import Awaitable, Callable

from service.realtime.broker import Hub

LONG = 60.0


class Room:
    """A hub, and what it said about being needed."""

    def __init__(self) -> None:
        self.wanted: list[tuple[str, bool]] = []
        self.hub = Hub(lambda *wish: self.wanted.append(wish))
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def waiter(self, *topics: str, since: int = 0, seconds: float = LONG) -> asyncio.Task:
        """Somebody who waits already."""
        task = asyncio.create_task(self.hub.news(topics, since, seconds, self.gone))
        await asyncio.sleep(0)
        return task


def on_a_loop(test: Callable[[Room], Awaitable[None]]) -> Callable[[], None]:
    """Run a test in a room of its own."""

    async def run() -> None:
        await test(Room())

    def wrapped() -> None:
        asyncio.run(run())

    wrapped.__name__ = test.__name__
    return wrapped


@on_a_loop
async def test_news_of_a_topic_wakes_all_who_wait_for_it(room: Room):
    one, other = await room.waiter("a", "b"), await room.waiter("b")
    room.hub.tell("b")
    assert (await one, await other) == (True, True)


@on_a_loop
async def test_news_of_another_topic_wakes_nobody(room: Room):
    waiter = await room.waiter("a")
    room.hub.tell("b")
    await asyncio.sleep(0)
    assert not waiter.done()
    room.gone.set_result(None)
    assert await waiter is False


@on_a_loop
async def test_news_since_the_mark_is_not_waited_for(room: Room):
    mark = room.hub.mark()
    room.hub.tell("a")
    await asyncio.sleep(0)
    assert await room.hub.news(["a"], mark, LONG, room.gone) is True


@on_a_loop
async def test_news_before_the_mark_is_old(room: Room):
    room.hub.tell("a")
    await asyncio.sleep(0)
    assert await room.hub.news(["a"], room.hub.mark(), 0, room.gone) is False


@on_a_loop
async def test_after_the_end_nobody_waits(room: Room):
    waiter = await room.waiter("a")
    room.hub.close()
    assert await waiter is False
    assert await room.hub.news(["a"], room.hub.mark(), LONG, room.gone) is False


@on_a_loop
async def test_a_topic_is_wanted_while_somebody_waits_for_it(room: Room):
    one, other = await room.waiter("a"), await room.waiter("a", "b")
    assert room.wanted == [("a", True), ("b", True)]
    room.hub.tell("b")
    await other
    assert room.wanted[2:] == [("b", False)]
    room.hub.tell("a")
    await one
    assert room.wanted[3:] == [("a", False)]
