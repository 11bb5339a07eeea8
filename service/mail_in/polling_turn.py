"""The lease on fetching mail: only one worker fetches at a time.

The worker that fetches holds a short lease, and renews it however slow the mailbox is: if the
worker dies, mail is delayed by no more than that lease.

st:{imap}:turn            the worker that fetches, until its lease ends; then the pause, in which
                          nobody fetches
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from service.core.outage import STORE_FAILURE
from service.core.redis.client import Client
from service.core.redis.lua import script_beside

# Seconds.
LEASE: Final = 20.0
RENEWAL: Final = 5.0
"""Between two renewals of the lease."""

_TURN: Final = "st:{imap}:turn"
_PAUSING: Final = "nobody"
_PASS_ON: Final = script_beside(__file__, "pass_turn")


class PollingTurn:
    """The lease as one worker sees it; `name` is that worker's own."""

    def __init__(self, redis: Client, name: str) -> None:
        self._redis = redis
        self._name = name
        self._pass_on = redis.register_script(_PASS_ON)

    def take(self) -> bool:
        """Take the lease, unless another worker holds it or the pause lasts. Return whether we hold
        it."""
        taken = self._redis.set(_TURN, self._name, nx=True, px=_milliseconds(LEASE))
        return bool(taken)

    def renew(self) -> bool:
        """Extend the lease; return False if another worker has it by now."""
        return self._replace(self._name, self._name, LEASE)

    @contextmanager
    def renewed(self, longest: float) -> Iterator[None]:
        """Renew the lease in a thread while the context lasts, for `longest` seconds at most."""
        ended = threading.Event()
        renewing = threading.Thread(target=self._keep_renewing, args=[ended, longest], daemon=True)
        renewing.start()
        try:
            yield
        finally:
            ended.set()
            renewing.join()

    def end(self, pause: float) -> None:
        """Replace the lease by a pause of so many seconds, unless another worker holds it by
        now."""
        self._replace(self._name, _PAUSING, pause)

    def _keep_renewing(self, ended: threading.Event, longest: float) -> None:
        for _ in range(int(longest / RENEWAL)):
            if ended.wait(RENEWAL):
                return
            with suppress(*STORE_FAILURE):  # the next renewal may come in time
                self.renew()

    def _replace(self, holder: str, successor: str, seconds: float) -> bool:
        args: list[str | int] = [holder, successor, _milliseconds(seconds)]
        return bool(self._pass_on(keys=[_TURN], args=args))


def hurry(redis: Client) -> None:
    """End the pause, if there is one: somebody waits for a mail."""
    PollingTurn(redis, _PAUSING).end(0)


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
