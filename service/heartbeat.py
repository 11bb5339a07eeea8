"""When each worker process last said that it lives.

st:workers                hash: worker's name → unix seconds
"""

import time
from collections.abc import Callable
from typing import cast

from service.connections import Client

_KEY = "st:workers"

# Seconds. A name that has been silent as long belongs to a process that is gone.
FORGOTTEN_AFTER = 3600.0


class Heartbeat:
    """The workers' signs of life."""

    def __init__(self, redis: Client, now: Callable[[], float] = time.time) -> None:
        self._redis = redis
        self._now = now

    def beat(self, worker: str) -> None:
        """Say that this worker lives, and forget those long silent."""
        self._redis.hset(_KEY, worker, str(self._now()))
        gone = [name for name, age in self.ages().items() if age > FORGOTTEN_AFTER]
        if gone:
            self._redis.hdel(_KEY, *gone)

    def stop(self, worker: str) -> None:
        """Say that this worker ends in good order."""
        self._redis.hdel(_KEY, worker)

    def ages(self) -> dict[str, float]:
        """For each worker, how many seconds ago its last sign of life was."""
        beats = cast(dict[str, str], self._redis.hgetall(_KEY))
        return {worker: self._now() - float(at) for worker, at in beats.items()}
