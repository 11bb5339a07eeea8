"""Delivers notices: checks that each is still true, carries it out, removes it."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from service.core import logs
from service.core.durations import DAY, HOUR
from service.core.redis.client import unavailable
from service.eventlog import NoticeParts, parse_notice_id
from service.games.analysis.service import ANALYSIS
from service.games.calendars.store import CALENDAR
from service.games.notices.notifications import FLAG_HELD, LEFT, UNUSED_GUEST
from service.mail_in.store import READ, READ_STRANGERS
from workers import delays
from workers.channels import fan_out
from workers.channels.errors import DeliveryError
from workers.context import WorkerContext
from workers.due import DueNotice
from workers.handlers import analysis, bot, channel, mail, mail_in, upkeep
from workers.leases import Lease
from workers.mail import mail_log
from workers.mail.compose import message_id
from workers.mail.mailer import is_permanent
from workers.preparing import prepare
from workers.retrying import retry_until_saved

log = logging.getLogger(__name__)

DeliveryOutcome = Literal[
    "sent",
    "compacted",
    "listed",
    "played",
    "weighed",
    "dropped",
    "postponed",
    "dead-letter",
    "released",
    "passed-on",
]

# Seconds. Each pause is as long as the failure has lasted, within these bounds.
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 6.0 * HOUR
PATIENCE: Final = 3.0 * DAY
BUDGET: Final = 10.0
"""Seconds after which a job starts no further notices: if the mail server is slow, the rest go back
to other workers."""

_REPEATABLE: Final = ("dropped", "listed")
"""Outcomes without side effects: a repeat after a crash does no harm, so their notices are removed
together, in one round trip."""

Handler = Callable[[WorkerContext, DueNotice], DeliveryOutcome]


def deliver_all(
    context: WorkerContext, lease: Lease, read: Mapping[str, DueNotice | Exception]
) -> list[DeliveryOutcome]:
    """Deliver the notices of this lease that are still true and wanted, and return their outcomes.

    A failure is retried for three days; then the notice becomes a dead letter, which an operator
    sees. Notices whose lease was lost are left to others. Raises only while Redis cannot be
    reached: unfinished notices fall due again. A crash between sending and removing sends that one
    mail again.
    """
    end = time.monotonic() + BUDGET
    notices = {notice_id: read[notice_id] for notice_id in lease.claims}
    _prepare_all(context, [due for due in notices.values() if isinstance(due, DueNotice)])
    outcomes: dict[str, tuple[DeliveryOutcome, float]] = {}
    for notice_id, due in notices.items():
        outcome: DeliveryOutcome
        if not lease.holds(notice_id):
            outcome = "passed-on"
        elif time.monotonic() > end:
            lease.release([notice_id])
            outcome = "released"
        else:
            with logs.bound(notice=notice_id):
                outcome = _deliver(context, lease, notice_id, due)
        outcomes[notice_id] = outcome, context.container.now()
    done = [notice_id for notice_id, (outcome, _) in outcomes.items() if outcome in _REPEATABLE]
    retry_until_saved(lambda: context.container.log.outbox.finish_all(done))
    times = {
        notice_id: at
        for notice_id, due in notices.items()
        if isinstance(due, DueNotice) and (at := delays.due_time(due)) is not None
    }
    delays.count(context, times, outcomes)
    return [outcome for outcome, _ in outcomes.values()]


def _prepare_all(context: WorkerContext, notices: Sequence[DueNotice]) -> None:
    """Prepare the notices together. If that fails, perhaps for one damaged game, each is prepared
    alone later."""
    try:
        prepare(context, notices)
    except Exception as error:
        if unavailable(error):
            raise


def _deliver(
    context: WorkerContext, lease: Lease, notice_id: str, due: DueNotice | Exception
) -> DeliveryOutcome:
    try:
        if isinstance(due, Exception):
            raise due
        if not due.is_prepared:
            prepare(context, [due])
        outcome = _handler(due)(context, due)
    except Exception as error:
        if unavailable(error):
            raise
        return _failed(context, notice_id, error) if lease.holds(notice_id) else "passed-on"
    if outcome not in ("postponed", *_REPEATABLE) and not due.is_finished:
        retry_until_saved(lambda: context.container.log.outbox.finish(notice_id))
    if due.failed_since is not None:
        context.container.dead_letters.clear_failure(notice_id)
    return outcome


def _handler(due: DueNotice) -> Handler:
    """Return the handler for a notice: by its transport (players' own channels share one), and on
    the transport `log` by its kind."""
    if due.notice.transport == "log":
        return _LOG_HANDLERS.get(due.notice.kind, _done)
    if _is_players(due.notice):
        return channel.send
    return _HANDLERS.get(due.notice.transport, _done)


def _is_players(notice: NoticeParts) -> bool:
    """Whether the notice is on one of a player's own channels."""
    return "-" in notice.transport


def _done(context: WorkerContext, due: DueNotice) -> DeliveryOutcome:
    """Do nothing: `prepare` has updated the players' lists already."""
    return "listed"


_HANDLERS: Final[Mapping[str, Handler]] = {"mail": mail.send, "bot": bot.play}
_LOG_HANDLERS: Final[Mapping[str, Handler]] = {
    "pack": upkeep.compact,
    UNUSED_GUEST: upkeep.expire_guest,
    FLAG_HELD: upkeep.check_flag,
    LEFT: upkeep.end_if_left,
    READ: mail_in.process,
    READ_STRANGERS: mail_in.process,
    CALENDAR: upkeep.write_calendar,
    ANALYSIS: analysis.weigh,
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
        channel.pause_channel(context, notice, error, pause)
    container.log.outbox.postpone(notice_id, container.now() + pause)
    _log_failure(context, notice, error, f"will be tried again in {pause:.0f} s", is_final=False)
    return "postponed"


def _log_failure(
    context: WorkerContext, notice: NoticeParts, error: Exception, follows: str, *, is_final: bool
) -> None:
    """Log a failure; for mail without the mail server's text, which contains addresses."""
    if notice.transport == fan_out.MAIL:
        mail_log.log_failure(notice, message_id(context, notice), error, is_final=is_final)
        return
    level = logging.ERROR if is_final else logging.WARNING
    log.log(level, "notice %s %s: %r", ".".join(map(str, notice)), follows, error)


def _is_permanent(error: Exception) -> bool:
    if isinstance(error, DeliveryError):
        return error.is_permanent
    return is_permanent(error)


def _give_up(context: WorkerContext, notice: NoticeParts, error: Exception) -> None:
    """Let a player's fallback channels send a notice that did not arrive."""
    if _is_players(notice):
        channel.given_up(context, notice, error)
    elif notice.transport == fan_out.MAIL and fan_out.is_fanned_out(notice):
        fan_out.record_failure(context, notice, fan_out.MAIL)
