"""Records where each notice was told, and hands it to its player's channels.

A player's channels get a notice at once, fallbacks only after all of those have finally failed.
Each turn and each end has one mail: our answer to a player's mail, or the notice's own. A notice
waits while its player's mail is being answered, and sends no mail once an answer has shown it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from engine import Seat
from service.accounts.channels import Channel, channel_group, in_order, notice_channel
from service.accounts.channels.deliveries import LedgerEntries, RecordedOutcome
from service.accounts.notice_kinds import DIGEST
from service.core.ids import PLAYER_ID
from service.core.redis.batch import Run, execute_with_runs
from service.core.times import unix
from service.eventlog import Notice, NoticeParts, notice_id
from service.games import StoredGame
from service.games.deadlines import turn_begun
from workers.context import WorkerContext
from workers.due import DueNotice
from workers.leases import retry_until_saved
from workers.mail.mailer import Message

MAIL: Final = "mail"
_SETTLED: Final = ("waiting", "reached", "chosen")


def is_fanned_out(notice: NoticeParts) -> bool:
    """Whether this notice goes to its player on all channels."""
    return bool(re.fullmatch(PLAYER_ID, notice.recipient)) and (
        notice.kind == DIGEST or channel_group(notice.kind) is not None
    )


def fan_out(context: WorkerContext, due: DueNotice, *, by_mail: bool) -> None:
    """Create this notice on each channel. May be repeated: each channel sends it once."""
    execute_with_runs(context.container.redis, [], fan_out_runs(context, due, by_mail=by_mail))


def fan_out_runs(context: WorkerContext, due: DueNotice, *, by_mail: bool) -> list[Run]:
    """Return the script runs that make up `fan_out`, for sending together with others."""
    chosen, _ = in_order(due.wanting(), by_mail=by_mail)
    if not chosen:
        return []
    waiting = [context.container.ledger.waiting_run(due.notice, MAIL)] if by_mail else []
    # The earliest moment at which a message about the subject can have been sent; 0 if unknown: an
    # offer's notice is numbered by its minute, far above every version.
    stored, since = due.stored, 0
    if stored is not None and stored.turn_version <= due.notice.version <= stored.version:
        since = turn_begun(stored)
    outcomes = due.entries.of_notice(due.notice)
    return [*waiting, *_channel_runs(context, due.notice, chosen, outcomes, since)]


def record_failure(context: WorkerContext, notice: NoticeParts, channel: str) -> None:
    """Record that this notice will not arrive on a channel; if it arrived on none, the fallbacks
    send it."""
    container = context.container
    container.ledger.record(notice, channel, "failed")
    outcomes = container.ledger.of_notice(notice)
    if any(one.outcome in _SETTLED for one in outcomes.values()):
        return
    channels = container.channels.all(notice.recipient)
    wanting = (one for one in channels if one.delivers(notice.kind, notice.subject))
    fallbacks = [channel for channel in wanting if channel.fallback]
    execute_with_runs(container.redis, [], _channel_runs(context, notice, fallbacks, outcomes))


def record_mailed(context: WorkerContext, notice: NoticeParts, message: Message) -> None:
    """Record that the player was notified by this mail, unless earlier mails to their address have
    bounced."""
    if not is_fanned_out(notice):
        return

    def save() -> None:
        if context.container.addresses.failing.is_dead(message.recipient):
            record_failure(context, notice, MAIL)
        else:
            context.container.ledger.record(notice, MAIL, "reached")

    retry_until_saved(save)  # or the mail would be sent once more


def _channel_runs(
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


_ANSWER: Final = "answer"
"""The kind under which the ledger records that an answer has shown a turn, or the end of a game."""


class CoveredTurn(NamedTuple):
    """A turn or the end of a game, and the `notice` about it for the player in `seat`. Any mail of
    this kind since version `since` covers it; that version is of the moment `begun` (unix
    seconds)."""

    notice: NoticeParts
    since: int
    begun: int
    seat: Seat

    def is_mailed(self, entries: LedgerEntries) -> bool:
        """Whether a mail has reported it already: the notice's own, or an answer."""
        return bool(entries.by_mail(self.since, self.begun) & {self.notice.kind, _ANSWER})


def covered_by_notice(notice: NoticeParts, stored: StoredGame | None) -> CoveredTurn | None:
    """Return the turn or the end that this notice reports; None for other notices."""
    seat = stored and stored.seat_of(notice.recipient)
    if notice.kind not in ("turn", "over") or stored is None or seat is None:
        return None
    if stored.game.over:
        return CoveredTurn(notice, stored.version, unix(stored.latest), seat)
    return CoveredTurn(notice, stored.turn_version, turn_begun(stored), seat)


def covered_by_answer(stored: StoredGame, player: str | None) -> CoveredTurn | None:
    """Return the turn or the end that an answer to this player shows; None if neither."""
    kind = "over" if stored.game.over else "turn"
    players = stored.players if stored.game.over else [stored.player_to_move()]
    if player is None or player not in players:
        return None
    return covered_by_notice(NoticeParts(stored.id, stored.version, player, MAIL, kind), stored)


def record_answer(context: WorkerContext, covered: CoveredTurn, message: Message) -> None:
    """Record that the answer was sent, unless mails to its address have bounced."""
    if not context.container.addresses.failing.is_dead(message.recipient):
        answer = covered.notice._replace(kind=_ANSWER)
        retry_until_saved(lambda: context.container.ledger.record(answer, MAIL, "reached"))
