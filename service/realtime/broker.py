"""Wakes the clients that wait for news of a topic."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from service.core.cache import ThreadSafeCache, recently_used

_RECENT_TOPICS: Final = 10_000


class Subscriptions(Protocol):
    """A source of news that covers only the topics subscribed to."""

    def subscribe(self, topic: str, /) -> None:
        """Deliver news of this topic from now on."""

    def unsubscribe(self, topic: str, /) -> None:
        """Stop delivering news of this topic, now or soon."""


class Broker:
    """Bound to one event loop; only `publish` is thread-safe.

    `connect` is called with `publish` and returns the source of the news. A topic is subscribed to
    while somebody waits for it.
    """

    def __init__(self, connect: Callable[[Callable[[str], None]], Subscriptions]) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiters: defaultdict[str, set[asyncio.Future[None]]] = defaultdict(set)
        self._count = 0
        self._counting = threading.Lock()
        self._last_news: ThreadSafeCache[str, int] = recently_used(_RECENT_TOPICS)
        self.closed = False
        self._subscriptions = connect(self.publish)

    def position(self) -> int:
        """How much news there has been. Take it before reading the state, for `wait`."""
        return self._count

    def publish(self, topic: str) -> None:
        """Report that there may be news of a topic, from any thread."""
        with self._counting:
            self._count += 1
            self._last_news.put(topic, self._count)
        if topic in self._waiters:
            self._loop.call_soon_threadsafe(self._wake, topic)

    def close(self) -> None:
        """Wake everybody, and let nobody wait from now on."""
        self.closed = True
        for topic in self._waiters:
            self._wake(topic)

    async def wait(
        self, topics: Iterable[str], since: int, seconds: float, disconnect: asyncio.Future[Any]
    ) -> bool:
        """Wait for news of one of these topics; return whether there is any.

        News after the position `since` counts. Without news the wait ends after `seconds`, when the
        broker is closed, or when `disconnect` is done.
        """
        watched = frozenset(topics)
        if self.closed or disconnect.done():
            return False
        waiter = self._loop.create_future()
        self._add(watched, waiter)
        try:
            # Only now that `publish` can find the waiter: so no news falls in between.
            if self._any_since(watched, since):
                return True
            await asyncio.wait((waiter, disconnect), timeout=seconds, return_when="FIRST_COMPLETED")
        finally:
            self._remove(watched, waiter)
        return waiter.done() and not self.closed

    def _wake(self, topic: str) -> None:
        for waiter in self._waiters.get(topic, ()):
            if not waiter.done():
                waiter.set_result(None)

    def _any_since(self, topics: frozenset[str], since: int) -> bool:
        return any((self._last_news.get(topic) or 0) > since for topic in topics)

    def _add(self, topics: frozenset[str], waiter: asyncio.Future[None]) -> None:
        for topic in topics:
            if topic not in self._waiters:
                self._subscriptions.subscribe(topic)
            self._waiters[topic].add(waiter)

    def _remove(self, topics: frozenset[str], waiter: asyncio.Future[None]) -> None:
        for topic in topics:
            self._waiters[topic].discard(waiter)
            if not self._waiters[topic]:
                del self._waiters[topic]
                self._subscriptions.unsubscribe(topic)
