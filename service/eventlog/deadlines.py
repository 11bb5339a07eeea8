"""The games whose clock is running, by deadline."""

from collections.abc import Callable, Collection, Iterator

from service.core.redis.batch import Query
from service.core.redis.client import Client
from service.eventlog import keys
from service.eventlog.due_set import DueSet, Heads


class DeadlineSet:
    """Ids of games by the deadline of the player to move; `now` gives unix seconds.

    An append to a game sets or clears its deadline, and so ends a claim to it.
    """

    def __init__(self, redis: Client, now: Callable[[], float]) -> None:
        self._due = DueSet(redis, keys.deadlines_key, keys.bucket_of, now)

    def heads(self) -> Heads:
        """The moment of the next deadline in each bucket."""
        return self._due.heads()

    def due_queries(self, before: float) -> list[Query[int]]:
        """The queries for the numbers of games in each bucket past their deadline at `before`."""
        return [self._due.due_query(bucket, before) for bucket in range(keys.BUCKETS)]

    def claim(
        self, limit: int, lease: float, at: float | None = None, heads: Heads | None = None
    ) -> list[str]:
        """Claim up to `limit` games past their deadline, until `lease` seconds after `at`.

        `heads`, if given, names the buckets to ask, and is updated.
        """
        return self._due.claim(limit, lease, at=at, heads=heads)

    def games(self) -> Iterator[str]:
        """The ids of all games with a deadline."""
        return (due.member for due in self._due.pending())

    def renew(self, game_ids: Collection[str], lease_end: float, until: float) -> set[str]:
        """Renew the leases of claimed games; returns those still held."""
        return self._due.renew(game_ids, lease_end, until)
