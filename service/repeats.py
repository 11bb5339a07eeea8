"""What was begun under an idempotency key outside a game's log, so that a repeat ends alike.

st:repeat:DIGEST          JSON of the fingerprint, seed and moment of the first request, and whether
                          it was carried out; for a day
"""

import json
import time
from collections.abc import Callable
from typing import NamedTuple, cast

from service import identifiers
from service.connections import Client
from service.instant import timestamp
from service.log import IdempotencyKey
from service.refusal import key_reused

MEMORY = 24 * 60 * 60
"""Seconds for which a key is known."""


class Beginning(NamedTuple):
    """What a request makes things from: the same for its repeats.

    All that is drawn at random follows from `seed`; `moment` is that of the first request; `done`
    tells that it was carried out to the end, so that nothing is left to be written.
    """

    seed: str
    moment: str
    done: bool


class Repeats:
    """The requests of the last day that may come again."""

    def __init__(self, redis: Client, now: Callable[[], float] = time.time) -> None:
        self._redis = redis
        self._now = now

    def begin(self, key: IdempotencyKey | None) -> Beginning:
        """What to make things from: drawn afresh, or as the first request under `key` had it.

        Raises `Refused` with `idempotency-key-reused` where that was another request.
        """
        drawn = Beginning(identifiers.secret_text(), timestamp(self._now()), False)
        if key is None:
            return drawn
        mine = json.dumps([key.fingerprint, *drawn])
        self._redis.set(_slot(key), mine, nx=True, ex=MEMORY)
        stored = cast(str | None, self._redis.get(_slot(key)))
        fingerprint, *known = json.loads(stored or mine)
        if fingerprint != key.fingerprint:
            raise key_reused()
        return Beginning(*known)

    def finish(self, key: IdempotencyKey | None, beginning: Beginning) -> None:
        """All is written: a repeat shall only answer, whatever has been changed since."""
        if key is not None and not beginning.done:
            done = json.dumps([key.fingerprint, *beginning._replace(done=True)])
            self._redis.set(_slot(key), done, xx=True, keepttl=True)


def _slot(key: IdempotencyKey) -> str:
    return f"st:repeat:{identifiers.digest(key.key)}"
