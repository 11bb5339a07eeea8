"""Sorted sets of what falls due, one for each bucket, whose members are claimed with a lease."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, cast

from service.core.redis.client import Client
from service.eventlog.keys import BUCKETS
from service.eventlog.scripts import load

Which = Literal["all", "mail", "rest"]
"""Which notices: those on the channel `mail`, the others, or all."""


class Due(NamedTuple):
    """A member and when it falls due, or its lease ends, in seconds since the epoch."""

    member: str
    at: float


class DueSet:
    """Members with the time at which each falls due, spread over the buckets.

    A claim hides its members until the lease ends. Whoever works on one renews its lease, and
    finishes it when it is done. If a claimer dies, its members fall due again after one lease.
    Every call may be repeated. `since`, a hash for each bucket, keeps since when each claimed
    member is due.
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
        self._first = 0

    def claim(
        self, limit: int, lease: float, which: Which = "all", at: float | None = None
    ) -> list[str]:
        """Claim up to `limit` due members of all buckets, until `lease` seconds after `at`, or now.

        One round trip when nothing is due. Within a bucket the longest due come first; buckets take
        turns, so a full one does not hold up the others.
        """
        now = self._now() if at is None else at
        buckets = self._buckets_with_due(now)
        claimed: list[str] = []
        share = max(1, limit // max(1, len(buckets)))
        while buckets and len(claimed) < limit:
            not_empty: list[int] = []
            for bucket in buckets:
                room = min(share, limit - len(claimed))
                found = self._claim_in(bucket, room, now, lease, which) if room else []
                claimed += found
                if found:
                    self._first = bucket + 1
                if found and len(found) == room:
                    not_empty.append(bucket)
            buckets, share = not_empty, limit
        return claimed

    def renew(self, member: str, lease_end: float, until: float) -> bool:
        """Renew the lease of a member that was claimed until `lease_end`.

        False if it was finished, postponed, or claimed by another meanwhile.
        """
        args: list[float | str] = [member, lease_end, until]
        return bool(self._renew_script(keys=[self._key_of(member)], args=args))

    def add(self, member: str, at: float) -> None:
        """Add a member that falls due at `at` (seconds since the epoch), unless it is there."""
        self._redis.zadd(self._key_of(member), {member: at}, nx=True)

    def finish(self, member: str) -> None:
        """Remove a member whose work is done."""
        self._redis.zrem(self._key_of(member), member)
        self._clear_since(member)

    def postpone(self, member: str, until: float) -> None:
        """Make a member fall due at `until`, unless it is finished."""
        self._redis.zadd(self._key_of(member), {member: until}, xx=True)
        self._clear_since(member)

    def pending(self) -> Iterator[Due]:
        """All members that are not finished, claimed or not, in order of time in each bucket."""
        for members in self._every_bucket(self._key, "zrange", 0, -1, withscores=True):
            yield from (Due(member, at) for member, at in members)

    def waiting_since(self) -> dict[str, float]:
        """Since when each claimed member is due: its time in the set is the end of its lease."""
        assert self._since is not None, "this set does not keep it"
        buckets = self._every_bucket(self._since, "hgetall")
        return {member: float(at) for bucket in buckets for member, at in bucket.items()}

    def _claim_in(
        self, bucket: int, limit: int, now: float, lease: float, which: Which
    ) -> list[str]:
        keys = [self._key(bucket)] + ([self._since(bucket)] if self._since else [])
        args: list[float | str] = [now, now + lease, limit, which]
        return cast(list[str], self._claim_script(keys=keys, args=args))

    def _buckets_with_due(self, now: float) -> list[int]:
        """Those with due members, beginning after the one that was served last."""
        counts = self._every_bucket(self._key, "zcount", "-inf", now)
        order = [(self._first + step) % BUCKETS for step in range(BUCKETS)]
        return [bucket for bucket in order if counts[bucket]]

    def _every_bucket(
        self, key: Callable[[int], str], command: str, *args: Any, **options: Any
    ) -> list[Any]:
        pipeline = self._redis.pipeline(transaction=False)
        for bucket in range(BUCKETS):
            getattr(pipeline, command)(key(bucket), *args, **options)
        return cast(list[Any], pipeline.execute())

    def _clear_since(self, member: str) -> None:
        if self._since is not None:
            self._redis.hdel(self._since(self._bucket_of(member)), member)

    def _key_of(self, member: str) -> str:
        return self._key(self._bucket_of(member))
