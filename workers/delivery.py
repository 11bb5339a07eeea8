"""Delivering notices: check that each is still true, do what it asks for, remove it."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from service.core.durations import DAY, HOUR
from service.core.redis.client import unavailable
from service.eventlog import NoticeParts, parse_notice_id
from service.games.calendars.notices import CALENDAR
from service.games.notices.notifications import FLAG_HELD, UNUSED_GUEST
from service.mail_in.intake import READ
from workers import delays
from workers.channels import fan_out
from workers.channels.errors import DeliveryError
from workers.context import WorkerContext
from workers.handlers import bot, calendar, channel, compaction, guest, mail, mail_in, untold
from workers.leases import Lease
from workers.mail import mail_log
from workers.mail.compose import message_id
from workers.mail.mailer import is_permanent
from workers.prefetch import Prefetched, prefetch
from workers.retrying import retry_until_saved

log = logging.getLogger(__name__)

DeliveryOutcome = Literal[
    "sent",
    "compacted",
    "listed",
    "played",
    "dropped",
    "postponed",
    "dead-letter",
    "released",
    "passed-on",
]

# Seconds. Each pause is as long as the trouble has lasted, within these.
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 6.0 * HOUR
PATIENCE: Final = 3.0 * DAY
BUDGET: Final = 10.0
"""Seconds after which a job begins no other of its notices: with a slow mail server they go back,
for other workers."""

Handler = Callable[[WorkerContext, Prefetched], DeliveryOutcome]


def deliver_all(context: WorkerContext, lease: Lease) -> list[DeliveryOutcome]:
    """Do what the notices of this lease ask for, unless it is no longer true or wanted.

    A failure is tried again later, for three days; then the notice becomes a dead letter, which an
    operator sees. What is not held any more is left to others. Raises only while Redis cannot be
    reached: what is not done falls due again. A crash between sending and removing sends that one
    mail again.
    """
    end = time.monotonic() + BUDGET
    due = delays.due_times(context, lease.claims)
    found = prefetch(context, lease.claims)
    listed = _list(context, found)
    outcomes: dict[str, tuple[DeliveryOutcome, float]] = {}
    for notice_id, one in zip(lease.claims, found, strict=True):
        outcome: DeliveryOutcome
        if not lease.holds(notice_id):
            outcome = "passed-on"
        elif time.monotonic() > end:
            lease.release([notice_id])
            outcome = "released"
        else:
            outcome = _deliver(context, lease, notice_id, one, listed)
        outcomes[notice_id] = outcome, context.container.now()
    delays.count(context, due, outcomes)
    return [outcome for outcome, _ in outcomes.values()]


def _list(context: WorkerContext, found: Sequence[Prefetched | Exception]) -> bool:
    """Bring the players' lists up to date: the writer of a notice may have died before it did.

    False if this failed: one of the games may be damaged.
    """
    games = [one.game.stored for one in found if isinstance(one, Prefetched) and one.game]
    try:
        context.container.games.project(*games)
    except Exception as error:
        if unavailable(error):
            raise
        return False
    return True


def _deliver(
    context: WorkerContext,
    lease: Lease,
    notice_id: str,
    found: Prefetched | Exception,
    listed: bool,
) -> DeliveryOutcome:
    try:
        if isinstance(found, Exception):
            raise found
        if not listed and found.game:
            context.container.games.project(found.game.stored)
        outcome = _handler(found)(context, found)
    except Exception as error:
        if unavailable(error):
            raise
        return _failed(context, notice_id, error) if lease.holds(notice_id) else "passed-on"
    if outcome != "postponed":
        retry_until_saved(lambda: context.container.log.outbox.finish(notice_id))
    if found.has_failed:
        context.container.dead_letters.clear_failure(notice_id)
    return outcome


def _handler(found: Prefetched) -> Handler:
    """The handler for a notice: by its channel, of which a player's own share one, on the channel
    `log` by its kind."""
    if found.notice.transport == "log":
        return _LOG_HANDLERS.get(found.notice.kind, _done)
    if _is_players(found.notice):
        return channel.send
    return _HANDLERS.get(found.notice.transport, _done)


def _is_players(notice: NoticeParts) -> bool:
    """Whether the notice is on a channel of a player's own."""
    return "-" in notice.transport


def _done(context: WorkerContext, found: Prefetched) -> DeliveryOutcome:
    """The players' lists are up to date by now, and that was all."""
    return "listed"


_HANDLERS: Final[Mapping[str, Handler]] = {"mail": mail.send, "bot": bot.play}
_LOG_HANDLERS: Final[Mapping[str, Handler]] = {
    "pack": compaction.compact,
    UNUSED_GUEST: guest.expire,
    FLAG_HELD: untold.look,
    READ: mail_in.process,
    CALENDAR: calendar.apply,
}


def _failed(context: WorkerContext, notice_id: str, error: Exception) -> DeliveryOutcome:
    container, notice = context.container, parse_notice_id(notice_id)
    lasted = container.now() - container.dead_letters.record_failure(notice_id)
    patience = channel.PATIENCE if _is_players(notice) else PATIENCE
    if _is_permanent(error) or lasted >= patience:
        _give_up(context, notice, error)
        container.dead_letters.add(notice_id, repr(error))
        container.log.outbox.finish(notice_id)
        _log_failure(context, notice, error, "is now a dead letter", is_final=True)
        return "dead-letter"
    pause = min(max(lasted, FIRST_PAUSE), LONGEST_PAUSE)
    if isinstance(error, DeliveryError):
        pause = max(pause, error.wait)
        channel.note_pause(context, notice, error, pause)
    container.log.outbox.postpone(notice_id, container.now() + pause)
    _log_failure(context, notice, error, f"will be tried again in {pause:.0f} s", is_final=False)
    return "postponed"


def _log_failure(
    context: WorkerContext, notice: NoticeParts, error: Exception, follows: str, *, is_final: bool
) -> None:
    """Log what went wrong; of a mail without the words of a mail server, which hold addresses."""
    if notice.transport == fan_out.MAIL:
        mail_log.note_failed(notice, message_id(context, notice), error, is_final=is_final)
        return
    level = logging.ERROR if is_final else logging.WARNING
    log.log(level, "notice %s %s: %r", ".".join(map(str, notice)), follows, error)


def _is_permanent(error: Exception) -> bool:
    if isinstance(error, DeliveryError):
        return error.is_permanent
    return is_permanent(error)


def _give_up(context: WorkerContext, notice: NoticeParts, error: Exception) -> None:
    """Let a player's fallbacks tell what does not arrive."""
    if _is_players(notice):
        channel.given_up(context, notice, error)
    elif notice.transport == fan_out.MAIL and fan_out.is_fanned_out(notice):
        fan_out.note_failed(context, notice, fan_out.MAIL)
