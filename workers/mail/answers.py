"""Which mails can be answered, and what an answer to each is about."""

from collections.abc import Mapping
from typing import Any

from service.eventlog import NoticeParts
from service.mail_in.reply_addresses import ReplyTo
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
    return ReplyTo("turn", notice.game, game.stored.version, game.seat)
