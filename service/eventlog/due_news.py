"""News of what falls due earlier than known: each script that gives a notice or a game a time says
so on the channel named like the sorted set (`keys.outbox_key`, `keys.deadlines_key`).
"""

import re
from types import TracebackType
from typing import Any, Final, Literal, NamedTuple

from service.core.redis.client import Client
from service.eventlog import keys

_CHANNEL: Final = re.compile(r"st:\{(?P<bucket>[0-9]{2})\}:(?P<what>due|deadlines)")


class DueAt(NamedTuple):
    """A bucket has a notice (`due`) or a game (`deadlines`) that falls due at unix second `at`."""

    what: Literal["due", "deadlines"]
    bucket: int
    at: float


class Missed(NamedTuple):
    """Listening has begun, maybe anew: news may have been missed before."""


class DueNews:
    """A subscription, as long as the context lasts. Raises redis-py's errors."""

    def __init__(self, redis: Client) -> None:
        self._channels = redis.pubsub()  # type: ignore[no-untyped-call]

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
        """What has been published; waits for it for so many seconds at most."""
        found: list[DueAt | Missed] = []
        message = self._channels.get_message(timeout=seconds)
        while message is not None:
            if (news := _read(message)) is not None:
                found.append(news)
            message = self._channels.get_message(timeout=0.0)
        return found


def _read(message: dict[str, Any]) -> DueAt | Missed | None:
    if message["type"] == "psubscribe":  # also after the library has connected again
        return Missed()
    channel = _CHANNEL.fullmatch(str(message["channel"]))
    if message["type"] != "pmessage" or channel is None:
        return None
    what: Literal["due", "deadlines"] = "due" if channel["what"] == "due" else "deadlines"
    return DueAt(what, int(channel["bucket"]), float(message["data"]))
