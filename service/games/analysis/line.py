"""The line of the analyses that are wanted: who comes first is finished first.

st:{analyses}:line    sorted set: notice → when it was asked for (unix seconds), later by `BEHIND`
                      for each other one of the same player; 0 once it is begun
st:{analyses}:askers  hash: notice → the player who asked

In no backup: a notice without a place goes to the end of the line when it is delivered.
"""

from collections.abc import Callable
from typing import Final, cast

from service.core.durations import HOUR
from service.core.redis.batch import Query, execute, raising
from service.core.redis.client import Client

BEHIND: Final = HOUR
"""Seconds by which a player's further analyses are put behind what others ask for."""
_LINE: Final = "st:{analyses}:line"
_ASKERS: Final = "st:{analyses}:askers"


class AnalysisLine:
    """The line, of notices that make a worker weigh turns. `now` gives unix seconds."""

    def __init__(self, redis: Client, now: Callable[[], float]) -> None:
        self._redis = redis
        self._now = now

    def enter(self, notice: str, player: str = "") -> bool:
        """Put a notice into the line, unless it is there. Return whether it was not."""
        others = cast(list[str], self._redis.hvals(_ASKERS)).count(player) if player else 0
        if not self._redis.zadd(_LINE, {notice: self._now() + BEHIND * others}, nx=True):
            return False
        self._redis.hset(_ASKERS, notice, player)
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
