"""Limits on messages being sent, so that unresponsive receivers do not occupy all threads.

A message holds a key in each of several groups while it is being sent.

st:{PLAYER}:sending:ID    a message is being sent on this channel: one at a time
st:{PLAYER}:sending:asked a message that the player requested is being sent, on any channel
st:{PLAYER}:sending:1     the channel of a message being sent for the player; likewise 2 and 3
st:{PLAYER}:sending:HOST:1 the same for the player's messages to one host; likewise 2
st:{hosts}:sending:HOST:1 the same for all players' messages to one host; likewise 2 and 3
st:{PLAYER}:sending:slow  one of the player's receivers was slow lately
st:{PLAYER}:sending:count the number of the player's messages within a minute
st:{PLAYER}:turn:CHANNEL  a message on this channel was given to a thread just now; for a queue of
                          bots instead of a channel, a bot plays for the player, or rests
st:{hosts}:requests:ADDRESS:MINUTE requests of all players to one network address
"""

import ipaddress
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from service.accounts.channels import Channel
from service.accounts.notice_kinds import TEST
from service.core.redis.batch import Query, execute_many
from service.core.redis.client import Client, counted
from service.core.times import DAY, MINUTE
from service.eventlog import parse_notice_id

SENDING_LIFE: Final = 15
"""Seconds after which a key of `SendLimits` expires: its sender must have died."""
AT_ONCE: Final = 3
"""The most messages being sent at a time for one player; also, for all players, to one host."""
OF_HOST: Final = AT_ONCE - 1
"""The most messages being sent at a time for one player to one host, so that others can use it even
if it does not respond."""
LONG: Final = 3.0
"""Seconds after which a receiver counts as slow."""
SLOW_FOR: Final = int(DAY)
"""Seconds that a player with a slow receiver stays in the slow lane, even if it speeds up."""
STEP: Final = 0.5
"""Seconds between two messages on a channel, so that a thousand messages delay only their own
player."""
OF_ADDRESS: Final = 120
"""The most requests per minute to one network address, for all players together."""
OF_PLAYER: Final = 30
"""The most messages of one player sent per minute, on all channels.

So no player uses up the limit of a network address alone, and others' messages to it need not wait.
"""
_ASKED: Final = "asked"
_COUNT: Final = "count"
_SLOW: Final = "slow"


@dataclass(eq=False, repr=False)
class SendLimits:
    """Limits on messages being sent. The threads of all workers share them."""

    _redis: Client

    @contextmanager
    def begin(self, player: str, channel: Channel, *, asked: bool = False) -> Iterator[bool]:
        """Reserve the right to send a message while the context lasts; yield False if a limit
        forbids it.

        The limits: one message at a time on the channel; `AT_ONCE` for the player, and to the host;
        `OF_HOST` for the player to the host; `OF_PLAYER` within a minute. `asked`: the player
        requested the message; only one of these is sent at a time, on any channel. So receivers
        that do not respond leave threads to other players.
        """
        own = _key(player, _ASKED if asked else channel.id)
        at_host = _numbered(_key(player, f"{channel.host}:"))[:OF_HOST]
        of_all = _numbered(_key(player, "")), _numbered(f"st:{{hosts}}:sending:{channel.host}:")
        held = self._taken(channel.id, [own], at_host, *of_all)
        try:
            count = _key(player, _COUNT)
            yield held is not None and counted(self._redis, count, MINUTE) <= OF_PLAYER
        finally:
            for key in held or ():
                self._redis.unlink(key)

    def _taken(self, holder: str, *choices: Sequence[str]) -> list[str] | None:
        """Take one free key of each group, and return them; if a group has no free key, take none
        and return None."""
        held: list[str] = []
        for keys in choices:
            take = partial(self._redis.set, value=holder, nx=True, ex=SENDING_LIFE)
            free = next(filter(take, keys), None)
            if free is None:
                for key in held:
                    self._redis.unlink(key)
                return None
            held.append(free)
        return held

    def record_time(self, player: str, seconds: float) -> None:
        """Record the seconds that a receiver of this player took, whether it responded or not."""
        if seconds > LONG:
            self._redis.set(_key(player, _SLOW), "1", ex=SLOW_FOR)

    def take_turns(
        self, channels: Iterable[tuple[str, str]], life: float = STEP
    ) -> set[tuple[str, str]]:
        """Return those of the `channels` that may send their next message now, and the one after it
        in `life` seconds. One round trip.

        A channel is a player and the channel's name in notices, or the name of a queue of bots.
        """
        asked = list(channels)
        queries = [
            Query(("SET", _turn_key(player, channel), "1", "NX", "PX", int(life * 1000)), bool)
            for player, channel in asked
        ]
        replies = execute_many(self._redis, queries)
        return {one for one, reply in zip(asked, replies, strict=True) if reply is True}

    def end_turn(self, player: str, channel: str, rest: float) -> None:
        """Give the next turn in `rest` seconds."""
        if (pause := int(rest * 1000)) > 0:
            self._redis.set(_turn_key(player, channel), "1", px=pause)
        else:
            self._redis.unlink(_turn_key(player, channel))

    def slow_among(self, notices: Sequence[str]) -> set[str]:
        """Return those of the `notices` that use the slow lane. One round trip.

        These are tests, because nobody knows yet how fast their receiver is, and all notices to
        players who lately had a slow receiver.
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
        """Count a request to a network address; return False if it had `OF_ADDRESS` this minute.

        Players do not prove that an address is theirs: this bounds the requests to a stranger's
        address.
        """
        # All addresses of an IPv6 /64 network belong to the same owner.
        parsed = ipaddress.ip_address(address)
        network = ipaddress.ip_network((parsed, 64 if parsed.version == 6 else 32), strict=False)
        key = f"st:{{hosts}}:requests:{network.network_address}:{int(now // 60)}"
        return counted(self._redis, key, 2 * MINUTE) <= OF_ADDRESS


def _numbered(begin: str) -> list[str]:
    return [f"{begin}{number}" for number in range(1, AT_ONCE + 1)]


def _turn_key(player: str, channel: str) -> str:
    return f"st:{{{player}}}:turn:{channel}"


def _key(player: str, name: str) -> str:
    return f"st:{{{player}}}:sending:{name}"
