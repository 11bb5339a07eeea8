"""The outbox: notices of work caused by events, stored until the work is done.

A notice's id identifies it completely, so the same event never causes the same notice twice.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

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
