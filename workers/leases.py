"""The leases of the jobs that this process works on: taken as a job begins, renewed while it runs.

A job is queued under the lease of its claim. Whoever begins it goes on holding that, for as long as
the work takes; a job whose claim has passed on to another does nothing.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

LEASE: Final = 60.0
"""Seconds for which a claim holds unless it is renewed: so long a dead worker delays its jobs."""
LONGEST_JOB: Final = 120.0
"""Seconds for which a lease is renewed at most: a job that takes longer is stuck."""

Renew = Callable[[float, float], bool]
"""From the end of a lease and that of the next: whether it is held until then."""


class _Held:
    """A lease that is held until `end`, and not beyond `last`."""

    def __init__(self, renew: Renew, end: float, last: float) -> None:
        self.renew, self.end, self.last = renew, end, last


class Leases:
    """Those held by this process. `now` gives unix seconds; safe to use from several threads."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._held: set[_Held] = set()
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, renew: Renew, lease_end: float) -> Iterator[bool]:
        """Hold what was claimed until `lease_end` while the context lasts.

        Gives false where it has passed on to another, or was dealt with.
        """
        now = self._now()
        if not renew(lease_end, now + LEASE):
            yield False
            return
        held = _Held(renew, now + LEASE, now + LONGEST_JOB)
        with self._lock:
            self._held.add(held)
        try:
            yield True
        finally:
            with self._lock:
                self._held.discard(held)

    def renew(self) -> None:
        """Renew what would end soon. To be called several times a lease."""
        now = self._now()
        with self._lock:
            ending = [one for one in self._held if one.end - now < LEASE / 2 and now < one.last]
        for held in ending:
            if held.renew(held.end, now + LEASE):
                held.end = now + LEASE
