"""Which mails can be answered, and what an answer to each is about."""

from collections.abc import Mapping
from typing import Any

from service.eventlog import NoticeParts
from service.mail_in.outcome import Outcome
from service.mail_in.reply_addresses import Purpose, ReplyTo
from workers.mail.game import GameMail


def reply_to(notice: NoticeParts, variables: Mapping[str, Any]) -> ReplyTo | None:
    """What an answer to this mail is about; None where it cannot be answered."""
    if notice.kind == "challenge":
        return ReplyTo("challenge", notice.game, 1)
    if notice.kind == "invitation":
        return ReplyTo("invitation", notice.game, 1)
    game: GameMail | None = variables.get("game")
    if game is None or game.seat is None:
        return None
    if game.is_over and notice.kind != "message":
        return None
    return _of_turn("turn", game)


def of_outcome(outcome: Outcome, game: GameMail | None) -> ReplyTo | None:
    """What an answer to our answer is about: an offer, or the game that it shows."""
    if outcome.offer is not None:
        return ReplyTo(outcome.offer, outcome.about, 1)
    if game is None or game.is_over:
        return None
    return _of_turn("resign" if outcome.confirms else "turn", game)


def _of_turn(purpose: Purpose, game: GameMail) -> ReplyTo | None:
    if game.seat is None:
        return None
    return ReplyTo(purpose, game.stored.id, game.stored.version, game.seat, game.stored.head)
