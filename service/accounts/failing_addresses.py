"""E-mail addresses that a mail server refuses for good, until a mail passes or they are confirmed.

st:{failing}:addresses    hash: digest of the address → JSON of when it was refused last, and why
"""

import json
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

from service.core import ids
from service.core.durations import DAY
from service.core.redis.client import Client

KEPT: Final = 180 * DAY
"""Seconds after the last refusal for which it is remembered."""
_KEY: Final = "st:{failing}:addresses"


class AddressFailure(NamedTuple):
    """When mail to an address was refused last (unix seconds), and what the mail server said."""

    at: float
    error: str


class FailingAddresses:
    """The addresses to which mail does not get through. Every call may be repeated."""

    def __init__(self, redis: Client, now: Callable[[], float] = time.time) -> None:
        self._redis = redis
        self._now = now

    def mark(self, email: str, error: str) -> None:
        """Mark the address: a mail to it was refused for good, or came back."""
        failure = json.dumps(AddressFailure(self._now(), error[:500])._asdict())
        self._redis.hset(_KEY, _digest(email), failure)
        stored = self._stored().items()
        old = [digest for digest, one in stored if self._now() - one.at > KEPT]
        if old:
            self._redis.hdel(_KEY, *old)

    def clear(self, email: str) -> None:
        """Mail to the address gets through, as far as we know."""
        self._redis.hdel(_KEY, _digest(email))

    def find(self, email: str | None) -> AddressFailure | None:
        """Why mail to the address fails; None if it does not."""
        stored = cast(str | None, self._redis.hget(_KEY, _digest(email))) if email else None
        return _read(stored) if stored else None

    def all(self) -> list[AddressFailure]:
        """The failures of all addresses, the latest first."""
        return sorted(self._stored().values(), key=lambda failure: -failure.at)

    def _stored(self) -> dict[str, AddressFailure]:
        kept: Any = self._redis.hgetall(_KEY)
        return {digest: _read(text) for digest, text in kept.items()}


def _read(stored: str) -> AddressFailure:
    return AddressFailure(**json.loads(stored))


def _digest(email: str) -> str:
    return ids.digest(email.lower())
