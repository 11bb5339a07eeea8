"""Which messages are on their way to whom, so that nobody who does not answer takes all threads.

st:{PLAYER}:sending:ID    a message is on its way on this channel: one at a time
st:{PLAYER}:sending:asked one is that the player has asked for, on any of the channels
st:{PLAYER}:sending:1     the channel of one of the messages that are on their way; so with 2 and 3
st:{PLAYER}:sending:HOST:1 the same of those to one host; so with 2
st:{hosts}:sending:HOST:1 the same of all players' messages to one host; so with 2 and 3
st:{PLAYER}:sending:slow  a receiver of theirs has lately taken long
st:{PLAYER}:sending:count how many messages of theirs were sent within a minute
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
"""Seconds after which a message is no longer on its way: whoever sent it has died."""
AT_ONCE: Final = 3
"""Messages that are on their way on one player's channels at most, and to one host."""
OF_HOST: Final = AT_ONCE - 1
"""Of those to one host, how many may be one player's: whoever has it hang leaves room to others."""
LONG: Final = 3.0
"""Seconds after which a receiver has taken long."""
SLOW_FOR: Final = int(DAY)
"""Seconds for which whoever has such a receiver is in the slow lane, whatever it answers since."""
STEP: Final = 0.5
"""Seconds from one message on a channel to the next: whoever has a thousand waits for their own."""
OF_ADDRESS: Final = 120
"""Requests a minute to one network address at most, those of all players together."""
OF_PLAYER: Final = 30
"""Messages of one player that are sent in a minute, on all channels: so nobody alone uses up what
an address may get, and what others send there waits for none of theirs."""
_ASKED: Final = "asked"
_COUNT: Final = "count"
_SLOW: Final = "slow"


class SendSlots:
    """The messages on their way to all players. The threads of all workers share it."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    @contextmanager
    def begin(self, player: str, channel: Channel, *, asked: bool = False) -> Iterator[bool]:
        """Send on a channel while the context lasts; it gives False if that must not be now.

        Must not: while another message is on its way there, or `AT_ONCE` are on the player's
        channels, or to the channel's host, or `OF_HOST` of them there, or `OF_PLAYER` were sent
        lately. `asked`: the player has asked for it, and of that one is on its way on all channels
        together. So whoever has many that hang leaves threads to others.
        """
        own = _key(player, _ASKED if asked else channel.id)
        at_host = _slots(_key(player, f"{channel.host}:"))[:OF_HOST]
        of_all = _slots(_key(player, "")), _slots(_host_key(channel))
        held = self._taken(channel.id, [own], at_host, *of_all)
        try:
            yield held is not None and self._count(player) <= OF_PLAYER
        finally:
            for key in held or ():
                self._redis.unlink(key)

    def _taken(self, holder: str, *choices: Sequence[str]) -> list[str] | None:
        """One key of each choice, taken; None and none of them where one choice has none left."""
        held: list[str] = []
        for keys in choices:
            free = next((key for key in keys if self._take(key, holder)), None)
            if free is None:
                for key in held:
                    self._redis.unlink(key)
                return None
            held.append(free)
        return held

    def note_time(self, player: str, seconds: float) -> None:
        """Note how long a receiver of this player's has taken, whether it answered or not."""
        if seconds > LONG:
            self._redis.set(_key(player, _SLOW), "1", ex=SLOW_FOR)

    def take_turns(self, channels: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Those of these channels, each a player and what notices call it, whose next message may
        be handed to a thread now. One round trip."""
        asked = list(channels)
        life = int(STEP * 1000)
        queries = [
            Query(("SET", _turn_key(player, channel), "1", "NX", "PX", life), bool)
            for player, channel in asked
        ]
        replies = execute_many(self._redis, queries)
        return {one for one, reply in zip(asked, replies, strict=True) if reply is True}

    def slow_among(self, notices: Sequence[str]) -> set[str]:
        """Those of these notices on channels that go by the slow lane: tests, since it is not known
        yet who answers them, and all to players who have a receiver that lately took long. One
        round trip."""
        told = [(notice, parse_notice_id(notice)) for notice in notices]
        slow = {notice for notice, parts in told if parts.kind == TEST}
        others = [(notice, parts.recipient) for notice, parts in told if notice not in slow]
        marks = execute_many(self._redis, [_mark_query(player) for _, player in others])
        return slow.union(
            notice for (notice, _), mark in zip(others, marks, strict=True) if mark == 1
        )

    def may_connect(self, address: str, now: float) -> bool:
        """Count a request to a network address; False where it has had `OF_ADDRESS` this minute.

        Nobody proves that an address is theirs: so little at most comes to one that is not.
        """
        key = f"st:{{hosts}}:requests:{_network(address)}:{int(now // 60)}"
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.incr(key)
        pipeline.expire(key, 120)
        return int(pipeline.execute()[0]) <= OF_ADDRESS

    def _count(self, player: str) -> int:
        """How many messages a player has sent in this minute, with the one that begins."""
        pipeline = self._redis.pipeline(transaction=True)
        pipeline.set(_key(player, _COUNT), 0, nx=True, ex=60)
        pipeline.incr(_key(player, _COUNT))
        return int(pipeline.execute()[1])

    def _take(self, key: str, holder: str) -> bool:
        return bool(self._redis.set(key, holder, nx=True, ex=SENDING_LIFE))


def _mark_query(player: str) -> Query[int]:
    return Query(("EXISTS", _key(player, _SLOW)), int)


def _network(address: str) -> str:
    """Who has one address of IPv6 has a whole network of them."""
    found = ipaddress.ip_address(address)
    network = ipaddress.ip_network((found, 64 if found.version == 6 else 32), strict=False)
    return str(network.network_address)


def _host_key(channel: Channel) -> str:
    return f"st:{{hosts}}:sending:{channel.host}:"


def _turn_key(player: str, channel: str) -> str:
    return f"st:{{{player}}}:turn:{channel}"


def _slots(begin: str) -> list[str]:
    return [f"{begin}{number}" for number in range(1, AT_ONCE + 1)]


def _key(player: str, name: str) -> str:
    return f"st:{{{player}}}:sending:{name}"
