"""The last messages that were sent on a channel, and what became of each.

st:{PLAYER}:deliveries:ID hash: notice id → JSON of a delivery, of the last few; gone some weeks
                          after the last
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, cast

from service.core.durations import DAY
from service.core.redis.client import Client

MOST_DELIVERIES: Final = 40
"""Deliveries that are kept of each channel."""
KEPT: Final = 60 * DAY

DeliveryState = Literal["waiting", "delivered", "failed", "dropped"]
"""`waiting` is tried again; `dropped` was no longer true when it was to be tried again."""


@dataclass(frozen=True, slots=True)
class ChannelDelivery:
    """A message and its attempts. `notice` is the id of its notice, moments are unix seconds.

    `answer` is the HTTP status of the other side, None where there was none; `words` are ours.
    `again` asks for the same message once more.
    """

    notice: str
    kind: str
    game: str
    first: int
    last: int
    state: DeliveryState
    attempts: int = 1
    answer: int | None = None
    words: str = ""
    message: Mapping[str, Any] | None = None
    again: bool = False


def delivery_id(notice: str) -> str:
    """What others call the delivery of a notice: its id, in which a full stop would end it."""
    return notice.replace(".", "_")


def notice_of(delivery: str) -> str:
    """The id of the notice whose delivery is called this."""
    return delivery.replace("_", ".")


class DeliveryLog:
    """The deliveries on all channels. A notice is worked on by one at a time."""

    def __init__(self, redis: Client, now: Callable[[], float] = time.time) -> None:
        self._redis = redis
        self._now = now

    def all(self, player: str, channel_id: str) -> list[ChannelDelivery]:
        """The deliveries that are kept, the latest first."""
        kept = cast(dict[str, str], self._redis.hgetall(_key(player, channel_id)))
        found = [ChannelDelivery(**json.loads(held)) for held in kept.values()]
        return sorted(found, key=lambda one: (-one.first, one.notice))

    def find(self, player: str, channel_id: str, notice: str) -> ChannelDelivery | None:
        """The delivery of this notice, if it is kept."""
        held = cast(str | None, self._redis.hget(_key(player, channel_id), notice))
        return None if held is None else ChannelDelivery(**json.loads(held))

    def note(self, player: str, channel_id: str, delivery: ChannelDelivery) -> None:
        """Keep this, in place of what was kept of the same notice."""
        key = _key(player, channel_id)
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hset(key, delivery.notice, json.dumps(asdict(delivery)))
        pipeline.expire(key, KEPT)
        pipeline.hlen(key)
        if pipeline.execute()[2] > MOST_DELIVERIES:
            old = self.all(player, channel_id)[MOST_DELIVERIES:]
            self._redis.hdel(key, *(one.notice for one in old))

    def ask_again(self, player: str, channel_id: str, delivery: ChannelDelivery) -> None:
        """Let the same message be sent once more."""
        self.note(player, channel_id, replace(delivery, again=True, state="waiting"))

    def forget(self, player: str, channel_id: str) -> None:
        """Forget the deliveries on a channel that is deleted."""
        self._redis.unlink(_key(player, channel_id))


def _key(player: str, channel_id: str) -> str:
    return f"st:{{{player}}}:deliveries:{channel_id}"
