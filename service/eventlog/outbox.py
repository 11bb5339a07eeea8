"""The outbox: notices of work caused by events, stored until the work is done. For an operator, and
for metrics, also the backlog of notices, their delays, and dead letters: those that could not be
delivered, and the first failures of others.

A notice's id identifies it completely, so the same event never causes the same notice twice.

st:{delays}:counts        hash: CHANNEL KIND BOUND → notices that were done at most BOUND seconds
                          after they fell due; CHANNEL KIND sum → milliseconds of all of them;
                          CHANNEL KIND dead → notices that were given up

st:{undelivered}:since    hash: notice → unix seconds of the first failure
st:{undelivered}:given-up hash: notice → JSON of when it was given up and why, for two weeks
"""

import json
import math
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from service.core.redis.batch import Query
from service.core.redis.client import Client
from service.eventlog import keys
from service.eventlog.due_set import Due, DueSet

Notice = Due
"""Work to do: its id (see `notice_id`), and its due moment (unix seconds)."""


class NoticeParts(NamedTuple):
    """The parts of a notice's id: `version` is that of the log after the event that caused it.

    `subject` is the id of the game, challenge, player or mail that it is about. `transport` is
    `mail`, `bot`, `log`, or a player's own channel, such as `webhook-ab2cd3ef`.
    """

    subject: str
    version: int
    recipient: str
    transport: str
    kind: str


_ID: Final = re.compile(
    r"(?P<game>[a-z2-7]{16,20})\.[0-9]{1,9}\.[a-z0-9-]{1,40}"
    r"\.(mail|bot|log|[a-z]{1,12}-[a-z2-7]{8})\.[a-z-]{1,40}"
)
_LAST_SECOND: Final = 2**33


def notice_id(game: str, version: int, recipient: str, channel: str, kind: str) -> str:
    """The unique id of this notice: the same event never causes it twice.

    No part may contain a dot. `recipient` is a player's id.
    """
    parts = (game, str(version), recipient, channel, kind)
    if not all(parts) or any("." in part for part in parts):
        raise ValueError(f"a notice's id is made of five parts without dots, not of {parts}")
    return ".".join(parts)


def parse_notice_id(text: str) -> NoticeParts:
    """The parts that `notice_id` joined. Raises ValueError for any other text."""
    game, version, recipient, channel, kind = text.split(".")
    return NoticeParts(game, int(version), recipient, channel, kind)


def notice_problem(game: str, value: object) -> str | None:
    """The problem with a notice of this game read from a file; None if it is valid."""
    match value:
        case [str(notice), int(due) | float(due)] if 0 <= due < _LAST_SECOND:
            parts = _ID.fullmatch(notice)
            return None if parts and parts["game"] == game else "a notice is of another game"
        case _:
            return "a notice has to be an id and a time"


class Outbox(DueSet):
    """The notices of every game, by due moment; `now` gives unix seconds.

    The write that causes a notice also stores it. The worker that claims one renews the lease while
    working on it, and finishes it.
    """

    def __init__(self, redis: Client, now: Callable[[], float]) -> None:
        super().__init__(redis, keys.outbox_key, _bucket_of, now, keys.claimed_key)

    def late(self, before: float, limit: int = 100) -> list[Notice]:
        """Notices due before this moment; of unclaimed ones, the `limit` longest due in each
        bucket."""
        due_moments = dict(self.longest_due(before, limit)) | self.waiting_since()
        return [Notice(notice, at) for notice, at in due_moments.items() if at < before]


def check_due(game_id: str, notices: Sequence[Notice], deadline: float | None) -> None:
    """Raise ValueError for a notice of another game, or a moment that is not finite.

    A script would stop at them between two writes, or lose them.
    """
    if strangers := [n.id for n in notices if parse_notice_id(n.id).subject != game_id]:
        raise ValueError(f"notices of another game than {game_id}: {strangers}")
    times = [notice.due for notice in notices] + ([] if deadline is None else [deadline])
    if not all(map(math.isfinite, times)):
        raise ValueError("a notice or deadline has no finite time")


def due_args(deadline: float | None, notices: Sequence[Notice]) -> list[str | float]:
    """The arguments for a script: the deadline, then id and due moment of each notice."""
    return ["" if deadline is None else deadline, *(part for notice in notices for part in notice)]


def _bucket_of(notice: str) -> int:
    return keys.bucket_of(parse_notice_id(notice).subject)


LATE: Final = 120.0
"""Seconds after its due moment at which a notice counts as late. The relay wakes when it is due."""
BOUNDS: Final = (1, 5, 15, 60, 300, 900, 3600, 21600, 86400)
"""Bounds of the delay histogram in seconds; longer delays count as `inf`."""
OVER: Final = "inf"
GIVEN_UP: Final = "dead"
"""The name under which notices that were given up are counted."""
_SUM: Final = "sum"
_KEY: Final = "st:{delays}:counts"
_FIELD: Final = re.compile(
    "(?P<channel>[a-z]{1,20}) (?P<kind>[a-z-]{1,40}) (?P<what>[a-z0-9]{1,8})"
)


class LateNotices(NamedTuple):
    """Late notices of one kind on one channel: their `number`, and the due moment of the oldest."""

    channel: str
    kind: str
    number: int
    since: float


class Delays(NamedTuple):
    """The delays of one kind of notice on one channel: a histogram and a sum.

    Each notice counts under the smallest of `BOUNDS` that is not below its delay, or under `OVER`;
    one that was given up under `GIVEN_UP`. The sum is in seconds.
    """

    channel: str
    kind: str
    counts: Mapping[str, int]
    seconds: float


@dataclass(eq=False, repr=False)
class DelayCounts:
    """The delays of notices since the store began."""

    _redis: Client

    def add(
        self, done: Iterable[tuple[NoticeParts, float]], given_up: Iterable[NoticeParts] = ()
    ) -> None:
        """Count delivered notices with their delays in seconds, and given up ones; one round trip.

        If the client library sends this again after a lost response, they count twice: nothing
        depends on it.
        """
        with self._redis.pipeline(transaction=False) as pipeline:
            for notice, seconds in done:
                name = f"{channel_name(notice.transport)} {notice.kind}"
                bound = next((str(most) for most in BOUNDS if seconds <= most), OVER)
                pipeline.hincrby(_KEY, f"{name} {bound}", 1)
                pipeline.hincrby(_KEY, f"{name} {_SUM}", round(max(seconds, 0.0) * 1000))
            for notice in given_up:
                name = f"{channel_name(notice.transport)} {notice.kind}"
                pipeline.hincrby(_KEY, f"{name} {GIVEN_UP}", 1)
            pipeline.execute()

    def all(self) -> list[Delays]:
        """The delays of notices, by channel and kind."""
        counts: dict[tuple[str, str], dict[str, int]] = {}
        for field, value in cast(dict[str, str], self._redis.hgetall(_KEY)).items():
            if match := _FIELD.fullmatch(field):
                of_kind = counts.setdefault((match["channel"], match["kind"]), {})
                of_kind[match["what"]] = int(value)
        return [
            Delays(*name, of_kind, of_kind.pop(_SUM, 0) / 1000)
            for name, of_kind in sorted(counts.items())
        ]


def by_kind(notices: Iterable[Notice]) -> list[LateNotices]:
    """Count these notices by channel and kind; the kind with the longest due notice comes first."""
    dues: dict[tuple[str, str], list[float]] = {}
    for notice in notices:
        parts = parse_notice_id(notice.id)
        dues.setdefault((channel_name(parts.transport), parts.kind), []).append(notice.due)
    late = [LateNotices(*name, len(times), min(times)) for name, times in dues.items()]
    return sorted(late, key=lambda one: one.since)


def channel_name(channel: str) -> str:
    """The channel without its owner's part: `hook` of `hook-ID`."""
    return channel.partition("-")[0]


LIFE: Final = 14 * 24 * 60 * 60
"""Seconds for which an operator can see a dead letter."""

_SINCE = "st:{undelivered}:since"
_GIVEN_UP = "st:{undelivered}:given-up"


class DeadLetter(NamedTuple):
    """A notice that was given up: when (unix seconds), and the last error."""

    notice: str
    at: float
    error: str


@dataclass(eq=False, repr=False)
class DeadLetters:
    """Failed deliveries, recorded by the workers and read by an operator. May be repeated."""

    _redis: Client
    _now: Callable[[], float] = time.time

    def record_failure(self, notice: str) -> float:
        """Record a failed delivery; returns the moment of the first failure in a row (unix
        seconds)."""
        pipeline = self._redis.pipeline()
        pipeline.hsetnx(_SINCE, notice, str(self._now()))
        pipeline.hget(_SINCE, notice)
        pipeline.expire(_SINCE, LIFE)
        return float(pipeline.execute()[1])

    def add(self, notice: str, error: str) -> None:
        pipeline = self._redis.pipeline()
        pipeline.hset(_GIVEN_UP, notice, json.dumps({"at": self._now(), "error": error}))
        pipeline.hdel(_SINCE, notice)
        pipeline.expire(_GIVEN_UP, LIFE)
        pipeline.execute()
        if old := [letter.notice for letter in self._stored() if self._is_old(letter.at)]:
            self._redis.hdel(_GIVEN_UP, *old)
        # Failures of notices that another worker has finished.
        if lost := [notice for notice, since in self.retrying().items() if self._is_old(since)]:
            self._redis.hdel(_SINCE, *lost)

    def clear_failure(self, notice: str) -> None:
        self._redis.hdel(_SINCE, notice)

    def remove(self, notice: str) -> None:
        self._redis.hdel(_GIVEN_UP, notice)

    def forget_game(self, game_id: str) -> None:
        """Delete the dead letters and failures of notices about a removed game."""
        for key in (_GIVEN_UP, _SINCE):
            notices = cast(list[str], self._redis.hkeys(key))
            if gone := [notice for notice in notices if notice.partition(".")[0] == game_id]:
                self._redis.hdel(key, *gone)

    def retrying(self) -> dict[str, float]:
        """The notices that will be retried, each with the moment of its first failure (unix
        seconds)."""
        failing = cast(dict[str, str], self._redis.hgetall(_SINCE))
        return {notice: float(since) for notice, since in failing.items()}

    def since_query(self, notice: str) -> Query[float | None]:
        """The query for the first failure in a row of a notice (unix seconds); None without one."""
        return Query(("HGET", _SINCE, notice), lambda since: since and float(since))

    def count_queries(self) -> list[Query[int]]:
        """The queries for the numbers of dead letters and of notices that will be retried."""
        return [Query(("HLEN", _GIVEN_UP), int), Query(("HLEN", _SINCE), int)]

    def all(self) -> list[DeadLetter]:
        """The dead letters of the last two weeks, the latest first."""
        recent = [letter for letter in self._stored() if not self._is_old(letter.at)]
        return sorted(recent, key=lambda dead: -dead.at)

    def _stored(self) -> list[DeadLetter]:
        stored = cast(dict[str, str], self._redis.hgetall(_GIVEN_UP))
        return [DeadLetter(notice, **json.loads(text)) for notice, text in stored.items()]

    def _is_old(self, at: float) -> bool:
        return self._now() - at > LIFE
