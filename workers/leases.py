"""The leases of this process's jobs: taken when a job begins, renewed while it runs.

A job is queued under the lease of its claims. The worker that begins it renews the lease as long as
the work takes, and skips claims that another worker has taken meanwhile. What was done is recorded
before anything else: `retry_until_saved`.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from service.core.redis.client import unavailable

LEASE: Final = 20.0
"""Seconds for which a claim holds without renewal: a dead worker delays its jobs by this much."""
LONGEST_JOB: Final = 900.0
"""Seconds for which a lease is renewed at most: a job that takes longer is stuck."""

Renew = Callable[[Collection[str], float, float], set[str]]
"""Renew the leases of these claims, from one end to another (unix seconds); return those still
held."""


class Lease:
    """The lease of some `claims` until `end`; `now` gives unix seconds."""

    def __init__(
        self, renew: Renew, claims: Sequence[str], end: float, now: Callable[[], float]
    ) -> None:
        self.claims = claims
        self.end = end
        self._renew = renew
        self._held = set(claims)
        self._now = now

    def holds(self, claim: str) -> bool:
        """Whether this lease still holds the claim, as far as this process knows."""
        return claim in self._held and self._now() < self.end

    def renew(self, end: float) -> None:
        """Extend the lease of all claims still held to this moment (unix seconds)."""
        # Finished claims are not held any more, and do not return.
        self._held = self._renew(self._held, self.end, end)
        self.end = end

    def release(self, claims: Collection[str]) -> None:
        """Free these claims for others at once. Claims that have passed to others stay theirs."""
        self._renew(claims, self.end, self._now())
        self._held = self._held.difference(claims)


@dataclass(eq=False, repr=False)
class Leases:
    """The leases of this process. `now` gives unix seconds; safe to use from several threads."""

    _now: Callable[[], float]
    _last_renewals: dict[Lease, float] = field(init=False, default_factory=dict)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    @contextmanager
    def hold(self, renew: Renew, claims: Collection[str], lease_end: float) -> Iterator[Lease]:
        """Hold claims, made until `lease_end`, while the context lasts.

        Yields their lease, in the same order, without claims that ended or that others hold now.
        """
        now = self._now()
        still_held = renew(claims, lease_end, now + LEASE)
        held = [claim for claim in claims if claim in still_held]
        lease = Lease(renew, held, now + LEASE, self._now)
        with self._lock:
            self._last_renewals[lease] = now + LONGEST_JOB
        try:
            yield lease
        finally:
            with self._lock:
                del self._last_renewals[lease]

    def renew(self) -> None:
        """Renew the leases that end soon. Call it several times within a lease."""
        now = self._now()
        with self._lock:
            leases = list(self._last_renewals.items())
        for lease, last in leases:
            if lease.end - now < LEASE / 2 and now < last:
                lease.renew(now + LEASE)


PATIENCE: Final = 120.0
PAUSE: Final = 0.2
"""Seconds between two tries, and in all (`PATIENCE`)."""


def retry_until_saved(save: Callable[[], None]) -> None:
    """Call `save`, which records an action, until Redis can be reached and it succeeds, for two
    minutes at most: an unrecorded action would happen twice."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return save()
        except Exception as error:
            if not unavailable(error) or time.monotonic() > end:
                raise
        time.sleep(PAUSE)
