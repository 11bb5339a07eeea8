"""The leases of the jobs that this process works on: taken as a job begins, renewed while it runs.

A job is queued under the lease of its claims. Whoever begins it renews that for as long as the work
takes, and leaves alone what somebody else has claimed meanwhile.
"""

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final

LEASE: Final = 60.0
"""Seconds for which a claim holds unless it is renewed: so long a dead worker delays its jobs."""
LONGEST_JOB: Final = 120.0
"""Seconds for which a lease is renewed at most: a job that takes longer is stuck."""

Renew = Callable[[Collection[str], float, float], set[str]]
"""Renew the leases of claims, from their end to another; gives those that are still held."""


class _Lease:
    """The lease of some claims until `end`, and not beyond `last`."""

    def __init__(self, renew: Renew, claims: Collection[str], end: float, last: float) -> None:
        self.renew, self.claims, self.end, self.last = renew, claims, end, last


class Leases:
    """The leases of this process. `now` gives unix seconds; safe to use from several threads."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._leases: set[_Lease] = set()
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, renew: Renew, claims: Collection[str], lease_end: float) -> Iterator[list[str]]:
        """Hold what was claimed until `lease_end` while the context lasts.

        Gives the claims in their order, without those that have passed on or ended.
        """
        now = self._now()
        still_held = renew(claims, lease_end, now + LEASE)
        held = [claim for claim in claims if claim in still_held]
        lease = _Lease(renew, held, now + LEASE, now + LONGEST_JOB)
        with self._lock:
            self._leases.add(lease)
        try:
            yield held
        finally:
            with self._lock:
                self._leases.discard(lease)

    def renew(self) -> None:
        """Renew what would end soon. To be called several times within a lease."""
        now = self._now()
        with self._lock:
            ending = [one for one in self._leases if one.end - now < LEASE / 2 and now < one.last]
        for lease in ending:
            # What is done by now is not held any more, and does not come back.
            lease.claims = lease.renew(lease.claims, lease.end, now + LEASE)
            lease.end = now + LEASE
