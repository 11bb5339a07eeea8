"""The leases of the jobs that this process works on: taken as a job begins, renewed while it runs.

A job is queued under the lease of its claims. Whoever begins it renews that for as long as the work
takes, and leaves alone what somebody else has claimed meanwhile.
"""

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

LEASE: Final = 60.0
"""Seconds for which a claim holds unless it is renewed: so long a dead worker delays its jobs."""
LONGEST_JOB: Final = 900.0
"""Seconds for which a lease is renewed at most: a job that takes longer is stuck."""

Renew = Callable[[Collection[str], float, float], set[str]]
"""Renew the leases of claims, from their end to another; gives those that are still held."""


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
        """Whether nobody else can have claimed this meanwhile, as far as is known here."""
        return claim in self._held and self._now() < self.end

    def renew(self, end: float) -> None:
        """Hold what is still held until then."""
        # What is done by now is not held any more, and does not come back.
        self._held = self._renew(self._held, self.end, end)
        self.end = end

    def release(self, claims: Collection[str]) -> None:
        """Let others claim these at once. What has passed on to others stays theirs."""
        self._renew(claims, self.end, self._now())
        self._held = self._held.difference(claims)


class Leases:
    """The leases of this process. `now` gives unix seconds; safe to use from several threads."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._last_renewals: dict[Lease, float] = {}
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, renew: Renew, claims: Collection[str], lease_end: float) -> Iterator[Lease]:
        """Hold what was claimed until `lease_end` while the context lasts.

        Gives the lease of the claims in their order, without those that have passed on or ended.
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
        """Renew what would end soon. To be called several times within a lease."""
        now = self._now()
        with self._lock:
            leases = list(self._last_renewals.items())
        for lease, last in leases:
            if lease.end - now < LEASE / 2 and now < last:
                lease.renew(now + LEASE)
