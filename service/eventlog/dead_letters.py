"""Dead letters: notices that could not be delivered, and the first failures of others.

st:{undelivered}:since    hash: notice → unix seconds of the first failure
st:{undelivered}:given-up hash: notice → JSON of when it was given up and why, for two weeks
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from service.core.redis.batch import Query
from service.core.redis.client import Client

LIFE: Final = 14 * 24 * 60 * 60
"""Seconds for which an operator can see a dead letter."""

_SINCE = "st:{undelivered}:since"
_GIVEN_UP = "st:{undelivered}:given-up"


class DeadLetter(NamedTuple):
    """A notice that was given up: when (unix seconds), and the last error."""

    notice: str
    at: float
    error: str


@dataclass(eq=False, repr=False)
class DeadLetters:
    """Failed deliveries, recorded by the workers and read by an operator. May be repeated."""

    _redis: Client
    _now: Callable[[], float] = time.time

    def record_failure(self, notice: str) -> float:
        """Record a failed delivery; returns the moment of the first failure in a row (unix
        seconds)."""
        pipeline = self._redis.pipeline()
        pipeline.hsetnx(_SINCE, notice, str(self._now()))
        pipeline.hget(_SINCE, notice)
        pipeline.expire(_SINCE, LIFE)
        return float(pipeline.execute()[1])

    def add(self, notice: str, error: str) -> None:
        """Make a notice a dead letter."""
        pipeline = self._redis.pipeline()
        pipeline.hset(_GIVEN_UP, notice, json.dumps({"at": self._now(), "error": error}))
        pipeline.hdel(_SINCE, notice)
        pipeline.expire(_GIVEN_UP, LIFE)
        pipeline.execute()
        if old := [letter.notice for letter in self._stored() if self._is_old(letter.at)]:
            self._redis.hdel(_GIVEN_UP, *old)
        # Failures of notices that another worker has finished.
        if lost := [notice for notice, since in self.retrying().items() if self._is_old(since)]:
            self._redis.hdel(_SINCE, *lost)

    def clear_failure(self, notice: str) -> None:
        """Delete the failures of a notice that was delivered."""
        self._redis.hdel(_SINCE, notice)

    def remove(self, notice: str) -> None:
        """Remove a dead letter."""
        self._redis.hdel(_GIVEN_UP, notice)

    def forget_game(self, game_id: str) -> None:
        """Delete the dead letters and failures of notices about a removed game."""
        for key in (_GIVEN_UP, _SINCE):
            notices = cast(list[str], self._redis.hkeys(key))
            if gone := [notice for notice in notices if notice.partition(".")[0] == game_id]:
                self._redis.hdel(key, *gone)

    def retrying(self) -> dict[str, float]:
        """The notices that will be retried, each with the moment of its first failure (unix
        seconds)."""
        failing = cast(dict[str, str], self._redis.hgetall(_SINCE))
        return {notice: float(since) for notice, since in failing.items()}

    def since_query(self, notice: str) -> Query[float | None]:
        """The query for the first failure in a row of a notice (unix seconds); None without one."""

        def parse(reply: str | None) -> float | None:
            return None if reply is None else float(reply)

        return Query(("HGET", _SINCE, notice), parse)

    def count_queries(self) -> list[Query[int]]:
        """The queries for the numbers of dead letters and of notices that will be retried."""
        return [Query(("HLEN", _GIVEN_UP), int), Query(("HLEN", _SINCE), int)]

    def all(self) -> list[DeadLetter]:
        """The dead letters of the last two weeks, the latest first."""
        recent = [letter for letter in self._stored() if not self._is_old(letter.at)]
        return sorted(recent, key=lambda dead: -dead.at)

    def _stored(self) -> list[DeadLetter]:
        stored = cast(dict[str, str], self._redis.hgetall(_GIVEN_UP))
        return [DeadLetter(notice, **json.loads(text)) for notice, text in stored.items()]

    def _is_old(self, at: float) -> bool:
        return self._now() - at > LIFE
