"""Limits on messages being sent, so that unresponsive receivers do not occupy all threads.

st:{PLAYER}:sending:ID    a message is on its way on this channel: one at a time
st:{PLAYER}:sending:asked a message that the player requested is on its way, on any channel
st:{PLAYER}:sending:1     the channel of one of the messages on their way; likewise 2 and 3
st:{PLAYER}:sending:HOST:1 the same for messages to one host; likewise 2
st:{hosts}:sending:HOST:1 the same for all players' messages to one host; likewise 2 and 3
st:{PLAYER}:sending:slow  one of the player's receivers was slow lately
st:{PLAYER}:sending:count the number of the player's messages within a minute
st:{PLAYER}:turn:CHANNEL  a message on this channel was handed to a thread just now
st:{hosts}:requests:ADDRESS:MINUTE requests of all players to one network address
"""

import ipaddress
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from service.accounts.channels.model import Channel
from service.accounts.channels.store import TEST
from service.core.durations import DAY
from service.core.redis.batch import Query, execute_many
from service.core.redis.client import Client
from service.eventlog import parse_notice_id

SENDING_LIFE: Final = 15
"""Seconds after which a slot expires: its sender must have died."""
AT_ONCE: Final = 3
"""The most messages being sent at a time on one player's channels, and to one host."""
OF_HOST: Final = AT_ONCE - 1
"""The most of those to one host that may be one player's: a hanging host leaves room for others."""
LONG: Final = 3.0
"""Seconds after which a receiver counts as slow."""
SLOW_FOR: Final = int(DAY)
"""Seconds that a player with such a receiver stays in the slow lane, even if it answers since."""
STEP: Final = 0.5
"""Seconds between two messages on a channel, so that a thousand of them delay only their own
player."""
OF_ADDRESS: Final = 120
"""The most requests a minute to one network address, for all players together."""
OF_PLAYER: Final = 30
"""The most messages of one player sent in a minute, on all channels.

So nobody uses up an address's limit alone, and others' messages there need not wait.
"""
_ASKED: Final = "asked"
_COUNT: Final = "count"
_SLOW: Final = "slow"


class SendSlots:
    """The slots of messages being sent. The threads of all workers share them."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    @contextmanager
    def begin(self, player: str, channel: Channel, *, asked: bool = False) -> Iterator[bool]:
        """Take the slots for a message while the context lasts; yields False if none is free.

        None is free while another message is being sent on the channel, while `AT_ONCE` are being
        sent for the player or to the host, or `OF_HOST` for the player to the host, or after
        `OF_PLAYER` within a minute. `asked`: the player requested it; only one of these is sent at
        a time, on any channel. So hanging receivers leave threads to other players.
        """
        own = _key(player, _ASKED if asked else channel.id)
        at_host = _slots(_key(player, f"{channel.host}:"))[:OF_HOST]
        of_all = _slots(_key(player, "")), _slots(f"st:{{hosts}}:sending:{channel.host}:")
        held = self._taken(channel.id, [own], at_host, *of_all)
        try:
            yield held is not None and self._count(player) <= OF_PLAYER
        finally:
            for key in held or ():
                self._redis.unlink(key)

    def _taken(self, holder: str, *choices: Sequence[str]) -> list[str] | None:
        """Take one free key of each choice; take none and return None if a choice has no free
        key."""
        held: list[str] = []
        for keys in choices:
            free = next((key for key in keys if self._take(key, holder)), None)
            if free is None:
                for key in held:
                    self._redis.unlink(key)
                return None
            held.append(free)
        return held

    def record_time(self, player: str, seconds: float) -> None:
        """Record the seconds that a receiver of this player took, whether it answered or not."""
        if seconds > LONG:
            self._redis.set(_key(player, _SLOW), "1", ex=SLOW_FOR)

    def take_turns(self, channels: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """The subset of `channels` that may send their next message now. One round trip.

        A channel is a player and the channel's name in notices.
        """
        asked = list(channels)
        life = int(STEP * 1000)
        queries = [
            Query(("SET", f"st:{{{player}}}:turn:{channel}", "1", "NX", "PX", life), bool)
            for player, channel in asked
        ]
        replies = execute_many(self._redis, queries)
        return {one for one, reply in zip(asked, replies, strict=True) if reply is True}

    def slow_among(self, notices: Sequence[str]) -> set[str]:
        """The subset of `notices` that use the slow lane. One round trip.

        These are tests, since their receiver is unknown yet, and all for players who lately had a
        slow receiver.
        """
        parts_of = [(notice, parse_notice_id(notice)) for notice in notices]
        slow = {notice for notice, parts in parts_of if parts.kind == TEST}
        others = [(notice, parts.recipient) for notice, parts in parts_of if notice not in slow]
        marks = execute_many(
            self._redis, [Query(("EXISTS", _key(player, _SLOW)), int) for _, player in others]
        )
        return slow.union(
            notice for (notice, _), mark in zip(others, marks, strict=True) if mark == 1
        )

    def may_connect(self, address: str, now: float) -> bool:
        """Count a request to a network address; False if it had `OF_ADDRESS` this minute.

        Nobody proves that an address is theirs: this bounds the requests to a stranger's.
        """
        key = f"st:{{hosts}}:requests:{_network(address)}:{int(now // 60)}"
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.incr(key)
        pipeline.expire(key, 120)
        return int(pipeline.execute()[0]) <= OF_ADDRESS

    def _count(self, player: str) -> int:
        """The number of messages that the player has sent this minute, with the present one."""
        pipeline = self._redis.pipeline(transaction=True)
        pipeline.set(_key(player, _COUNT), 0, nx=True, ex=60)
        pipeline.incr(_key(player, _COUNT))
        return int(pipeline.execute()[1])

    def _take(self, key: str, holder: str) -> bool:
        return bool(self._redis.set(key, holder, nx=True, ex=SENDING_LIFE))


def _network(address: str) -> str:
    """The address, or the network of an IPv6 address: its owner has the whole network."""
    parsed = ipaddress.ip_address(address)
    network = ipaddress.ip_network((parsed, 64 if parsed.version == 6 else 32), strict=False)
    return str(network.network_address)


def _slots(begin: str) -> list[str]:
    return [f"{begin}{number}" for number in range(1, AT_ONCE + 1)]


def _key(player: str, name: str) -> str:
    return f"st:{{{player}}}:sending:{name}"
