"""Whether a reminder is due: its deadline may have changed since its notice was written."""

from service.accounts.mail_preferences import LAST_REMINDER, REMINDER
from service.core.durations import DAY, MINUTE
from service.eventlog import notice_id, parse_notice_id
from service.games import StoredGame
from service.games.notices.reminders import SHARES, reminder_at, turn_time_notices
from workers.context import WorkerContext
from workers.mail.timing import Decision
from workers.prefetch import Prefetched

KINDS = tuple(SHARES)
"""The kinds of notice that remind."""
_CHOSEN = {REMINDER: ("both", "half"), LAST_REMINDER: ("both", "last")}


def held(context: WorkerContext, found: Prefetched) -> Decision | None:
    """What becomes of a reminder that is not to be sent now; None for one that is.

    The first does not come after the last. Where the clock stands still it is looked at again a day
    later.
    """
    container, kind = context.container, found.notice.kind
    stored, now = found.game.stored if found.game else None, container.now()
    if stored is None or stored.player_to_move() != found.notice.recipient:
        return Decision("dropped", "untrue")
    if stored.timed_version != found.notice.version:
        if found.notice.version >= stored.turn_version:
            _pass_on(context, stored, kind)
        return Decision("dropped", "time-changed")
    if container.outages.to_give():  # an outage has just ended, and the deadline is about to move
        container.log.outbox.postpone(notice_id(*found.notice), now + MINUTE)
        return Decision("postponed", "outage-to-give-back")
    at = reminder_at(stored, kind)
    if at is None or at > now:
        container.log.outbox.postpone(notice_id(*found.notice), at or now + DAY)
        return Decision("postponed", "too-early" if at else "clock-stands")
    if found.choice.reminders not in _CHOSEN[kind]:
        return Decision("dropped", "turned-off")
    ends = _out(stored) if kind == LAST_REMINDER else reminder_at(stored, LAST_REMINDER)
    return None if ends is not None and now < ends else Decision("dropped", "too-late")


def _pass_on(context: WorkerContext, stored: StoredGame, kind: str) -> None:
    """Let the reminder of the time as it is now come in place of one that was not sent before the
    time changed, unless it has been sent."""
    for notice in turn_time_notices(stored):
        parts = parse_notice_id(notice.id)
        if parts.kind == kind and not context.container.ledger.of_notice(parts):
            context.container.log.outbox.add(notice)


def _out(stored: StoredGame) -> int | None:
    return None if stored.clock is None else stored.clock.time_out()
