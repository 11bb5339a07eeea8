"""E-mail addresses that mail does not reach: it was refused for good, or returned.

If a mail server refused a mail by a rule of its own (against the mail, or its sender), the address
is not dead: its player sees the failure, and further mails are sent and may succeed.

A refusal is cleared once the mail server accepts a mail. But returned mail had been accepted first:
its mark is cleared only when the address is confirmed again, or its player replies to a mail.

st:{failing}:addresses    hash: digest of the address → JSON of its first and last failure, and of
                          the way and the reason it failed
st:failing:cleared:DIGEST when a mark was cleared; stored while older mails may be returned
"""

import json
import time
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, cast

from service.core import ids
from service.core.addresses import comparable
from service.core.durations import DAY
from service.core.redis.batch import Query, execute, raising
from service.core.redis.client import Client

FAILURE_LIFE: Final = 180 * DAY
"""Seconds for which a failure is stored, after the last one."""
RETURN_LIFE: Final = 14 * DAY
"""Seconds after which the return of a mail proves nothing any more."""
How = Literal["refused", "returned"]
_KEY: Final = "st:{failing}:addresses"


class AddressFailure(NamedTuple):
    """A failing address: its last failure (`at`) and first (`since`), in unix seconds.

    `error` quotes the mail server. `how` says whether it refused the mail or returned it;
    `by_policy`, whether it only applied a rule of its own.
    """

    at: float
    error: str
    since: float = 0.0
    how: How = "refused"
    by_policy: bool = False


class FailingAddresses:
    """The addresses to which mail does not get through. Every call may be repeated."""

    def __init__(self, redis: Client, now: Callable[[], float] = time.time) -> None:
        self._redis = redis
        self._now = now

    def mark(
        self, email: str, error: str, how: How = "refused", *, by_policy: bool = False
    ) -> None:
        """Mark the address as failing. A mail to it was refused for good, or returned."""
        now, before = self._now(), self.find(email)
        since = before.since if before else now
        # An address whose mail was returned stays marked so until it is confirmed.
        lasting: How = "returned" if before and before.how == "returned" else how
        # A rule against one mail does not change what other mails have shown.
        alive = by_policy and (before is None or before.by_policy)
        failure = AddressFailure(now, error[:500], since, lasting, alive)
        self._redis.hset(_KEY, _digest(email), json.dumps(failure._asdict()))
        stored = self.by_digest().items()
        old = [digest for digest, one in stored if self._now() - one.at > FAILURE_LIFE]
        if old:
            self._redis.hdel(_KEY, *old)

    def mark_returned(
        self, email: str, error: str, sent: float, *, by_policy: bool = False
    ) -> bool:
        """Mark the address after a mail sent at `sent` (unix seconds) was returned.

        Return False if the address has worked since, or if the mail is too old.
        """
        cleared = cast(str | None, self._redis.get(_cleared_key(_digest(email))))
        if sent <= max(float(cleared or 0), self._now() - RETURN_LIFE):
            return False
        self.mark(email, error, "returned", by_policy=by_policy)
        return True

    def clear(self, email: str) -> None:
        """Clear the mark of an address whose owner has shown that mail arrives."""
        self.clear_digest(_digest(email))

    def clear_digest(self, digest: str) -> None:
        """Clear the mark of the address with this digest."""
        if self._redis.hdel(_KEY, digest):
            self._redis.set(_cleared_key(digest), repr(self._now()), ex=RETURN_LIFE)

    def clear_refusal(self, email: str) -> None:
        """Clear a refusal after a mail server accepted a mail; it may still be returned."""
        failure = self.find(email)
        if failure is not None and failure.how == "refused":
            self._redis.hdel(_KEY, _digest(email))

    def find(self, email: str | None) -> AddressFailure | None:
        """Return the failure of mail to the address; None without one."""
        return execute(self._redis, self.find_query(email)) if email else None

    def find_query(self, email: str) -> Query[AddressFailure | None]:
        """Return the query that `find` executes."""
        return Query(
            ("HGET", _KEY, _digest(email)),
            raising(lambda stored: _read(stored) if stored else None),
        )

    def is_dead(self, email: str | None) -> bool:
        """Whether mail to the address is unlikely to arrive."""
        failure = self.find(email)
        return failure is not None and not failure.by_policy

    def all(self) -> list[AddressFailure]:
        """Return the failures of all addresses, the latest first."""
        return sorted(self.by_digest().values(), key=lambda failure: -failure.at)

    def by_digest(self) -> dict[str, AddressFailure]:
        """Return the failures of all addresses, by the digest of each."""
        stored = cast(dict[str, str], self._redis.hgetall(_KEY))
        return {digest: _read(text) for digest, text in stored.items()}

    def count_query(self) -> Query[int]:
        """Return the query for the number of failing addresses."""
        return Query(("HLEN", _KEY), int)


def _read(stored: str) -> AddressFailure:
    failure = AddressFailure(**json.loads(stored))
    return failure if failure.since else failure._replace(since=failure.at)


def _cleared_key(digest: str) -> str:
    return f"st:failing:cleared:{digest}"


def _digest(email: str) -> str:
    return ids.digest(comparable(email))
