"""The counters of rate limits in Redis, as flask-limiter asks for them.

st:limits:LIMITS/…        string: a count, with expiry
"""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from flask import g
from limits import RateLimitItem
from limits.storage import RedisStorage
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.core.settings import CLUSTER, Settings

_PREFIX: Final = "limits+"
_KEYS: Final = "st:limits"
_TIMEOUT: Final = 0.5
"""Seconds to wait for Redis before this process counts by itself."""
_MEMORY: Final = "memory://"
_ANY: Final = 2**53


class CountsInRedis(RedisStorage):
    """Counts in one round trip and one write per request, and learns when the counter ends.

    flask-limiter asks for each counter several times in a row. Results are cached for the request,
    and counters that will be asked for next are counted along (`count_with`).
    """

    STORAGE_SCHEME = [f"{_PREFIX}{scheme}" for scheme in ("redis", "rediss", "unix")]  # noqa: RUF012

    def __init__(self, uri: str, **options: Any) -> None:
        super().__init__(uri.removeprefix(_PREFIX), **options)
        script = Path(__file__).with_name("count_requests.lua").read_text()
        self._count = self.storage.register_script(script)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to a counter, and return the count."""
        counts = _request_counts()
        if key in counts.prefetched:
            counts.prefetched.remove(key)
        else:
            self._add(counts, {key: expiry} | counts.pending, amount)
            counts.prefetched = counts.pending.keys() - {key}
            counts.pending, counts.within = {}, _ANY
        return counts.known[key][0]

    def get(self, key: str) -> int:
        """The count after this request's own count."""
        return _request_counts().known[key][0]

    def get_expiry(self, key: str) -> float:
        """When the counter ends, in unix seconds."""
        return _request_counts().known[key][1]

    def _add(self, counts: "_RequestCounts", expiries: dict[str, int], amount: int) -> None:
        keys = [self.prefixed_key(key) for key in expiries]
        found = iter(self._count(keys=keys, args=[amount, counts.within, *expiries.values()]))
        for key, count, left in zip(expiries, found, found, strict=True):
            counts.known[key] = (int(count), time.time() + max(int(left), 0))


@dataclass
class _RequestCounts:
    """Counts of this request: for each key the count, and when the counter ends.

    `pending` are keys, with their expiry, to be counted together with the next one, unless that one
    exceeds `within`; `prefetched` are those counted before they were asked for.
    """

    known: dict[str, tuple[int, float]] = field(default_factory=dict)
    pending: dict[str, int] = field(default_factory=dict)
    within: int = _ANY
    prefetched: set[str] = field(default_factory=set)


def count_with(limit: RateLimitItem, *identifiers: str, within: int) -> None:
    """Count this limit in the same round trip as the next one; if that one exceeds `within`, only
    look this one up."""
    counts = _request_counts()
    counts.pending, counts.within = {limit.key_for(*identifiers): limit.get_expiry()}, within


def storage_uri(settings: Settings) -> str:
    """The place of the counters: Redis, or this process's memory if Redis is a cluster."""
    url = settings.queue_redis_url or settings.redis_url
    if url is None or url.startswith(CLUSTER):
        return _MEMORY
    return _PREFIX + url


def storage_options(settings: Settings) -> dict[str, Any]:
    """The options of flask-limiter's storage."""
    if storage_uri(settings) == _MEMORY:
        return {}
    return {
        "key_prefix": _KEYS,
        "socket_connect_timeout": _TIMEOUT,
        "socket_timeout": _TIMEOUT,
        "retry": Retry(NoBackoff(), 0),
    }


def _request_counts() -> _RequestCounts:
    if "rate_limit_counts" not in g:
        g.rate_limit_counts = _RequestCounts()
    return cast(_RequestCounts, g.rate_limit_counts)
