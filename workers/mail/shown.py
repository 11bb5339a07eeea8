"""One mail of each turn, and of a game's end: our answer to a player's mail, or the notice's own.

The answer comes first: a notice waits while a mail of its player is being answered. Once an answer
has shown the same, the mail of the notice would only ask or tell it again.
"""

from typing import Final, NamedTuple

from engine import Seat
from service.accounts.channels.delivery_ledger import LedgerEntries
from service.core.timestamps import unix
from service.eventlog import NoticeParts
from service.games import StoredGame
from service.games.deadlines.turn_awareness import turn_begun
from workers.channels.fan_out import MAIL
from workers.context import WorkerContext
from workers.mail.message import Message
from workers.retrying import retry_until_saved

_ANSWER: Final = "answer"
"""The kind under which it is noted that an answer has shown a turn, or the end of a game."""
_KINDS: Final = ("turn", "over")


class CoveredTurn(NamedTuple):
    """The notice that tells the player in `seat` of a turn or of the end; a mail of the same kind
    shows the same from version `since` on, which came at the moment `begun` (unix seconds)."""

    notice: NoticeParts
    since: int
    begun: int
    seat: Seat


def of_notice(notice: NoticeParts, stored: StoredGame | None) -> CoveredTurn | None:
    """What this notice tells; None where an answer never does."""
    seat = stored and stored.seat_of(notice.recipient)
    if notice.kind not in _KINDS or stored is None or seat is None:
        return None
    if stored.game.over:
        return CoveredTurn(notice, stored.version, unix(stored.latest), seat)
    return CoveredTurn(notice, stored.turn_version, turn_begun(stored), seat)


def of_answer(stored: StoredGame, player: str | None) -> CoveredTurn | None:
    """What an answer to this player shows: their turn, or the end; None where it is neither."""
    kind = "over" if stored.game.over else "turn"
    told = stored.players if stored.game.over else [stored.player_to_move()]
    if player is None or player not in told:
        return None
    return of_notice(NoticeParts(stored.id, stored.version, player, MAIL, kind), stored)


def is_covered(entries: LedgerEntries, covered: CoveredTurn) -> bool:
    """Whether the mail of the notice was sent before, or an answer has shown the same."""
    told = entries.by_mail(covered.since, covered.begun)
    return bool(told & {covered.notice.kind, _ANSWER})


def note_answer(context: WorkerContext, covered: CoveredTurn, message: Message) -> None:
    """Note that the answer was sent, unless mails to its address have come back."""
    if not context.container.addresses.failing.is_dead(message.recipient):
        answer = covered.notice._replace(kind=_ANSWER)
        retry_until_saved(lambda: context.container.ledger.note(answer, MAIL, "reached"))
