"""Listens on Redis pub/sub for news of topics, a game or a player's list of games, and wakes the
clients that wait for it.

The scripts that write logs and lists publish an empty message for the topic. It may be lost,
delayed or repeated: it only says which log to read.
"""

import logging
import secrets
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from time import sleep
from typing import Final, Protocol

from redis.exceptions import RedisClusterException, RedisError

from service.core.redis.client import CHANNEL, Client
from service.core.redis.failures import report

# Seconds.
_READ_TIMEOUT: Final = 5.0
_RETRY_PAUSE: Final = 0.5
_LINGER: Final = 10.0

_FAILURES: Final = (RedisError, RedisClusterException, OSError)

_log = logging.getLogger(__name__)


class Listener:
    """A thread that subscribes to the wanted topics on Redis, and passes on their news.

    `on_news` is called with a topic at each message. It is also called when a subscription begins,
    at first or after a broken connection, because messages may have been missed before.
    """

    def __init__(self, redis: Client, on_news: Callable[[str], None]) -> None:
        self._redis = redis
        self._on_news = on_news
        self._topics = _Topics()
        # Only the listening thread may subscribe, and it waits for nothing but Redis. A message on
        # a channel of its own tells it about new topics.
        self._own_channel = f"st:listener:{secrets.token_hex(8)}"
        self._waker = ThreadPoolExecutor(1, "pubsub-waker")
        self._needed = threading.Event()
        threading.Thread(target=self._run, name="pubsub", daemon=True).start()

    def subscribe(self, topic: str) -> None:
        """Listen to this topic from now on."""
        if self._topics.want(topic):
            self._needed.set()
            self._waker.submit(self._wake)

    def unsubscribe(self, topic: str) -> None:
        """Stop listening to this topic soon."""
        self._topics.release(topic)

    def _wake(self) -> None:
        with suppress(*_FAILURES):  # the thread checks by itself after `_READ_TIMEOUT`
            if self._topics.any_new():
                self._redis.publish(self._own_channel, "")

    def _run(self) -> None:
        while self._needed.wait():
            self._needed.clear()
            self._topics.restart()
            try:
                if self._topics.any():
                    self._listen()
            except _FAILURES as error:
                report(_log, "nobody is told of news", error)
                time.sleep(_RETRY_PAUSE)
                self._needed.set()

    def _listen(self) -> None:
        """Listen until no topic is left."""
        with self._redis.pubsub() as channel:  # type: ignore[no-untyped-call]
            channel.subscribe(self._own_channel)
            next_sweep = time.monotonic() + _LINGER
            while self._topics.any():
                if added := self._topics.take_new():
                    channel.subscribe(*map(_channel_of, added))
                if time.monotonic() >= next_sweep:
                    if idle := list(map(_channel_of, self._topics.sweep())):
                        channel.unsubscribe(*idle)
                    next_sweep = time.monotonic() + _LINGER
                message = channel.get_message(timeout=_READ_TIMEOUT)
                if message is not None and (topic := _topic_of(message)):
                    self._on_news(topic)


class _Topics:
    """The topics that clients want, and those subscribed to. Thread-safe.

    A topic stays subscribed for a while after its last client left, because a client soon comes
    back when its view is rerun.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: set[str] = set()
        self._new: set[str] = set()
        self._subscribed: set[str] = set()
        self._idle: set[str] = set()

    def want(self, topic: str) -> bool:
        """Mark a topic as wanted; return whether a subscription is needed."""
        with self._lock:
            self._wanted.add(topic)
            if topic in self._subscribed or topic in self._new:
                return False
            self._new.add(topic)
            return True

    def release(self, topic: str) -> None:
        """Mark a topic as no longer wanted."""
        with self._lock:
            self._wanted.discard(topic)

    def restart(self) -> None:
        """Forget all subscriptions: the connection is gone."""
        with self._lock:
            self._subscribed.clear()
            self._new = set(self._wanted)

    def any(self) -> bool:
        """Whether any topic is subscribed to, or should be."""
        return bool(self._subscribed or self._new)

    def any_new(self) -> bool:
        """Whether any topic still has to be subscribed to."""
        return bool(self._new)

    def take_new(self) -> set[str]:
        """Return the topics to subscribe to; they count as subscribed from now on."""
        with self._lock:
            new, self._new = self._new, set()
            self._subscribed |= new
            return new

    def sweep(self) -> set[str]:
        """Return the topics to unsubscribe from: those that no client wants now, nor did at the
        last sweep."""
        with self._lock:
            idle = self._subscribed - self._wanted
            dropped = idle & self._idle
            self._subscribed -= dropped
            self._idle = idle - dropped
            return dropped


def _channel_of(topic: str) -> str:
    return CHANNEL + topic


def _topic_of(message: dict[str, object]) -> str | None:
    """Return the topic whose log to read because of a message; None for other messages.

    A confirmed subscription counts too: the client library subscribes again by itself after a
    broken connection.
    """
    channel = str(message["channel"])
    if message["type"] in ("message", "subscribe") and channel.startswith(CHANNEL):
        return channel.removeprefix(CHANNEL)
    return None


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
