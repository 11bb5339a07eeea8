"""Waiting for replicas, so that a failover right after a write does not lose it."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from redis import Redis, RedisCluster
from redis.cluster import ClusterNode

from service.core.errors import STORE_FAILURE
from service.core.redis.client import Client
from service.core.redis.failures import report

PATIENCE: Final = 1000
"""Milliseconds to wait for replicas."""

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class Replicas:
    """The replicas of a store: a write waits until `count` have it; 0: it does not wait."""

    _redis: Client
    _count: int

    def await_write(self, mark: str) -> bool:
        """Wait until enough replicas have everything written so far to the server of `mark`.

        `mark` is a key to write on that server. If they do not have it within `PATIENCE`, this logs
        a warning and returns False: the write remains valid.
        """
        if self._count == 0:
            return True
        try:
            # WAIT covers the writes of its own connection, so this one writes once more, after the
            # others.
            pipeline = self._server(mark).pipeline(transaction=False)
            pipeline.set(mark, "")
            pipeline.wait(self._count, PATIENCE)
            reached = int(pipeline.execute()[1])
        except STORE_FAILURE as error:
            report(_log, "a write was not followed to its replicas", error)
            return False
        if reached < self._count:
            _log.warning("a write reached %d replicas, not %d", reached, self._count)
        return reached >= self._count

    def _server(self, key: str) -> Redis:
        if isinstance(self._redis, RedisCluster):
            node_of: Callable[[str], ClusterNode] = self._redis.get_node_from_key
            return self._redis.get_redis_connection(node_of(key))
        return self._redis
