"""Ensures one mail for each turn and for a game's end: our answer to a player's mail, or the
notice's own mail. A notice waits while its player's mail is being answered. Once an answer has
shown the turn or the end, the notice sends no mail.
"""

from typing import Final, NamedTuple

from engine import Seat
from service.accounts.channels.deliveries import LedgerEntries
from service.core.timestamps import unix
from service.eventlog import NoticeParts
from service.games import StoredGame
from service.games.deadlines.turn_awareness import turn_begun
from workers.channels.fan_out import MAIL
from workers.context import WorkerContext
from workers.mail.message import Message
from workers.retrying import retry_until_saved

_ANSWER: Final = "answer"
"""The kind under which the ledger records that an answer has shown a turn, or the end of a game."""
_KINDS: Final = ("turn", "over")


class CoveredTurn(NamedTuple):
    """A turn or the end of a game, and the `notice` about it for the player in `seat`. Any mail of
    this kind since version `since` covers it; that version is of the moment `begun` (unix
    seconds)."""

    notice: NoticeParts
    since: int
    begun: int
    seat: Seat


def of_notice(notice: NoticeParts, stored: StoredGame | None) -> CoveredTurn | None:
    """Return the turn or the end that this notice reports; None for other notices."""
    seat = stored and stored.seat_of(notice.recipient)
    if notice.kind not in _KINDS or stored is None or seat is None:
        return None
    if stored.game.over:
        return CoveredTurn(notice, stored.version, unix(stored.latest), seat)
    return CoveredTurn(notice, stored.turn_version, turn_begun(stored), seat)


def of_answer(stored: StoredGame, player: str | None) -> CoveredTurn | None:
    """Return the turn or the end that an answer to this player shows; None if neither."""
    kind = "over" if stored.game.over else "turn"
    players = stored.players if stored.game.over else [stored.player_to_move()]
    if player is None or player not in players:
        return None
    return of_notice(NoticeParts(stored.id, stored.version, player, MAIL, kind), stored)


def is_covered(entries: LedgerEntries, covered: CoveredTurn) -> bool:
    """Whether a mail has reported this turn or end already: the notice's own, or an answer."""
    kinds = entries.by_mail(covered.since, covered.begun)
    return bool(kinds & {covered.notice.kind, _ANSWER})


def record_answer(context: WorkerContext, covered: CoveredTurn, message: Message) -> None:
    """Record that the answer was sent, unless mails to its address have bounced."""
    if not context.container.addresses.failing.is_dead(message.recipient):
        answer = covered.notice._replace(kind=_ANSWER)
        retry_until_saved(lambda: context.container.ledger.record(answer, MAIL, "reached"))
