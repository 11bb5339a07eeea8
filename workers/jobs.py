"""The jobs in the queues, by name: `workers.jobs.NAME`. Nothing imports them to enqueue them.

Each holds its claims while it works, and skips claims that have passed on to another job. Notices
are read together, prepared together, and then each is carried out and removed.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Literal

from service.accounts.channels import channel_id_of
from service.core import logs
from service.core.errors import STORE_FAILURE
from service.core.redis.batch import Query, execute_with_runs
from service.core.redis.client import unavailable
from service.core.times import DAY, HOUR
from service.eventlog import NoticeParts, parse_notice_id
from service.games.conversations import NOTICE as MESSAGE
from service.games.reading.views import people_in
from workers import chores, outcomes
from workers.channels import transport
from workers.channels.message import DeliveryError
from workers.context import WorkerContext, get_context
from workers.deliver import ReaderMail, is_mailed, must_reserve, send_mail
from workers.due import DueBatch, DueNotice
from workers.leases import Lease, retry_until_saved
from workers.mail.compose import message_id
from workers.mail.mailer import LAST_TIMEOUT, MOST_ANSWERS, TIMEOUT, is_permanent, log_failure
from workers.policy import Decision, Send

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
NAMES: Final = ("deliver_notices", "time_out")
PLAY_TIMEOUT: Final = 30 + int(BUDGET)
"""Seconds that a job may take for bots' turns, incoming mail or the end of a clock."""
WEIGH_TIMEOUT: Final = 150
"""Seconds that a job may take to weigh turns: a turn that takes too long is tried twice."""
MAIL_TIMEOUT: Final = int(BUDGET + MOST_ANSWERS * TIMEOUT + LAST_TIMEOUT) + 10
"""Seconds that a job of mails may take: the last mail may start at the end of the budget, and the
mail server may use the full time-out for each answer."""
PASSED_ON: Final = "passed on"
_REPEATABLE: Final = ("dropped", "listed")
"""Outcomes without side effects: a repeat after a crash does no harm, so their notices are removed
together, in one round trip."""
_TOLD: Final = ("sent", "played")
"""Outcomes of notices that somebody waited for, whose delays are measured."""


def deliver_notices(notice_ids: Sequence[str], lease_end: float) -> str:
    """Deliver notices; returns the outcomes of those that this job still held."""
    context = get_context()
    batch = DueBatch(context, notice_ids)
    with context.leases.hold(batch.renew, notice_ids, lease_end) as lease:
        if not lease.claims:
            return PASSED_ON
        return ", ".join(deliver_all(context, lease, batch.read()))


def time_out(game_id: str, lease_end: float) -> str:
    """End the round that a player has lost on time, or the game that nobody joined; returns the
    outcome.

    Do nothing if somebody has moved meanwhile, the server is out of order, or the end is postponed.
    """
    context = get_context()
    deadlines = context.container.log.deadlines
    with context.leases.hold(deadlines.renew, [game_id], lease_end) as lease:
        if not lease.claims:
            return PASSED_ON
        with logs.bound(game=game_id):
            after = context.container.games.time_out(game_id)
            if after is None:
                return "in-time"
            return "put-off" if after.clock_only_events else "timed-out"


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
    # A turn's mail tells the messages too, so it goes before theirs.
    claims = sorted(lease.claims, key=lambda notice_id: parse_notice_id(notice_id).kind == MESSAGE)
    notices = {notice_id: read[notice_id] for notice_id in claims}
    try:
        prepare(context, [due for due in notices.values() if isinstance(due, DueNotice)])
    except Exception as error:  # perhaps for one damaged game: each is prepared alone later
        if unavailable(error):
            raise
    found: dict[str, tuple[DeliveryOutcome, float]] = {}
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
        found[notice_id] = outcome, context.container.now()
    done = [notice_id for notice_id, (outcome, _) in found.items() if outcome in _REPEATABLE]
    retry_until_saved(lambda: context.container.log.outbox.finish_all(done))
    _measure(context, notices, found)
    return [outcome for outcome, _ in found.values()]


def _measure(
    context: WorkerContext,
    notices: Mapping[str, DueNotice | Exception],
    found: Mapping[str, tuple[DeliveryOutcome, float]],
) -> None:
    """Record the delays of delivered notices, and count those given up and the messages that their
    languages lack; `found` has the outcome of each and its moment."""
    delays, given_up = list[tuple[NoticeParts, float]](), list[NoticeParts]()
    for notice_id, (outcome, at) in found.items():
        due, parts = notices[notice_id], parse_notice_id(notice_id)
        if outcome == "dead-letter":
            given_up.append(parts)
        elif outcome in _TOLD and isinstance(due, DueNotice):
            # A retry fell due when it first failed.
            moments = [since for since in (due.due_since, due.failed_since) if since is not None]
            delays += [(parts, at - since) for since in sorted(moments)[:1]]
    with suppress(*STORE_FAILURE):  # a missing sample is no reason to repeat the notices
        if delays or given_up:
            context.container.delays.add(delays, given_up)
        context.container.untranslated.save()


def _deliver(
    context: WorkerContext, lease: Lease, notice_id: str, due: DueNotice | Exception
) -> DeliveryOutcome:
    try:
        if isinstance(due, Exception):
            raise due
        if not due.is_prepared:
            prepare(context, [due])
        handler = _HANDLERS.get(due.notice.transport)
        if due.notice.transport == "log":
            handler = chores.BY_KIND.get(due.notice.kind)
        elif _is_on_channel(due.notice):
            handler = transport.send_on_channel
        # Without a handler nothing is left: `prepare` has updated the players' lists.
        outcome = "listed" if handler is None else handler(context, due)
    except Exception as error:
        if unavailable(error):
            raise
        return _failed(context, notice_id, error) if lease.holds(notice_id) else "passed-on"
    if outcome not in ("postponed", *_REPEATABLE) and not due.is_finished:
        retry_until_saved(lambda: context.container.log.outbox.finish(notice_id))
    if due.failed_since is not None:
        context.container.dead_letters.clear_failure(notice_id)
    return outcome


_HANDLERS: Final[Mapping[str, Callable[[WorkerContext, DueNotice], DeliveryOutcome]]] = {
    outcomes.MAIL: send_mail,
    "bot": chores.play_bot,
}


def _is_on_channel(notice: NoticeParts) -> bool:
    """Whether the notice is on one of a player's own channels."""
    return "-" in notice.transport


def _failed(context: WorkerContext, notice_id: str, error: Exception) -> DeliveryOutcome:
    """Try a notice again later, or give it up: then a player's fallback channels may send it."""
    container, notice = context.container, parse_notice_id(notice_id)
    lasted = container.now() - container.dead_letters.record_failure(notice_id)
    on_channel = _is_on_channel(notice)
    is_final = error.is_permanent if isinstance(error, DeliveryError) else is_permanent(error)
    if is_final or lasted >= (transport.PATIENCE if on_channel else PATIENCE):
        if on_channel:
            transport.give_up(context, notice, notice_id, error)
        elif notice.transport == outcomes.MAIL and outcomes.is_fanned_out(notice):
            outcomes.record_failure(context, notice, outcomes.MAIL)
        container.dead_letters.add(notice_id, repr(error))
        container.log.outbox.finish(notice_id)
        _log_failure(context, notice, error, "is now a dead letter", is_final=True)
        return "dead-letter"
    pause = min(max(lasted, FIRST_PAUSE), LONGEST_PAUSE)
    if isinstance(error, DeliveryError):
        pause = max(pause, error.wait)
        # The channel pauses too, and then sends this message before any other.
        channel = channel_id_of(notice.transport)
        container.channels.record_failure(notice.recipient, channel, error.why, pause)
    container.log.outbox.postpone(notice_id, container.now() + pause)
    _log_failure(context, notice, error, f"will be tried again in {pause:.0f} s", is_final=False)
    return "postponed"


def _log_failure(
    context: WorkerContext, notice: NoticeParts, error: Exception, follows: str, *, is_final: bool
) -> None:
    """Log a failure; for mail without the mail server's text, which contains addresses."""
    if notice.transport == outcomes.MAIL:
        log_failure(notice, message_id(context, notice), error, is_final=is_final)
        return
    level = logging.ERROR if is_final else logging.WARNING
    log.log(level, "notice %s %s: %r", ".".join(map(str, notice)), follows, error)


_Asked = tuple[Query[object], Callable[[object], None]]
"""A query, and the function that takes its result."""


def prepare(context: WorkerContext, notices: Sequence[DueNotice]) -> None:
    """Prepare notices before the first is sent, in one round trip for all of them: update the
    players' lists and ratings (the writer of a notice may have died before doing so), read players'
    names and the failures of addresses, claim the one mail until the next visit for players who
    want only that, and create the channels' notices.

    May be repeated.
    """
    container = context.container
    games = {due.stored.id: due.stored for due in notices if due.stored is not None}
    people = {player for stored in games.values() for player in people_in(stored)}
    # Reading a name puts it into the cache.
    asked: list[_Asked] = [
        (query, _ignore) for query in container.players.unknown_name_queries(people)
    ]
    runs, fanned_out = container.games.index.runs(*games.values()), list[DueNotice]()
    for due in notices:
        if due.notice.transport != outcomes.MAIL:
            continue
        if due.recipient is not None and due.recipient.email is not None:
            failure = container.addresses.failing.find_query(due.recipient.email)
            asked.append((failure, partial(setattr, due, "address_failure")))
        decision = _planned(context, due)
        if not isinstance(decision, Send):
            continue
        if must_reserve(due, decision):  # the answer decides which channels report it
            reserving = container.deferred_notices.reserve_queries(due.notice.recipient, due.id)
            takers = _ignore, partial(setattr, due, "visit_notice")
            asked += zip(reserving, takers, strict=True)
        else:
            runs += outcomes.fan_out_runs(context, due, by_mail=is_mailed(decision))
            fanned_out.append(due)
    replies, _ = execute_with_runs(container.redis, [query for query, _ in asked], runs)
    for (query, take), reply in zip(asked, replies, strict=True):
        take(query.parse(reply))
    for stored in games.values():
        container.games.ratings.apply(stored)
    for due in notices:
        due.is_prepared = True
    for due in fanned_out:
        due.is_fanned_out = True


def _ignore(result: object) -> None:
    """Do nothing."""


def _planned(context: WorkerContext, due: DueNotice) -> Decision | None:
    """Return the policy's decision on a notice to a reader at this moment; None for others."""
    try:
        return ReaderMail(context, due).plan() if due.kind.is_to_reader else None
    except Exception as error:  # a damaged log, which its handler reports
        if unavailable(error):
            raise
        return None
