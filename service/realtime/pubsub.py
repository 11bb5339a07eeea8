"""Listens on Redis pub/sub for news of topics: a game, or a player's list of games.

The scripts that write logs and lists publish an empty message for the topic. It may be lost,
delayed or repeated: it only says which log to read.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from redis.client import PubSub
from redis.exceptions import RedisClusterException, RedisError

from service.core.redis.client import Client
from service.core.redis.failures import report
from service.core.redis.news import CHANNEL

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
                    _unsubscribe(channel, self._topics.sweep())
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


def _unsubscribe(channel: PubSub, topics: Iterable[str]) -> None:
    if channels := list(map(_channel_of, topics)):
        channel.unsubscribe(*channels)  # type: ignore[no-untyped-call]


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
