"""Counts of requests in windows of time: in Redis, or in this process's memory if Redis is away.

st:limits:NAME:SECONDS:WHOSE  string: a count, with expiry; of places a sorted set, with expiry: who
                              has one, and the Unix time of their last request
"""

import threading
from collections.abc import Sequence
from time import monotonic
from typing import Final, NamedTuple

from cachetools import TLRUCache
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.api.application import current_request
from service.core.errors import STORE_FAILURE
from service.core.redis.batch import Batch, Query, execute
from service.core.redis.client import ServerClient, script_beside
from service.core.settings import CLUSTER, Settings

_SCRIPT: Final = script_beside(__file__, "count_requests")
_TIMEOUT: Final = 0.5
"""Seconds to wait for Redis before this process counts by itself."""
_PAUSE: Final = 1.0
"""Seconds for which it does so without asking Redis again."""
_MOST_IN_MEMORY: Final = 100_000


class Limit(NamedTuple):
    """The most requests in a window of `seconds`. The first request begins the window."""

    most: int
    seconds: int


class Counter(NamedTuple):
    """Counts requests in windows: `name` is an endpoint or a kind of requests, `whose` their player
    or network address; `amount` is added.

    With a `holder`, it is `limit.most` places for those who come first, each kept until
    `limit.seconds` after its holder's last request. The count is 0 for one who has a place, and the
    limit for any other.
    """

    name: str
    whose: str
    limit: Limit
    amount: int = 1
    holder: str = ""

    @property
    def key(self) -> str:
        """The counter's key in Redis."""
        return f"st:limits:{self.name}:{self.limit.seconds}:{self.whose}"


class Count(NamedTuple):
    """A counter's limit, the number it has reached, and the seconds left until its window ends."""

    limit: Limit
    reached: int
    left: int

    @property
    def remaining(self) -> int:
        """The number of requests left in the window; negative beyond the limit."""
        return self.limit.most - self.reached


class RequestCounts:
    """Counts requests. All processes share the counts in Redis."""

    def __init__(self, settings: Settings) -> None:
        url = settings.queue_redis_url or settings.redis_url
        is_server = url is not None and not url.startswith(CLUSTER)
        self.is_beside_games = is_server and url == settings.redis_url
        """Whether the counts are in the Redis server of the games, so that a batch to it can count
        too."""
        self._redis = _connect(url) if url is not None and is_server else None
        self._away_until = 0.0
        self._memory: TLRUCache[str, list[float]] = TLRUCache(
            _MOST_IN_MEMORY, ttu=lambda key, counted, now: counted[1], timer=monotonic
        )
        self._lock = threading.Lock()

    def query(self, counters: Sequence[Counter]) -> Query[list[Count]]:
        """Return the query that adds to the counters, in their order, up to the first above its
        limit."""

        def parse(reply: list[int]) -> list[Count]:
            pairs = zip(counters, reply[::2], reply[1::2], strict=False)
            return [Count(counter.limit, count, max(left, 1)) for counter, count, left in pairs]

        limits = [
            value
            for counter in counters
            for value in (counter.amount, *counter.limit, counter.holder)
        ]
        keys = [counter.key for counter in counters]
        return Query(("EVAL", _SCRIPT, len(keys), *keys, *limits), parse)

    def add(self, counters: Sequence[Counter]) -> list[Count]:
        """Add to the counters, up to the first above its limit, in a separate round trip; return
        their counts."""
        if self._redis is not None and monotonic() >= self._away_until:
            try:
                return execute(self._redis, self.query(counters))
            except STORE_FAILURE:
                self._away_until = monotonic() + _PAUSE
        return self.add_here(counters)

    def add_here(self, counters: Sequence[Counter]) -> list[Count]:
        """Add to the counters as `add` does, in this process alone."""
        counts: list[Count] = []
        with self._lock:
            for counter in counters:
                counts.append(self._add_here(counter))
                if counts[-1].remaining < 0:
                    break
        return counts

    def _add_here(self, counter: Counter) -> Count:
        now, (most, seconds) = monotonic(), counter.limit
        counted = self._memory.get(counter.key)
        if counted is None:
            counted = self._memory[counter.key] = [0, now + seconds]
        left = int(counted[1] - now) + 1
        if not counter.holder:
            counted[0] += counter.amount
            return Count(counter.limit, int(counted[0]), left)
        place = f"{counter.key} {counter.holder}"
        if place not in self._memory and counted[0] < most:
            counted[0] += 1
            self._memory[place] = counted  # it ends with the others
        return Count(counter.limit, 0 if place in self._memory else most, left)


def _connect(url: str) -> Redis:
    return ServerClient.from_url(
        url,
        decode_responses=True,
        socket_connect_timeout=_TIMEOUT,
        socket_timeout=_TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )


def count_along(batch: Batch, player: str | None) -> None:
    """Let the batch count this request, unless it was counted (see `service.api.rate_limits`).

    `player` is a player whose token was valid before, or None for a visitor.
    """
    request = current_request()
    ask, request.count_along = request.count_along, None
    if ask is not None:
        ask(batch, player)


def is_counted_later() -> bool:
    """Whether this request has not been counted yet."""
    return current_request().count_along is not None
