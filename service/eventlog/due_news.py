"""News of due moments, published by the scripts that set them.

Each script that sets the due moment of a notice or a game publishes it on the topic named like the
sorted set (`keys.outbox_key`, `keys.deadlines_key`).
"""

import re
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Literal, NamedTuple

from redis.exceptions import TimeoutError  # noqa: A004

from service.core.redis.client import Client
from service.eventlog import keys

_CHANNEL: Final = re.compile(r"st:\{(?P<bucket>[0-9]{2})\}:(?P<what>due|deadlines)")

ASK_PERIOD: Final = 10.0
"""Seconds between two checks that Redis still answers on the subscription's connection."""


class DueAt(NamedTuple):
    """A notice (`due`) or a game (`deadlines`) of a bucket is due at unix second `at`."""

    what: Literal["due", "deadlines"]
    bucket: int
    at: float


class Missed(NamedTuple):
    """The subscription has just begun, perhaps again: earlier news may have been missed."""


class DueNews:
    """A subscription to the news, open for the duration of its context. Raises redis-py's errors.

    `now` gives seconds.
    """

    def __init__(self, redis: Client, now: Callable[[], float] = time.monotonic) -> None:
        self._channels = redis.pubsub()  # type: ignore[no-untyped-call]
        self._now = now
        self._next_question = now() + ASK_PERIOD
        self._answered = True

    def __enter__(self) -> "DueNews":
        self._channels.psubscribe(keys.OUTBOX_PATTERN, keys.DEADLINES_PATTERN)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._channels.close()

    def wait(self, seconds: float) -> list[DueAt | Missed]:
        """Wait at most `seconds` for news, and return all that has arrived; empty if none came."""
        self._ask()
        received: list[DueAt | Missed] = []
        message = self._channels.get_message(timeout=seconds)
        while message is not None:
            self._answered = True
            if (news := _read(message)) is not None:
                received.append(news)
            message = self._channels.get_message(timeout=0.0)
        return received

    def _ask(self) -> None:
        """Ping Redis every `ASK_PERIOD` seconds. Raise TimeoutError if nothing has arrived since
        the last ping: a connection cut by the network would otherwise be silent for ever."""
        if self._now() < self._next_question:
            return
        if not self._answered:
            raise TimeoutError("no answer on the subscription's connection")
        self._channels.ping()
        self._answered = False
        self._next_question = self._now() + ASK_PERIOD


def wake_listeners(redis: Client) -> None:
    """End the waiting of every listener, by news that changes nothing. Raises redis-py's errors."""
    redis.publish(keys.outbox_key(0), "inf")


def _read(message: dict[str, Any]) -> DueAt | Missed | None:
    if message["type"] == "psubscribe":  # also after the library has connected again
        return Missed()
    channel = _CHANNEL.fullmatch(str(message["channel"]))
    if message["type"] != "pmessage" or channel is None:
        return None
    what: Literal["due", "deadlines"] = "due" if channel["what"] == "due" else "deadlines"
    return DueAt(what, int(channel["bucket"]), float(message["data"]))
