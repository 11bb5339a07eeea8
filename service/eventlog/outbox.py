"""The outbox: notices of work caused by events, stored until the work is done.

A notice's id identifies it completely, so the same event never causes the same notice twice.
"""

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

from service.core.redis.batch import Query, Run
from service.core.redis.client import Client
from service.eventlog import keys
from service.eventlog.due_set import DueSet, Heads, Which


class Notice(NamedTuple):
    """Work to do: its id (see `notice_id`), and its due moment (unix seconds)."""

    id: str
    due: float


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


def notice_problem(game: str, value: Any) -> str | None:
    """The problem with a notice of this game read from a file; None if it is valid."""
    match value:
        case [str(notice), int(due) | float(due)] if 0 <= due < _LAST_SECOND:
            parts = _ID.fullmatch(notice)
            return None if parts and parts["game"] == game else "a notice is of another game"
        case _:
            return "a notice has to be an id and a time"


class Outbox:
    """The notices of every game, by due moment; `now` gives unix seconds.

    The write that causes a notice also stores it. The worker that claims one renews the lease while
    working on it, and finishes it.
    """

    def __init__(self, redis: Client, now: Callable[[], float]) -> None:
        self._due = DueSet(redis, keys.outbox_key, _bucket_of, now, keys.claimed_key)

    def heads(self) -> Heads:
        """The moment of the next due notice in each bucket."""
        return self._due.heads()

    def claim(
        self,
        limit: int,
        lease: float,
        which: Which = "all",
        at: float | None = None,
        heads: Heads | None = None,
    ) -> list[str]:
        """Claim up to `limit` due notices: others see them again `lease` seconds after `at`.

        `heads`, if given, names the buckets to ask, and is updated.
        """
        return self._due.claim(limit, lease, which, at, heads)

    def renew(self, notices: Collection[str], lease_end: float, until: float) -> set[str]:
        """Renew the leases of claimed notices; returns those still held."""
        return self._due.renew(notices, lease_end, until)

    def renew_and_read(
        self,
        notices: Collection[str],
        lease_end: float,
        until: float,
        queries: Sequence[Query[Any]],
    ) -> tuple[set[str], list[Any]]:
        """Renew leases as `renew` does, and return the raw replies to these queries; one round
        trip."""
        return self._due.renew_and_read(notices, lease_end, until, queries)

    def waiting_since(self) -> dict[str, float]:
        """The original due moment of each claimed notice, in unix seconds."""
        return self._due.waiting_since()

    def add(self, notice: Notice) -> None:
        """Add a notice that no event causes; an existing one stays as it is."""
        self._due.add(notice.id, notice.due)

    def finish(self, notice: str) -> None:
        """Remove a notice that was sent or is obsolete."""
        self._due.finish(notice)

    def finish_all(self, notices: Sequence[str]) -> None:
        """Remove notices in one round trip."""
        self._due.finish_all(notices)

    def add_run(self, notice: Notice) -> Run:
        """The script run of `add`, to be executed with others."""
        return self._due.add_run(notice.id, notice.due)

    def finish_run(self, notice: str) -> Run:
        """The script run of `finish`."""
        return self._due.finish_run(notice)

    def postpone(self, notice: str, until: float) -> None:
        """Move a notice's due moment to `until`, unless it is finished."""
        self._due.postpone(notice, until)

    def pending_query(self, notice: str) -> Query[bool]:
        """The query for whether a notice is unfinished."""
        return self._due.pending_query(notice)

    def since_query(self, notice: str) -> Query[float | None]:
        """The query for the original due moment (unix seconds) of a claimed notice; None if
        unclaimed."""
        return self._due.since_query(notice)

    def due_queries(self, before: float) -> list[Query[int]]:
        """The queries for the numbers of unclaimed notices in each bucket due before this
        moment."""
        return [self._due.due_query(bucket, before) for bucket in range(keys.BUCKETS)]

    def claimed_queries(self) -> list[Query[list[float]]]:
        """The queries for the original due moments of each bucket's claimed notices."""
        return [self._due.claimed_query(bucket) for bucket in range(keys.BUCKETS)]

    def late(self, before: float, limit: int = 100) -> list[Notice]:
        """Notices due before this moment; of unclaimed ones, the `limit` longest due in each
        bucket."""
        claimed = self.waiting_since()
        due_moments = dict(self._due.longest_due(before, limit)) | claimed
        return [Notice(notice, at) for notice, at in due_moments.items() if at < before]

    def pending(self) -> Iterator[Notice]:
        """Every unfinished notice; `due` of a claimed one is the end of its lease."""
        return (Notice(*due) for due in self._due.pending())


def check_due(game_id: str, notices: Sequence[Notice], deadline: float | None) -> None:
    """Raise ValueError for values that would stop a script between two writes, or be lost after
    it."""
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
