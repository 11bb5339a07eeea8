"""Notices: what must be sent because of an event, each under an id that says all about it."""

import re
from typing import Any, Final, NamedTuple


class Notice(NamedTuple):
    """Something to send: a deterministic id (see `notice_id`) and when it falls due.

    `due` is in seconds since the epoch.
    """

    id: str
    due: float


class NoticeParts(NamedTuple):
    """What a notice's id says: `version` is that of the log after the event that caused it."""

    game: str
    version: int
    recipient: str
    channel: str
    kind: str


_ID: Final = re.compile(
    r"(?P<game>[a-z2-7]{16,20})\.[0-9]{1,9}\.[a-z0-9-]{1,40}\.(mail|bot|log)\.[a-z-]{1,40}"
)
_LAST_SECOND: Final = 2**33


def notice_id(game: str, version: int, recipient: str, channel: str, kind: str) -> str:
    """The one id of this notice: the same event never causes it twice.

    No part may hold a dot. `recipient` is a player's id.
    """
    parts = (game, str(version), recipient, channel, kind)
    if not all(parts) or any("." in part for part in parts):
        raise ValueError(f"a notice's id is made of five parts without dots, not of {parts}")
    return ".".join(parts)


def parse_notice_id(text: str) -> NoticeParts:
    """Read back what `notice_id` made; ValueError for any other text."""
    game, version, recipient, channel, kind = text.split(".")
    return NoticeParts(game, int(version), recipient, channel, kind)


def notice_problem(game: str, value: Any) -> str | None:
    """What is wrong with a notice of this game, as read from a file; or None."""
    match value:
        case [str(notice), int(due) | float(due)] if 0 <= due < _LAST_SECOND:
            found = _ID.fullmatch(notice)
            return None if found and found["game"] == game else "a notice is of another game"
        case _:
            return "a notice has to be an id and a time"
