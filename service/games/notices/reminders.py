"""Reminders: when the player to move is told that the time for the turn is passing.

Their notices come with the turn, and their ids name the version at which it began. When one falls
due it is looked at again: by then the turn may be over, or the deadline another.
"""

from collections.abc import Mapping
from typing import Final

from service.accounts.mail_preferences import LAST_REMINDER, REMINDER
from service.bots import bot_at
from service.eventlog import Notice, notice_id, parse_notice_id
from service.games.repository import StoredGame

SHARES: Final[Mapping[str, tuple[int, int]]] = {REMINDER: (1, 2), LAST_REMINDER: (9, 10)}
"""How much of the turn's time has passed at each kind of reminder: a share, of so many."""


def reminder_at(stored: StoredGame, kind: str) -> int | None:
    """When this reminder is due, in unix seconds; None where the player has all the time."""
    return None if stored.clock is None else stored.clock.after_share(*SHARES[kind])


def reminder_notices(stored: StoredGame) -> list[Notice]:
    """The reminders for the player to move; none for a bot, or without a clock."""
    mover = stored.player_to_move()
    if mover is None or bot_at(mover) is not None:
        return []
    return [
        Notice(notice_id(stored.id, stored.turn_version, mover, "mail", kind), due)
        for kind in SHARES
        if (due := reminder_at(stored, kind)) is not None
    ]


def moved_reminders(before: StoredGame, after: StoredGame, now: float) -> list[Notice]:
    """The reminders that come at another time by what has happened to the clock.

    One whose time had come was sent and does not come again, unless the turn's time begins anew.
    """
    begins_anew = before.untold_until is not None and after.untold_until is None
    return [
        notice
        for notice in reminder_notices(after)
        for was_due in [reminder_at(before, parse_notice_id(notice.id).kind)]
        if notice.due > now and (begins_anew or was_due is None or was_due > now)
    ]
