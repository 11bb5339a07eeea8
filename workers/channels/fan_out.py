"""Turns one notice into a notice for each of a player's channels, and for fallback channels.

A player's channels get it at once, fallbacks only after all of those have finally failed.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from service.accounts.channels import Channel, channel_group, in_order, notice_channel
from service.accounts.channels.deliveries import NoticeOutcome, RecordedOutcome
from service.core.ids import PLAYER_ID
from service.core.redis.batch import Run, execute_with_runs
from service.eventlog import Notice, NoticeParts, notice_id
from service.games.deadlines.turn_awareness import turn_begun
from workers.context import WorkerContext
from workers.due import DueNotice
from workers.kinds import DIGEST

MAIL: Final = "mail"
_SETTLED: Final = ("waiting", "reached", "chosen")


def is_fanned_out(notice: NoticeParts) -> bool:
    """Whether this notice goes to its player on all channels."""
    return bool(re.fullmatch(PLAYER_ID, notice.recipient)) and (
        notice.kind == DIGEST or channel_group(notice.kind) is not None
    )


def fan_out(context: WorkerContext, due: DueNotice, *, by_mail: bool) -> None:
    """Create this notice on each channel. May be repeated: each channel sends it once."""
    execute_with_runs(context.container.redis, [], runs(context, due, by_mail=by_mail))


def runs(context: WorkerContext, due: DueNotice, *, by_mail: bool) -> list[Run]:
    """Return the script runs that make up `fan_out`, for sending together with others."""
    chosen, _ = in_order(due.wanting(), by_mail=by_mail)
    if not chosen:
        return []
    waiting = [context.container.ledger.waiting_run(due.notice, MAIL)] if by_mail else []
    outcomes = due.entries.of_notice(due.notice)
    return [*waiting, *_runs(context, due.notice, chosen, outcomes, _since(due))]


def record(
    context: WorkerContext, notice: NoticeParts, channel: str, outcome: NoticeOutcome
) -> None:
    """Record the outcome of a notice on a channel."""
    context.container.ledger.record(notice, channel, outcome)


def record_failure(context: WorkerContext, notice: NoticeParts, channel: str) -> None:
    """Record that this notice will not arrive on a channel; if it arrived on none, the fallbacks
    send it."""
    record(context, notice, channel, "failed")
    container = context.container
    outcomes = container.ledger.of_notice(notice)
    if any(one.outcome in _SETTLED for one in outcomes.values()):
        return
    channels = container.channels.all(notice.recipient)
    wanting = (one for one in channels if one.delivers(notice.kind, notice.subject))
    fallbacks = [channel for channel in wanting if channel.fallback]
    execute_with_runs(container.redis, [], _runs(context, notice, fallbacks, outcomes))


def _since(due: DueNotice) -> int:
    """Return the earliest moment (unix seconds) at which a message about this notice's subject can
    have been sent; 0 if unknown."""
    stored = due.stored
    # An offer's notice is numbered by its minute, far above every version.
    if stored is None or not stored.turn_version <= due.notice.version <= stored.version:
        return 0
    return turn_begun(stored)


def _runs(
    context: WorkerContext,
    notice: NoticeParts,
    channels: Iterable[Channel],
    outcomes: Mapping[str, RecordedOutcome],
    since: int = 0,
) -> list[Run]:
    container, collected = context.container, list[Run]()
    for named in map(notice_channel, channels):
        if named in outcomes and outcomes[named].at >= since:
            continue
        # In this order: repeating this completes whatever a crash has left undone.
        own = notice_id(*notice._replace(transport=named))
        collected.append(container.log.outbox.add_run(Notice(own, container.now())))
        collected.append(container.ledger.waiting_run(notice, named))
    return collected
