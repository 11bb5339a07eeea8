"""Hints that a topic, a game or a player's list of games, has moved.

The scripts that write the logs and the lists publish them, each on the channel of its topic. A hint
may be lost, come late or twice: it only says where to look, what has happened is read from the log.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from redis.client import PubSub
from redis.exceptions import RedisClusterException, RedisError

from service import identifiers
from service.connections import Client

CHANNEL: Final = "st:news:"
"""What the channel of a topic begins with, as `append.lua` and `index.lua` spell it."""

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
        self._wanted: set[str] = set()
        self._lock = threading.Lock()
        self._changed = threading.Event()
        # Only the thread itself may subscribe, and it hears Redis alone: so it is called by that.
        self._own_channel = f"st:listener:{identifiers.player_id()}"
        self._calling = threading.Event()
        self._caller = ThreadPoolExecutor(1, "hints-caller")
        threading.Thread(target=self._run, name="hints", daemon=True).start()

    def want(self, topic: str, wanted: bool) -> None:
        """Listen to this topic from now on, or stop within seconds."""
        with self._lock:
            (self._wanted.add if wanted else self._wanted.discard)(topic)
        if wanted:
            self._changed.set()
            if not self._calling.is_set():
                self._calling.set()
                self._caller.submit(self._call)

    def _call(self) -> None:
        self._calling.clear()
        with suppress(*_FAILURES):  # the thread looks up by itself before long
            self._redis.publish(self._own_channel, "")

    def _run(self) -> None:
        while self._changed.wait():
            self._changed.clear()
            try:
                if self._wanted_now():
                    self._listen()
            except _FAILURES as error:
                _log.warning("Listening for hints failed: %s", error)
                time.sleep(_PAUSE)
                self._changed.set()

    def _listen(self) -> None:
        """Until nothing is wanted any more."""
        with self._redis.pubsub() as channel:  # type: ignore[no-untyped-call]
            channel.subscribe(self._own_channel)
            subscriptions = _Subscriptions(channel)
            while subscriptions.follow(self._wanted_now()):
                message = channel.get_message(timeout=_PATIENCE)
                if message is not None and (topic := _topic(message)):
                    self._heard(topic)

    def _wanted_now(self) -> set[str]:
        with self._lock:
            return set(self._wanted)


class _Subscriptions:
    """The topics that are listened to. One that is wanted no more is kept for a while: who waits
    for it looks now and then, and is back at once."""

    def __init__(self, channel: PubSub) -> None:
        self._channel = channel
        self._topics: set[str] = set()
        self._idle: set[str] = set()
        self._next_sweep = time.monotonic() + _LINGER

    def follow(self, wanted: set[str]) -> bool:
        """Listen to what is wanted; whether anything is listened to."""
        if fresh := wanted - self._topics:
            self._channel.subscribe(*map(_channel_of, fresh))
            self._topics |= fresh
        if time.monotonic() >= self._next_sweep:
            self._next_sweep += _LINGER
            self._sweep(self._topics - wanted)
        return bool(self._topics)

    def _sweep(self, idle: set[str]) -> None:
        """Drop what was idle the last time already."""
        if dropped := idle & self._idle:
            self._channel.unsubscribe(*map(_channel_of, dropped))  # type: ignore[no-untyped-call]
            self._topics -= dropped
        self._idle = idle - dropped


def _channel_of(topic: str) -> str:
    return CHANNEL + topic


def _topic(message: dict[str, Any]) -> str | None:
    """The topic to look at, if there is one. After a broken connection the client subscribes again
    by itself."""
    if message["type"] not in ("message", "subscribe"):
        return None
    _, prefix, topic = str(message["channel"]).rpartition(CHANNEL)
    return topic if prefix else None
