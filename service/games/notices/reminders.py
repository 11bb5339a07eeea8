"""Notices about a turn's time: reminders that it is passing, and that a pause is over.

They are made with the turn, and again when an agreed pause or a gift of time changes its time. A
reminder's id contains the version of that change; the id of a notice that a pause is over contains
the minute of its end. When a notice is due it is checked again: by then the turn may be over, or
its time changed.
"""

from collections.abc import Mapping
from math import inf
from typing import Final

from service.accounts.mail_preferences import LAST_REMINDER, REMINDER
from service.bots import bot_at
from service.core.durations import MINUTE
from service.core.timestamps import unix
from service.eventlog import Notice, notice_id
from service.games.stored_game import StoredGame

SHARES: Final[Mapping[str, tuple[int, int]]] = {REMINDER: (1, 2), LAST_REMINDER: (9, 10)}
"""The share of the turn's time that has passed at each kind of reminder: numerator, denominator."""
CLOCK_RUNS: Final = "clock-runs"
"""The kind of notice telling the player to move that an agreed pause is over."""


def reminder_at(stored: StoredGame, kind: str) -> int | None:
    """The moment when this reminder is due, in unix seconds; None if the turn has no end."""
    return None if stored.clock is None else stored.clock.after_share_of_rest(*SHARES[kind])


def pause_over_at(stored: StoredGame) -> int | None:
    """The end of the last agreed pause in this turn, in unix seconds; None without a pause or
    end."""
    clock = stored.clock
    pause = None if clock is None else clock.paused()
    if clock is None or clock.turn_since is None or pause is None or pause.end is None:
        return None
    return pause.end if pause.end > clock.turn_since else None


def turn_time_notices(stored: StoredGame) -> list[Notice]:
    """The notices about the turn's time for the player to move: reminders, and the end of a pause.

    Empty for a bot, or without a clock.
    """
    mover = stored.player_to_move()
    if mover is None or bot_at(mover) is not None:
        return []
    reminders = [
        Notice(notice_id(stored.id, stored.timed_version, mover, "mail", kind), due)
        for kind in SHARES
        if (due := reminder_at(stored, kind)) is not None
    ]
    over = pause_over_at(stored)
    lasts = over is not None and over > unix(stored.latest)
    return [*reminders, _over(stored, mover, over, over)] if over and lasts else reminders


def moved_notices(
    before: StoredGame, after: StoredGame, actor: str | None, now: float, due: float
) -> list[Notice]:
    """The notices whose moments changed with the clock.

    If the clock was moved beyond them, they are due now. A reminder that was already sent does not
    come again, unless a pause or a gift changes the turn's time, or it restarts. The notice that a
    pause is over is `due` soon, unless the player to move ended it.
    """
    restarts = before.untold_until is not None and after.untold_until is None
    was_due = {notice.id: notice.due for notice in turn_time_notices(before)}
    moved = [
        notice
        for notice in turn_time_notices(after)
        if (notice.due > now and (restarts or was_due.get(notice.id, inf) > now))
        or notice.due <= now < was_due.get(notice.id, 0)
    ]
    mover = after.player_to_move()
    if mover is None or mover == actor or bot_at(mover) is not None:
        return moved
    over = pause_over_at(after)
    if after.retimed > before.version and over == unix(after.latest):
        moved.append(_over(after, mover, over, due))
    return moved


def _over(stored: StoredGame, mover: str, over: int, due: float) -> Notice:
    return Notice(notice_id(stored.id, over // MINUTE, mover, "mail", CLOCK_RUNS), due)
