"""Notices that could not be delivered: since when each has failed, and those given up.

st:{undelivered}:since    hash: notice → unix seconds of the first failure
st:{undelivered}:given-up hash: notice → JSON of when it was given up and why
"""

import json
import time
from collections.abc import Callable
from typing import NamedTuple, cast

from service.connections import Client

_SINCE = "st:{undelivered}:since"
_GIVEN_UP = "st:{undelivered}:given-up"


class GivenUp(NamedTuple):
    """A notice that nobody will get: when that was decided (unix seconds), and the last error."""

    notice: str
    at: float
    error: str


class Undelivered:
    """The troubles of delivery, for the workers to note and an operator to read.

    Every call may be repeated.
    """

    def __init__(self, redis: Client, now: Callable[[], float] = time.time) -> None:
        self._redis = redis
        self._now = now

    def failing_since(self, notice: str) -> float:
        """Note that a delivery failed; since when (unix seconds) they all have."""
        pipeline = self._redis.pipeline()
        pipeline.hsetnx(_SINCE, notice, str(self._now()))
        pipeline.hget(_SINCE, notice)
        return float(pipeline.execute()[1])

    def give_up(self, notice: str, error: str) -> None:
        """Keep a notice as undeliverable."""
        pipeline = self._redis.pipeline()
        pipeline.hset(_GIVEN_UP, notice, json.dumps({"at": self._now(), "error": error}))
        pipeline.hdel(_SINCE, notice)
        pipeline.execute()

    def recovered(self, notice: str) -> None:
        """Forget that deliveries of this notice have failed."""
        self._redis.hdel(_SINCE, notice)

    def forget(self, notice: str) -> None:
        """Keep a notice that was given up no longer."""
        self._redis.hdel(_GIVEN_UP, notice)

    def failing(self) -> dict[str, float]:
        """The notices that are tried again, with the time of their first failure."""
        failing = cast(dict[str, str], self._redis.hgetall(_SINCE))
        return {notice: float(since) for notice, since in failing.items()}

    def given_up(self) -> list[GivenUp]:
        """All notices given up, the latest first."""
        kept = cast(dict[str, str], self._redis.hgetall(_GIVEN_UP))
        found = [GivenUp(notice, **json.loads(text)) for notice, text in kept.items()]
        return sorted(found, key=lambda given_up: -given_up.at)
