"""Upkeep, about which nobody gets a message: calendars, logs, guests, held flags, deadlines."""

from typing import Final, Literal

from service.bots import bot_at
from service.core.durations import HOUR, MINUTE
from service.core.timestamps import unix
from service.eventlog import Notice, notice_id
from service.ops.operating import finish_left, remove_left
from workers.context import WorkerContext
from workers.due import DueNotice

PERIOD: Final = MINUTE
"""Seconds between two checks whether the player was notified."""


def write_calendar(context: WorkerContext, due: DueNotice) -> Literal["listed"]:
    """Write the player's calendar into their running games."""
    context.container.games.calendars.apply(due.notice.recipient)
    return "listed"


def compact(context: WorkerContext, due: DueNotice) -> Literal["compacted", "dropped"]:
    """Compact the log of a finished game if it is still at the notice's version."""
    events, notice = context.container.log.events, due.notice
    if events.version(notice.subject) != notice.version:
        return "dropped"
    return "compacted" if events.compact(notice.subject) else "dropped"


def expire_guest(context: WorkerContext, due: DueNotice) -> Literal["postponed", "dropped"]:
    """Close the account of an unused guest; postpone the notice while the account is in use."""
    next_check = context.container.guests.expire_if_unused(due.notice.recipient)
    if next_check is None:
        return "dropped"
    context.container.log.outbox.postpone(notice_id(*due.notice), next_check)
    return "postponed"


def check_flag(context: WorkerContext, due: DueNotice) -> Literal["postponed", "dropped"]:
    """Start the player's time if they have been notified; otherwise check again later."""
    container, notice = context.container, due.notice
    if due.game is None or not container.games.release_if_notified(notice.subject):
        return "dropped"
    container.log.outbox.postpone(notice_id(*notice), container.now() + PERIOD)
    return "postponed"


def end_if_left(context: WorkerContext, due: DueNotice) -> Literal["postponed", "dropped"]:
    """Remove a game without a clock, and so without a rating, that its only person has left.

    A real game is left only by a guest: others can come back from anywhere. Postpone the notice if
    somebody has played meanwhile, or could not because of an outage.
    """
    container, stored = context.container, due.stored
    if stored is None or stored.left_at is None:
        finish_left(container, due.notice.subject)
        return "dropped"
    now, left_at = container.now(), stored.left_at
    liveness, since = container.outages.liveness(), unix(stored.latest)
    left_at += sum(end - max(begin, since) for begin, end in liveness.outages if end > since)
    is_left = left_at <= now and liveness.fresh
    person = next(player for player in stored.players if bot_at(player) is None)
    player = container.players.find(person)
    if is_left and stored.is_real and (player is None or not container.guests.is_guest(player)):
        return "dropped"
    if is_left and remove_left(container, stored, Notice(due.id, now + MINUTE)):
        return "dropped"
    container.log.outbox.postpone(due.id, max(left_at, now + HOUR))
    return "postponed"


def time_out(context: WorkerContext, game_id: str) -> Literal["timed-out", "put-off", "in-time"]:
    """End the round that a player has lost on time, or the game that nobody joined.

    Do nothing if somebody has moved meanwhile, the server is out of order, or the end is postponed.
    """
    after = context.container.games.time_out(game_id)
    if after is None:
        return "in-time"
    return "put-off" if after.clock_only_events else "timed-out"
