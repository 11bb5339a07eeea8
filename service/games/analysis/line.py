"""The line of the analyses that are wanted: who comes first is finished first.

st:{analyses}:line    sorted set: notice → when it was asked for (unix seconds), or `BEHIND` after
                      the last other one of the same player or network address; 0 once it is begun
st:{analyses}:askers  hash: notice → the player who asked, and a digest of their network address

In no backup: a notice without a place goes to the end of the line when it is delivered.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

from service.core import ids
from service.core.durations import HOUR
from service.core.redis.batch import Query, execute, raising
from service.core.redis.client import Client

BEHIND: Final = HOUR
"""Seconds by which further analyses of a player or an address are put behind what others ask
for."""
_LINE: Final = "st:{analyses}:line"
_ASKERS: Final = "st:{analyses}:askers"


@dataclass(eq=False, repr=False)
class AnalysisLine:
    """The line, of notices that make a worker weigh turns. `now` gives unix seconds."""

    _redis: Client
    _now: Callable[[], float]

    def enter(self, notice: str) -> bool:
        """Put a notice at the end of the line, unless it is there. Return whether it was not."""
        return bool(self._redis.zadd(_LINE, {notice: self._now()}, nx=True))

    def ask(self, notice: str, player: str, address: str) -> bool:
        """Put a notice into the line for a player at this network address ('' if unknown), or at an
        earlier place, as if nobody had asked before. Return whether it has a new place."""
        asker = f"{player} {ids.digest(address)[:16] if address else ''}"
        places = dict(
            cast(list[tuple[str, float]], self._redis.zrange(_LINE, 0, -1, withscores=True))
        )
        place = now = self._now()
        for other, its_asker in cast(dict[str, str], self._redis.hgetall(_ASKERS)).items():
            if other != notice and {*asker.split()} & {*its_asker.split()}:
                place = max(place, max(places.get(other, 0), now) + BEHIND)
        if not self._redis.zadd(_LINE, {notice: place}, lt=True, ch=True):
            return False
        self._redis.hset(_ASKERS, notice, asker)
        return True

    def begin(self, notice: str) -> None:
        """Let nobody overtake this notice any more."""
        self._redis.zadd(_LINE, {notice: 0}, xx=True)

    def leave(self, notice: str) -> bool:
        """Take a notice out of the line. Return whether it was there."""
        self._redis.hdel(_ASKERS, notice)
        return bool(self._redis.zrem(_LINE, notice))

    def first(self, count: int) -> list[str]:
        """Return the first notices, this many at most."""
        return cast(list[str], self._redis.zrange(_LINE, 0, count - 1))

    def ahead(self, notice: str) -> int:
        """Return how many are before a notice."""
        return execute(self._redis, self.ahead_query(notice)) or 0

    def ahead_query(self, notice: str) -> Query[int | None]:
        """The query for how many are before a notice; None if it is not in the line."""

        def parse(reply: int | None) -> int | None:
            return reply

        return Query(("ZRANK", _LINE, notice), raising(parse))
