"""From one notice to a notice for each of a player's channels, and to those that stand in.

A player's channels are told at once; a fallback only where all of them have failed for good.
"""

import re
from collections.abc import Iterable
from typing import Final

from service.accounts.channels import Channel, channel_group, in_order, notice_channel
from service.accounts.channels.delivery_ledger import NoticeOutcome
from service.core.ids import PLAYER_ID
from service.eventlog import Notice, NoticeParts, notice_id
from service.games.deadlines.turn_awareness import turn_begun
from workers.context import WorkerContext
from workers.mail.timing import DIGEST
from workers.prefetch import Prefetched

MAIL: Final = "mail"
_SETTLED: Final = ("waiting", "reached", "chosen")


def is_fanned_out(notice: NoticeParts) -> bool:
    """Whether a notice is one that goes to a player by all channels."""
    return bool(re.fullmatch(PLAYER_ID, notice.recipient)) and (
        notice.kind == DIGEST or channel_group(notice.kind) is not None
    )


def fan_out(context: WorkerContext, found: Prefetched, *, by_mail: bool) -> None:
    """Let each channel tell this notice. May be repeated: each tells it once."""
    chosen, _ = in_order(found.wanting(), by_mail=by_mail)
    if not chosen:
        return
    if by_mail:
        context.container.ledger.note_waiting(found.notice, MAIL)
    _add(context, found.notice, chosen, since=_since(found))


def note(context: WorkerContext, notice: NoticeParts, channel: str, outcome: NoticeOutcome) -> None:
    """Note what became of a notice on a channel; nothing of a player who closed their account
    while it was sent."""
    if context.container.players.find(notice.recipient) is not None:
        context.container.ledger.note(notice, channel, outcome)


def note_failed(context: WorkerContext, notice: NoticeParts, channel: str) -> None:
    """Note that this notice will not arrive by a channel; the fallbacks tell it if none has."""
    note(context, notice, channel, "failed")
    outcomes = context.container.ledger.of_notice(notice).values()
    if any(one.outcome in _SETTLED for one in outcomes):
        return
    channels = context.container.channels.all(notice.recipient)
    wanting = (one for one in channels if one.tells(notice.kind, notice.subject))
    _add(context, notice, [channel for channel in wanting if channel.fallback])


def _since(found: Prefetched) -> int:
    """The moment before which nothing can have been told of what this notice is about."""
    stored = found.game and found.game.stored
    # An offer's notice is named by its minute, far above every version.
    if stored is None or not stored.turn_version <= found.notice.version <= stored.version:
        return 0
    return turn_begun(stored)


def _add(
    context: WorkerContext, notice: NoticeParts, channels: Iterable[Channel], since: int = 0
) -> None:
    container = context.container
    outcomes = container.ledger.of_notice(notice)
    for channel in channels:
        named = notice_channel(channel)
        if named in outcomes and outcomes[named].at >= since:
            continue
        # In this order: whatever a crash leaves undone is done when this is repeated.
        own = notice_id(*notice._replace(transport=named))
        container.log.outbox.add(Notice(own, container.now()))
        container.ledger.note_waiting(notice, named)
