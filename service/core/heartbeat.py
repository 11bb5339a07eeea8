"""The last heartbeat of each worker process.

st:workers                hash: worker's name → unix seconds
st:base-url               the beginning of links in mails, for minutes after each heartbeat
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from service.core.outage_ledger import PERIOD, OutageLedger
from service.core.redis.batch import Command, Query, execute_all, raising
from service.core.redis.client import Client

_KEY = "st:workers"
_BASE_URL = "st:base-url"

# Seconds. A worker without a heartbeat for so long counts as gone.
FORGOTTEN_AFTER = 3600.0
_BASE_URL_LIFE = int(4 * PERIOD)


@dataclass(eq=False, repr=False)
class Heartbeat:
    """The heartbeats of all workers. `now` gives unix seconds.

    Each heartbeat also goes to the `outages` ledger, if given.
    """

    _redis: Client
    _now: Callable[[], float] = time.time
    _base_url: str | None = None
    _outages: OutageLedger | None = None

    def record(self, worker: str) -> None:
        """Record a heartbeat of this worker, and delete workers silent for `FORGOTTEN_AFTER`."""
        commands: list[Command] = [("HSET", _KEY, worker, str(self._now()))]
        if self._base_url is not None:
            commands.append(("SET", _BASE_URL, self._base_url, "EX", _BASE_URL_LIFE))
        if self._outages is None:
            execute_all(self._redis, [Query(command, raising(bool)) for command in commands])
        else:
            self._outages.record_heartbeat("worker", commands)
        gone = [name for name, age in self.ages().items() if age > FORGOTTEN_AFTER]
        if gone:
            self._redis.hdel(_KEY, *gone)

    def stop(self, worker: str) -> None:
        """Record that this worker ended normally."""
        self._redis.hdel(_KEY, worker)

    def base_url(self) -> str | None:
        """The beginning of the running server's links; None while no worker runs."""
        return cast(str | None, self._redis.get(_BASE_URL))

    def ages(self) -> dict[str, float]:
        """Seconds since the last heartbeat of each worker."""
        last = cast(dict[str, str], self._redis.hgetall(_KEY))
        return {worker: self._now() - float(at) for worker, at in last.items()}
