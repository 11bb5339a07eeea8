"""Sorted sets of members by due moment, one for each bucket; members are claimed with a lease.

Each script that sets the due moment of a notice or a game publishes it on the topic named like the
sorted set (`keys.outbox_key`, `keys.deadlines_key`).
"""

import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Literal, NamedTuple

from redis.exceptions import TimeoutError  # noqa: A004

from service.core.redis.batch import Command, Query, Run, execute_all, execute_with_runs, run_many
from service.core.redis.client import Client
from service.eventlog import keys
from service.eventlog.keys import BUCKETS, bucket_of, deadlines_key, load

Which = Literal["all", "mail", "channels", "mail-in", "strangers-mail-in", "rest"]
"""A choice of notices: mail, players' own channels, incoming mail from players or from strangers,
the rest, or all."""

Heads = dict[int, float]
"""The moment, by bucket, at which its first member is due or that member's lease ends, in unix
seconds. An empty bucket is missing or has infinity."""


class Due(NamedTuple):
    """A member, by its id, and its due moment or the end of its lease, in unix seconds."""

    id: str
    due: float


@dataclass(eq=False, repr=False)
class DueSet:
    """Members by due moment, spread over the buckets.

    A claim hides its members until the lease ends. The worker on a member renews its lease, and
    finishes it at the end. If a claimer dies, its members are due again after one lease. Every call
    may be repeated. `since`, a hash for each bucket, stores the original due moment of each claimed
    member. A script that makes a member due earlier publishes that on the topic named like the
    bucket's set, so nobody has to poll.
    """

    _claim_script = load("claim")
    _renew_script = load("renew")
    _finish_script = load("finish")
    _schedule_script = load("schedule")

    _redis: Client
    _key: Callable[[int], str]
    _bucket_of: Callable[[str], int]
    _now: Callable[[], float]
    _since: Callable[[int], str] | None = None
    _first: int = field(init=False, default=0)

    def heads(self) -> Heads:
        """The next due moment of each bucket, in one round trip."""
        firsts = self._members(lambda key: ("ZRANGE", key, 0, 0, "WITHSCORES"))
        return {bucket: first[0].due for bucket, first in enumerate(firsts) if first}

    def claim(
        self,
        limit: int,
        lease: float,
        which: Which = "all",
        at: float | None = None,
        heads: Heads | None = None,
    ) -> list[str]:
        """Claim up to `limit` due members until `lease` seconds after `at` (None: now), and return
        them.

        Only buckets that have a due member by `heads` are searched, and their `heads` updated;
        without `heads`, these are read first. Within a bucket the longest due come first; buckets
        take turns, so a full one does not hold up the others.
        """
        now = self._now() if at is None else at
        heads = self.heads() if heads is None else heads
        # Those with due members, beginning after the one served last.
        due = [bucket for bucket, head in heads.items() if head <= now]
        buckets = sorted(due, key=lambda bucket: (bucket - self._first) % BUCKETS)
        claimed: list[str] = []
        while buckets and len(claimed) < limit:
            left = limit - len(claimed)
            room = max(1, left // len(buckets))
            served = buckets[: left // room]
            args = [now, now + lease, room, which]
            runs = [(self._keys_in(bucket), args) for bucket in served]
            results = run_many(self._redis, self._claim_script, runs)
            emptied = set()
            for bucket, (head, *members) in zip(served, results, strict=True):
                claimed += members
                self._first = bucket + 1 if members else self._first
                heads[bucket] = float(head or "inf")
                if len(members) < room:
                    emptied.add(bucket)
            buckets = [bucket for bucket in buckets if bucket not in emptied]
        return claimed

    def renew(self, members: Collection[str], lease_end: float, until: float) -> set[str]:
        """Renew the leases of members that were claimed until `lease_end`, so that they end at
        `until`.

        Return the members whose lease was renewed; the others were finished, postponed or claimed
        by another meanwhile. One round trip.
        """
        return self.renew_and_read(members, lease_end, until, [])[0]

    def renew_and_read(
        self,
        members: Collection[str],
        lease_end: float,
        until: float,
        queries: Sequence[Query[object]],
    ) -> tuple[set[str], list[object]]:
        """Renew leases as `renew` does, and return the raw replies to these queries; one round
        trip."""
        runs = [
            Run(self._renew_script, [self._key_of(member)], [member, lease_end, until])
            for member in members
        ]
        replies, held = execute_with_runs(self._redis, queries, runs)
        return {member for member, is_held in zip(members, held, strict=True) if is_held}, replies

    def add(self, due: Due) -> None:
        """Add a member, unless the set has it already."""
        self.add_run(due).execute()

    def add_run(self, due: Due) -> Run:
        """Return the script, keys and arguments of `add`, for a batch."""
        return self._schedule_run(*due, "NX")

    def finish(self, member: str) -> None:
        """Remove a member whose work is done."""
        self.finish_run(member).execute()

    def finish_all(self, members: Sequence[str]) -> None:
        """Remove members whose work is done, in one round trip."""
        execute_with_runs(self._redis, [], [self.finish_run(member) for member in members])

    def finish_run(self, member: str) -> Run:
        """Return the script, keys and arguments of `finish`, for a batch."""
        return Run(self._finish_script, self._keys_in(self._bucket_of(member)), [member])

    def pending_query(self, member: str) -> Query[bool]:
        return Query(("ZSCORE", self._key_of(member), member), lambda reply: reply is not None)

    def postpone(self, member: str, until: float) -> None:
        """Move a member's due moment to `until`, unless it is finished."""
        self._schedule_run(member, until, "XX").execute()

    def pending(self) -> Iterator[Due]:
        """All unfinished members, claimed or not, by due moment in each bucket."""
        for members in self._members(lambda key: ("ZRANGE", key, 0, -1, "WITHSCORES")):
            yield from members

    def longest_due(self, before: float, limit: int) -> list[Due]:
        """Unclaimed members due before this moment, up to `limit` of each bucket, the longest due
        first."""
        most = ("WITHSCORES", "LIMIT", 0, limit)
        by_bucket = self._members(lambda key: ("ZRANGEBYSCORE", key, "-inf", before, *most))
        return [due for members in by_bucket for due in members]

    def due_queries(self, before: float) -> list[Query[int]]:
        """The queries for the numbers of unclaimed members of each bucket due before this
        moment."""
        return [
            Query(("ZCOUNT", self._key(bucket), "-inf", f"{before}"), int)
            for bucket in range(BUCKETS)
        ]

    def claimed_queries(self) -> list[Query[list[float]]]:
        """The queries for the original due moments of each bucket's claimed members."""
        since = self._since
        assert since is not None, "this set does not keep it"

        return [
            Query(("HVALS", since(bucket)), lambda reply: [*map(float, reply)])
            for bucket in range(BUCKETS)
        ]

    def since_query(self, member: str) -> Query[float | None]:
        """The query for the original due moment of a claimed member; None for an unclaimed one."""
        assert self._since is not None, "this set does not keep it"

        command = "HGET", self._since(self._bucket_of(member)), member
        return Query(command, lambda reply: None if reply is None else float(reply))

    def waiting_since(self) -> dict[str, float]:
        """The original due moment of each claimed member; the set itself has the end of its
        lease."""
        since = self._since
        assert since is not None, "this set does not keep it"
        queries = [Query(("HGETALL", since(each)), dict) for each in range(BUCKETS)]
        buckets = execute_all(self._redis, queries)
        return {member: float(at) for bucket in buckets for member, at in bucket.items()}

    def _keys_in(self, bucket: int) -> list[str]:
        return [self._key(bucket)] + ([self._since(bucket)] if self._since else [])

    def _members(self, command: Callable[[str], Command]) -> list[list[Due]]:
        """The members that this command gives with their scores, for the set of each bucket, in one
        round trip."""
        keys = [self._key(bucket) for bucket in range(BUCKETS)]
        return execute_all(self._redis, [Query(command(key), _scored) for key in keys])

    def _schedule_run(self, member: str, at: float, mode: Literal["NX", "XX"]) -> Run:
        keys = self._keys_in(self._bucket_of(member))
        return Run(self._schedule_script, keys, [member, at, mode])

    def _key_of(self, member: str) -> str:
        return self._key(self._bucket_of(member))


class DeadlineSet(DueSet):
    """Ids of games by the deadline of the player to move; `now` gives unix seconds.

    An append to a game sets or clears its deadline, and so ends a claim to it.
    """

    def __init__(self, redis: Client, now: Callable[[], float]) -> None:
        super().__init__(redis, deadlines_key, bucket_of, now)

    def games(self) -> Iterator[str]:
        """The ids of all games with a deadline."""
        return (due.id for due in self.pending())


def _scored(reply: Sequence[Any]) -> list[Due]:
    """Members with their scores: in pairs, or one behind the other from an older client."""
    is_paired = reply and isinstance(reply[0], Sequence) and not isinstance(reply[0], str)
    pairs = reply if is_paired else zip(reply[::2], reply[1::2], strict=True)
    return [Due(str(member), float(at)) for member, at in pairs]


_CHANNEL: Final = re.compile(r"st:\{(?P<bucket>[0-9]{2})\}:(?P<what>due|deadlines)")

ASK_PERIOD: Final = 10.0
"""Seconds between two checks that Redis still answers on the subscription's connection."""


class DueAt(NamedTuple):
    """A notice (`due`) or a game (`deadlines`) of a bucket is due at unix second `at`."""

    what: Literal["due", "deadlines"]
    bucket: int
    at: float


class Missed(NamedTuple):
    """The subscription has just begun, perhaps again: earlier news may have been missed."""


class DueNews:
    """A subscription to the news, open for the duration of its context. Raises redis-py's errors.

    `now` gives seconds.
    """

    def __init__(self, redis: Client, now: Callable[[], float] = time.monotonic) -> None:
        self._channels = redis.pubsub()  # type: ignore[no-untyped-call]
        self._now = now
        self._next_question = now() + ASK_PERIOD
        self._answered = True

    def __enter__(self) -> "DueNews":
        self._channels.psubscribe(keys.OUTBOX_PATTERN, keys.DEADLINES_PATTERN)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._channels.close()

    def wait(self, seconds: float) -> list[DueAt | Missed]:
        """Wait at most `seconds` for news, and return all that has arrived; empty if none came."""
        self._ask()
        received: list[DueAt | Missed] = []
        message = self._channels.get_message(timeout=seconds)
        while message is not None:
            self._answered = True
            if (news := _read(message)) is not None:
                received.append(news)
            message = self._channels.get_message(timeout=0.0)
        return received

    def _ask(self) -> None:
        """Ping Redis every `ASK_PERIOD` seconds. Raise TimeoutError if nothing has arrived since
        the last ping: a connection cut by the network would otherwise be silent for ever."""
        if self._now() < self._next_question:
            return
        if not self._answered:
            raise TimeoutError("no answer on the subscription's connection")
        self._channels.ping()
        self._answered = False
        self._next_question = self._now() + ASK_PERIOD


def wake_listeners(redis: Client) -> None:
    """End the waiting of every listener, by news that changes nothing. Raises redis-py's errors."""
    redis.publish(keys.outbox_key(0), "inf")


def _read(message: dict[str, Any]) -> DueAt | Missed | None:
    if message["type"] == "psubscribe":  # also after the library has connected again
        return Missed()
    channel = _CHANNEL.fullmatch(str(message["channel"]))
    if message["type"] != "pmessage" or channel is None:
        return None
    what: Literal["due", "deadlines"] = "due" if channel["what"] == "due" else "deadlines"
    return DueAt(what, int(channel["bucket"]), float(message["data"]))
