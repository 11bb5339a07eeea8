"""Wakes the clients that wait for news of a topic."""

import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from time import sleep
from typing import Final, Protocol

WOKEN_AT_ONCE: Final = 4
PAUSE: Final = 0.002
"""Seconds between two groups of watches that the same news wakes."""
_RECENT_NEWS: Final = 10_000


class Subscriptions(Protocol):
    """A source of news; it reports only the topics subscribed to."""

    def subscribe(self, topic: str, /) -> None:
        """Deliver news of this topic from now on."""

    def unsubscribe(self, topic: str, /) -> None:
        """Stop delivering news of this topic, now or soon."""


class Broker:
    """Wakes the watches of a topic. Thread-safe.

    `connect` is called with `publish` and returns the source of the news. A topic is subscribed to
    while at least one client watches it.
    """

    def __init__(self, connect: Callable[[Callable[[str], None]], Subscriptions]) -> None:
        self._lock = threading.Lock()
        self._watches: defaultdict[str, set[Watch]] = defaultdict(set)
        self._count = 0
        self._recent: deque[str] = deque(maxlen=_RECENT_NEWS)
        self.closed = False
        self._subscriptions = connect(self.publish)

    def position(self) -> int:
        """Return the number of news so far. Take it before reading the state, for `Watch.wait`."""
        return self._count

    def publish(self, topic: str) -> None:
        """Report that there may be news of a topic."""
        with self._lock:
            self._count += 1
            self._recent.append(topic)
            watches = list(self._watches.get(topic, ()))
        for number, watch in enumerate(watches, start=1):
            watch.wake()
            if number % WOKEN_AT_ONCE == 0:
                sleep(PAUSE)  # hundreds of threads at once would leave no turn to anybody else

    def moved(self, topics: frozenset[str], since: int) -> frozenset[str]:
        """Return the subset of `topics` that had news after the position `since`."""
        with self._lock:
            count = self._count - since
            if count > len(self._recent):
                return topics  # the oldest news are no longer stored
            recent = frozenset(islice(reversed(self._recent), count))
        return topics & recent

    def close(self) -> None:
        """Wake all watches, and make later waits return at once."""
        self.closed = True
        with self._lock:
            for watches in self._watches.values():
                for watch in watches:
                    watch.wake()

    @contextmanager
    def watch(self) -> Iterator["Watch"]:
        """Yield a watch for one client, which may wait repeatedly."""
        watch = Watch(self)
        try:
            yield watch
        finally:
            self.turn(watch, frozenset())

    def turn(self, watch: "Watch", topics: frozenset[str]) -> None:
        """Set the topics of this watch. Subscribes and unsubscribes only where they differ from
        before."""
        if topics == watch.topics:
            return
        with self._lock:
            added, dropped = topics - watch.topics, watch.topics - topics
            watch.topics = topics
            for topic in added:
                if topic not in self._watches:
                    self._subscriptions.subscribe(topic)
                self._watches[topic].add(watch)
            for topic in dropped:
                self._watches[topic].discard(watch)
                if not self._watches[topic]:
                    del self._watches[topic]
                    self._subscriptions.unsubscribe(topic)


class Watch:
    """The topics that one client watches. They stay subscribed between two waits."""

    def __init__(self, broker: Broker) -> None:
        self.topics: frozenset[str] = frozenset()
        self._broker = broker
        self._news = threading.Event()

    def wait(self, topics: frozenset[str], since: int, seconds: float) -> bool:
        """Wait for news of one of these topics; return whether there is any.

        News after the position `since` counts. Without news the wait ends after `seconds`, or when
        the broker is closed.
        """
        self._news.clear()
        self._broker.turn(self, topics)
        # Compare positions only after the watch is registered: then no news is missed in between.
        if not self._broker.closed and not self._broker.moved(topics, since):
            self._news.wait(seconds)
        return not self._broker.closed and bool(self._broker.moved(topics, since))

    def wake(self) -> None:
        """End the present wait, if any."""
        self._news.set()
