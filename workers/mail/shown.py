"""One mail of each turn, and of a game's end: our answer to a player's mail, or the notice's own.

The answer comes first: a notice waits while a mail of its player is being answered. Once an answer
has shown the same, the mail of the notice would only ask or tell it again.
"""

from typing import Final, Literal, NamedTuple

from engine import Seat
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
PAUSE: Final = 2.0
"""Seconds until a notice is looked at again that waits for an answer."""

Shown = Literal["shown", "being-shown"]


class ShownTable(NamedTuple):
    """The notice that tells the player in `seat` of a turn or of the end; a mail of the same kind
    shows the same from version `since` on, which came at the moment `begun` (unix seconds)."""

    notice: NoticeParts
    since: int
    begun: int
    seat: Seat


def of_notice(notice: NoticeParts, stored: StoredGame | None) -> ShownTable | None:
    """What this notice tells; None where an answer never does."""
    seat = stored and stored.seat_of(notice.recipient)
    if notice.kind not in _KINDS or stored is None or seat is None:
        return None
    if stored.game.over:
        return ShownTable(notice, stored.version, unix(stored.latest), seat)
    return ShownTable(notice, stored.turn_version, turn_begun(stored), seat)


def of_answer(stored: StoredGame, player: str | None) -> ShownTable | None:
    """What an answer to this player shows: their turn, or the end; None where it is neither."""
    kind = "over" if stored.game.over else "turn"
    told = stored.players if stored.game.over else [stored.player_to_move()]
    if player is None or player not in told:
        return None
    return of_notice(NoticeParts(stored.id, stored.version, player, MAIL, kind), stored)


def before_notice(context: WorkerContext, table: ShownTable) -> Shown | None:
    """Whether this need not be told by the mail of the notice, as it was sent before or an answer
    has shown it, or has to wait for an answer."""
    container, notice = context.container, table.notice
    if container.incoming_mail.is_answering(notice.subject, table.seat):
        return "being-shown"
    found = container.ledger.by_mail(notice.recipient, notice.subject, table.since, table.begun)
    return "shown" if found & {notice.kind, _ANSWER} else None


def note_answer(context: WorkerContext, table: ShownTable, message: Message) -> None:
    """Note that the answer was sent, unless mails to its address have come back."""
    if not context.container.addresses.failing.is_dead(message.recipient):
        answer = table.notice._replace(kind=_ANSWER)
        retry_until_saved(lambda: context.container.ledger.note(answer, MAIL, "reached"))
