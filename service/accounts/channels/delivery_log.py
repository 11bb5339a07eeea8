"""The latest messages sent on a channel, and the outcome of each.

st:{PLAYER}:deliveries:ID hash: notice id → JSON of a delivery, for the latest ones; it expires
                          some weeks after the last
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final, Literal, cast

from service.core.durations import DAY
from service.core.redis.client import Client

MOST_DELIVERIES: Final = 40
"""The most deliveries stored for each channel."""
LIFE: Final = 60 * DAY

DeliveryState = Literal["waiting", "delivered", "failed", "dropped"]
"""The state of a delivery: `waiting` will be retried; `dropped` had become obsolete before its
retry."""


@dataclass(frozen=True, slots=True)
class ChannelDelivery:
    """A message and its attempts. `notice` is the id of its notice; moments are unix seconds.

    `answer` is the HTTP status of the receiver's response, None without a response; `words` is our
    explanation. `again`: the player requested the same message once more.
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
    message: Mapping[str, object] | None = None
    again: bool = False


def delivery_id(notice: str) -> str:
    """Return the public id of a notice's delivery: the notice's id with its dots replaced."""
    return notice.replace(".", "_")


def notice_of(delivery: str) -> str:
    """Return the id of the notice with this public delivery id."""
    return delivery.replace("_", ".")


class DeliveryLog:
    """The deliveries on all channels. Only one thread at a time may handle a notice."""

    def __init__(self, redis: Client, now: Callable[[], float] = time.time) -> None:
        self._redis = redis
        self._now = now

    def all(self, player: str, channel_id: str) -> list[ChannelDelivery]:
        """Return the stored deliveries, the latest first."""
        stored = cast(dict[str, str], self._redis.hgetall(_key(player, channel_id)))
        deliveries = [ChannelDelivery(**json.loads(held)) for held in stored.values()]
        return sorted(deliveries, key=lambda one: (-one.first, one.notice))

    def find(self, player: str, channel_id: str, notice: str) -> ChannelDelivery | None:
        """Return the stored delivery of this notice; None without one."""
        held = cast(str | None, self._redis.hget(_key(player, channel_id), notice))
        return None if held is None else ChannelDelivery(**json.loads(held))

    def record(self, player: str, channel_id: str, delivery: ChannelDelivery) -> None:
        """Store this delivery, replacing an earlier one of the same notice."""
        key = _key(player, channel_id)
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hset(key, delivery.notice, json.dumps(asdict(delivery)))
        pipeline.expire(key, LIFE)
        pipeline.hlen(key)
        if pipeline.execute()[2] > MOST_DELIVERIES:
            old = self.all(player, channel_id)[MOST_DELIVERIES:]
            self._redis.hdel(key, *(one.notice for one in old))

    def ask_again(self, player: str, channel_id: str, delivery: ChannelDelivery) -> None:
        """Mark the delivery to be sent once more."""
        self.record(player, channel_id, replace(delivery, again=True, state="waiting"))

    def forget_game(self, player: str, channel_id: str, game: str) -> None:
        """Delete the deliveries of messages about a removed game."""
        if gone := [one.notice for one in self.all(player, channel_id) if one.game == game]:
            self._redis.hdel(_key(player, channel_id), *gone)

    def forget(self, player: str, channel_id: str) -> None:
        """Delete the deliveries of a deleted channel."""
        self._redis.unlink(_key(player, channel_id))


def _key(player: str, channel_id: str) -> str:
    return f"st:{{{player}}}:deliveries:{channel_id}"
