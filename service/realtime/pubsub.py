"""Hints that a topic, a game or a player's list of games, has moved.

The scripts that write the logs and the lists publish them, each on the channel of its topic. A hint
may be lost, come late or twice: it only says where to look, what has happened is read from the log.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from redis.client import PubSub
from redis.exceptions import RedisClusterException, RedisError

from service.core.redis.client import Client
from service.core.redis.news import CHANNEL

# Seconds.
_PATIENCE: Final = 5.0
_PAUSE: Final = 0.5
_LINGER: Final = 10.0

_FAILURES: Final = (RedisError, RedisClusterException, OSError)

_log = logging.getLogger(__name__)


class Listener:
    """A thread that listens to the topics for which somebody waits, and hands on what it hears.

    `heard` gets a topic: on a hint, and when it is listened to from now on, at first or after a
    break, for before that hints may have been missed.
    """

    def __init__(self, redis: Client, heard: Callable[[str], None]) -> None:
        self._redis = redis
        self._heard = heard
        self._topics = _Topics()
        # Only the thread itself may subscribe, and it hears Redis alone: so it is called by that.
        self._own_channel = f"st:listener:{secrets.token_hex(8)}"
        self._caller = ThreadPoolExecutor(1, "hints-caller")
        self._needed = threading.Event()
        threading.Thread(target=self._run, name="hints", daemon=True).start()

    def want(self, topic: str, wanted: bool) -> None:
        """Listen to this topic from now on, or stop before long."""
        if not wanted:
            self._topics.leave(topic)
        elif self._topics.want(topic):
            self._needed.set()
            self._caller.submit(self._call)

    def _call(self) -> None:
        with suppress(*_FAILURES):  # the thread looks up by itself before long
            if self._topics.any_fresh():
                self._redis.publish(self._own_channel, "")

    def _run(self) -> None:
        while self._needed.wait():
            self._needed.clear()
            self._topics.begin_anew()
            try:
                if self._topics.any():
                    self._listen()
            except _FAILURES as error:
                _log.warning("Listening for hints failed: %s", error)
                time.sleep(_PAUSE)
                self._needed.set()

    def _listen(self) -> None:
        """Until there is nothing to listen to."""
        with self._redis.pubsub() as channel:  # type: ignore[no-untyped-call]
            channel.subscribe(self._own_channel)
            next_sweep = time.monotonic() + _LINGER
            while self._topics.any():
                self._follow(channel)
                if time.monotonic() >= next_sweep:
                    _unsubscribe(channel, self._topics.sweep())
                    next_sweep = time.monotonic() + _LINGER
                message = channel.get_message(timeout=_PATIENCE)
                if message is not None and (topic := _topic(message)):
                    self._heard(topic)

    def _follow(self, channel: PubSub) -> None:
        if fresh := self._topics.take_fresh():
            channel.subscribe(*map(_channel_of, fresh))


class _Topics:
    """What is wanted, and what is listened to: that stays so for a while after nobody wants it any
    more, for who waits looks now and then, and is back at once. Safe between threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: set[str] = set()
        self._fresh: set[str] = set()
        self._followed: set[str] = set()
        self._idle: set[str] = set()

    def want(self, topic: str) -> bool:
        """Note that it is wanted; whether that is news."""
        with self._lock:
            self._wanted.add(topic)
            if topic in self._followed or topic in self._fresh:
                return False
            self._fresh.add(topic)
            return True

    def leave(self, topic: str) -> None:
        """Note that it is wanted no more."""
        with self._lock:
            self._wanted.discard(topic)

    def begin_anew(self) -> None:
        """Nothing is listened to."""
        with self._lock:
            self._followed.clear()
            self._fresh = set(self._wanted)

    def any(self) -> bool:
        """Whether anything is listened to, or should be."""
        return bool(self._followed or self._fresh)

    def any_fresh(self) -> bool:
        """Whether anything should be listened to, and is not."""
        return bool(self._fresh)

    def take_fresh(self) -> set[str]:
        """What is to be listened to from now on."""
        with self._lock:
            fresh, self._fresh = self._fresh, set()
            self._followed |= fresh
            return fresh

    def sweep(self) -> set[str]:
        """What is to be listened to no more: what was not wanted the last time either."""
        with self._lock:
            idle = self._followed - self._wanted
            dropped = idle & self._idle
            self._followed -= dropped
            self._idle = idle - dropped
            return dropped


def _unsubscribe(channel: PubSub, topics: Iterable[str]) -> None:
    if channels := list(map(_channel_of, topics)):
        channel.unsubscribe(*channels)  # type: ignore[no-untyped-call]


def _channel_of(topic: str) -> str:
    return CHANNEL + topic


def _topic(message: dict[str, Any]) -> str | None:
    """The topic to look at, if there is one. After a broken connection the client subscribes again
    by itself."""
    channel = str(message["channel"])
    told = message["type"] in ("message", "subscribe") and channel.startswith(CHANNEL)
    return channel.removeprefix(CHANNEL) if told else None
