"""What falls due at a time: sorted sets, one a bucket, whose members are claimed with a lease."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from service.connections import Client
from service.log.keys import BUCKETS


class Due(NamedTuple):
    """A member and when it falls due, or its lease ends, in seconds since the epoch."""

    member: str
    at: float


class DueSet:
    """Members with the time at which each falls due, spread over the buckets.

    A claim hides its members until the lease ends; who has dealt with one finishes it. A lost
    claimer thus delays a member by one lease, and nothing is ever lost. Every call may be repeated.
    """

    def __init__(
        self,
        redis: Client,
        key: Callable[[int], str],
        bucket_of: Callable[[str], int],
        now: Callable[[], float],
    ) -> None:
        self._redis = redis
        self._key = key
        self._bucket_of = bucket_of
        self._now = now
        self._claim = redis.register_script(Path(__file__).with_name("claim.lua").read_text())

    def claim(self, bucket: int, limit: int, lease: float) -> list[str]:
        """Claim up to `limit` due members of one bucket for `lease` seconds, longest due first."""
        now = self._now()
        claimed = self._claim(keys=[self._key(bucket)], args=[now, now + lease, limit])
        return cast(list[str], claimed)

    def due_now(self, limit: int, lease: float) -> list[str]:
        """Claim up to `limit` due members of all buckets; one round trip when nothing is due."""
        claimed: list[str] = []
        for bucket in self._buckets_with_due():
            if len(claimed) >= limit:
                break
            claimed += self.claim(bucket, limit - len(claimed), lease)
        return claimed

    def add(self, member: str, at: float) -> None:
        """Let a member fall due at `at` (seconds since the epoch), unless it is there already."""
        self._redis.zadd(self._key_of(member), {member: at}, nx=True)

    def finish(self, member: str) -> None:
        """Remove a member that has been dealt with."""
        self._redis.zrem(self._key_of(member), member)

    def postpone(self, member: str, until: float) -> None:
        """Let a member fall due at `until`; one that is finished stays so."""
        self._redis.zadd(self._key_of(member), {member: until}, xx=True)

    def pending(self) -> Iterator[Due]:
        """All members that are not finished, claimed or not, in order of time in each bucket."""
        for members in self._every_bucket("zrange", 0, -1, withscores=True):
            yield from (Due(member, at) for member, at in members)

    def _buckets_with_due(self) -> list[int]:
        counts = self._every_bucket("zcount", "-inf", self._now())
        return [bucket for bucket, count in enumerate(counts) if count]

    def _every_bucket(self, command: str, *args: Any, **options: Any) -> list[Any]:
        pipeline = self._redis.pipeline(transaction=False)
        for bucket in range(BUCKETS):
            getattr(pipeline, command)(self._key(bucket), *args, **options)
        return cast(list[Any], pipeline.execute())

    def _key_of(self, member: str) -> str:
        return self._key(self._bucket_of(member))
