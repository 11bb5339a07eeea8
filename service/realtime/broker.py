"""Where those who wait for news of some topics are woken."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Final

from service.core.cache import Recent

_REMEMBERED: Final = 10_000


class Hub:
    """Of one event loop: everything but `tell` is called on it.

    `want` hears of each topic when somebody waits for it, and when nobody does any more.
    """

    def __init__(self, want: Callable[[str, bool], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._want = want
        self._waiting: defaultdict[str, set[asyncio.Future[None]]] = defaultdict(set)
        self._count = 0
        self._counting = threading.Lock()
        self._told: Recent[str, int] = Recent(_REMEMBERED)
        self.closed = False

    def mark(self) -> int:
        """The present, for `news`: taken before looking at what is known."""
        return self._count

    def tell(self, topic: str) -> None:
        """There may be news of a topic. From any thread."""
        with self._counting:
            self._count += 1
            self._told.put(topic, self._count)
        if topic in self._waiting:
            self._loop.call_soon_threadsafe(self._wake, topic)

    def close(self) -> None:
        """Let nobody wait any more."""
        self.closed = True
        for topic in self._waiting:
            self._wake(topic)

    async def news(
        self, topics: Iterable[str], since: int, seconds: float, gone: asyncio.Future[Any]
    ) -> bool:
        """Wait until there is news of one of the topics, and tell whether there is.

        News since the mark `since` counts. Without any the wait ends after `seconds`, when the hub
        is closed or when `gone` is done.
        """
        watched = frozenset(topics)
        if self.closed or gone.done():
            return False
        waiter = self._loop.create_future()
        self._enter(watched, waiter)
        try:
            # Only now: from here on `tell` finds the waiter.
            if self._any_since(watched, since):
                return True
            await asyncio.wait((waiter, gone), timeout=seconds, return_when="FIRST_COMPLETED")
        finally:
            self._leave(watched, waiter)
        return waiter.done() and not self.closed

    def _wake(self, topic: str) -> None:
        for waiter in self._waiting.get(topic, ()):
            if not waiter.done():
                waiter.set_result(None)

    def _any_since(self, topics: frozenset[str], since: int) -> bool:
        return any((self._told.get(topic) or 0) > since for topic in topics)

    def _enter(self, topics: frozenset[str], waiter: asyncio.Future[None]) -> None:
        for topic in topics:
            if topic not in self._waiting:
                self._want(topic, True)
            self._waiting[topic].add(waiter)

    def _leave(self, topics: frozenset[str], waiter: asyncio.Future[None]) -> None:
        for topic in topics:
            self._waiting[topic].discard(waiter)
            if not self._waiting[topic]:
                del self._waiting[topic]
                self._want(topic, False)
