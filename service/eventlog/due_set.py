"""Sorted sets of what falls due, one for each bucket, whose members are claimed with a lease."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple, cast

from service.core.redis.batch import (
    Args,
    Keys,
    Query,
    Run,
    execute_with_runs,
    run_many,
)
from service.core.redis.client import Client
from service.eventlog.keys import BUCKETS
from service.eventlog.scripts import load

Which = Literal["all", "mail", "channels", "mail-in", "rest"]
"""Which notices: those on the channel `mail`, on players' own channels, of mail that came in, the
others, or all."""

Heads = dict[int, float]
"""By bucket: when its first member falls due, or the lease of that ends, in seconds since the
epoch. An empty bucket is not in it, or has infinity."""


class Due(NamedTuple):
    """A member and when it falls due, or its lease ends, in seconds since the epoch."""

    member: str
    at: float


class DueSet:
    """Members with the time at which each falls due, spread over the buckets.

    A claim hides its members until the lease ends. Whoever works on one renews its lease, and
    finishes it when it is done. If a claimer dies, its members fall due again after one lease.
    Every call may be repeated. `since`, a hash for each bucket, keeps since when each claimed
    member is due. Whatever gives a member an earlier time publishes that on the channel named like
    the bucket's set, so nobody has to look again and again.
    """

    def __init__(
        self,
        redis: Client,
        key: Callable[[int], str],
        bucket_of: Callable[[str], int],
        now: Callable[[], float],
        since: Callable[[int], str] | None = None,
    ) -> None:
        self._redis = redis
        self._key = key
        self._since = since
        self._bucket_of = bucket_of
        self._now = now
        self._claim_script = redis.register_script(load("claim"))
        self._renew_script = redis.register_script(load("renew"))
        self._finish_script = redis.register_script(load("finish"))
        self._schedule_script = redis.register_script(load("schedule"))
        self._first = 0

    def heads(self) -> Heads:
        """When each bucket has something due, in one round trip."""
        found = self._every_bucket(self._key, "zrange", 0, 0, withscores=True)
        return {bucket: first[0][1] for bucket, first in enumerate(found) if first}

    def claim(
        self,
        limit: int,
        lease: float,
        which: Which = "all",
        at: float | None = None,
        heads: Heads | None = None,
    ) -> list[str]:
        """Claim up to `limit` due members of all buckets, until `lease` seconds after `at`, or now.

        Only buckets that have something due by `heads` are asked, and `heads` is brought up to date
        for them; it is read first if not given. Within a bucket the longest due come first; buckets
        take turns, so a full one does not hold up the others.
        """
        now = self._now() if at is None else at
        heads = self.heads() if heads is None else heads
        buckets = self._buckets_with_due(heads, now)
        claimed: list[str] = []
        while buckets and len(claimed) < limit:
            rooms = _rooms(buckets, limit - len(claimed))
            runs = [
                self._claim_run(bucket, now, lease, room, which) for bucket, room in rooms.items()
            ]
            results = run_many(self._redis, self._claim_script, runs)
            emptied = set()
            for (bucket, room), (head, *members) in zip(rooms.items(), results, strict=True):
                claimed += members
                self._first = bucket + 1 if members else self._first
                heads[bucket] = float(head or "inf")
                if len(members) < room:
                    emptied.add(bucket)
            buckets = [bucket for bucket in buckets if bucket not in emptied]
        return claimed

    def renew(self, members: Collection[str], lease_end: float, until: float) -> set[str]:
        """Renew the leases of members that were claimed until `lease_end`.

        Gives those that are held; the others were finished, postponed or claimed by another
        meanwhile. One round trip.
        """
        return self.renew_and_read(members, lease_end, until, [])[0]

    def renew_and_read(
        self,
        members: Collection[str],
        lease_end: float,
        until: float,
        queries: Sequence[Query[Any]],
    ) -> tuple[set[str], list[Any]]:
        """The same, with the raw replies to these queries in the same round trip."""
        runs = [
            Run(self._renew_script, [self._key_of(member)], [member, lease_end, until])
            for member in members
        ]
        replies, held = execute_with_runs(self._redis, queries, runs)
        return {member for member, is_held in zip(members, held, strict=True) if is_held}, replies

    def add(self, member: str, at: float) -> None:
        """Add a member that falls due at `at` (seconds since the epoch), unless it is there."""
        run = self.add_run(member, at)
        run.script(keys=run.keys, args=run.args)

    def add_run(self, member: str, at: float) -> Run:
        """The run of the script that `add` is."""
        return self._schedule_run(member, at, "NX")

    def finish(self, member: str) -> None:
        """Remove a member whose work is done."""
        run = self.finish_run(member)
        run.script(keys=run.keys, args=run.args)

    def finish_all(self, members: Sequence[str]) -> None:
        """Remove members whose work is done, in one round trip."""
        execute_with_runs(self._redis, [], [self.finish_run(member) for member in members])

    def finish_run(self, member: str) -> Run:
        """The run of the script that `finish` is."""
        return Run(self._finish_script, self._keys_in(self._bucket_of(member)), [member])

    def pending_query(self, member: str) -> Query[bool]:
        """A query whether a member is not finished."""
        return Query(("ZSCORE", self._key_of(member), member), lambda reply: reply is not None)

    def postpone(self, member: str, until: float) -> None:
        """Make a member fall due at `until`, unless it is finished."""
        run = self._schedule_run(member, until, "XX")
        run.script(keys=run.keys, args=run.args)

    def pending(self) -> Iterator[Due]:
        """All members that are not finished, claimed or not, in order of time in each bucket."""
        for members in self._every_bucket(self._key, "zrange", 0, -1, withscores=True):
            yield from (Due(member, at) for member, at in members)

    def longest_due(self, before: float, limit: int) -> list[Due]:
        """Members that were due before this moment and are not claimed, `limit` of each bucket at
        most, the longest due first."""
        found = self._every_bucket(
            self._key, "zrangebyscore", "-inf", before, start=0, num=limit, withscores=True
        )
        return [Due(member, at) for members in found for member, at in members]

    def due_query(self, bucket: int, before: float) -> Query[int]:
        """A query how many members of a bucket were due before this moment and are not claimed."""
        return Query(("ZCOUNT", self._key(bucket), "-inf", f"{before}"), int)

    def claimed_query(self, bucket: int) -> Query[list[float]]:
        """A query since when each claimed member of a bucket is due."""
        assert self._since is not None, "this set does not keep it"

        def parse(reply: list[str]) -> list[float]:
            return [float(at) for at in reply]

        return Query(("HVALS", self._since(bucket)), parse)

    def since_query(self, member: str) -> Query[float | None]:
        """A query since when a claimed member is due; None for one that is not claimed."""
        assert self._since is not None, "this set does not keep it"

        def parse(reply: str | None) -> float | None:
            return None if reply is None else float(reply)

        return Query(("HGET", self._since(self._bucket_of(member)), member), parse)

    def waiting_since(self) -> dict[str, float]:
        """Since when each claimed member is due: its time in the set is the end of its lease."""
        assert self._since is not None, "this set does not keep it"
        buckets = self._every_bucket(self._since, "hgetall")
        return {member: float(at) for bucket in buckets for member, at in bucket.items()}

    def _claim_run(
        self, bucket: int, now: float, lease: float, limit: int, which: Which
    ) -> tuple[Keys, Args]:
        return self._keys_in(bucket), [now, now + lease, limit, which]

    def _keys_in(self, bucket: int) -> list[str]:
        return [self._key(bucket)] + ([self._since(bucket)] if self._since else [])

    def _buckets_with_due(self, heads: Heads, now: float) -> list[int]:
        """Those with due members, beginning after the one that was served last."""
        due = [bucket for bucket, head in heads.items() if head <= now]
        return sorted(due, key=lambda bucket: (bucket - self._first) % BUCKETS)

    def _every_bucket(
        self, key: Callable[[int], str], command: str, *args: Any, **options: Any
    ) -> list[Any]:
        pipeline = self._redis.pipeline(transaction=False)
        for bucket in range(BUCKETS):
            getattr(pipeline, command)(key(bucket), *args, **options)
        return cast(list[Any], pipeline.execute())

    def _schedule_run(self, member: str, at: float, mode: Literal["NX", "XX"]) -> Run:
        keys = self._keys_in(self._bucket_of(member))
        return Run(self._schedule_script, keys, [member, at, mode])

    def _key_of(self, member: str) -> str:
        return self._key(self._bucket_of(member))


def _rooms(buckets: Sequence[int], limit: int) -> dict[int, int]:
    """How many members to claim in each bucket: the same in all, and `limit` together."""
    share = max(1, limit // len(buckets))
    return dict.fromkeys(buckets[: limit // share], share)
