"""Messages between the two players of a game."""

from typing import Annotated

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, PLAYER_PROBLEMS
from service.api.headers import LINKED, idempotency_key
from service.api.responses import json_answer, load_game, with_next
from service.api.schemas import in_game
from service.api.schemas.fields import cursor_at
from service.container import get_container
from service.games.conversation_store import GameMessage
from service.games.conversations import Conversations

blueprint = Blueprint("messages", __name__, description="Messages between two players")

MESSAGES = f"{GAME}/messages"


@blueprint.operation(f"GET {MESSAGES}", "listMessages", PLAYER_PROBLEMS)
@blueprint.response(200, in_game.MessageListShape, headers=LINKED)
def show(query: in_game.MessagesQuery, game_id: str) -> Response:
    """List the messages of a game

    What its two players have written to each other, the newest first; nobody else sees them. The
    last 200 are kept. Messages of a deleted account are gone. Reading marks nothing as read.
    """
    before = int(query["cursor"]) if "cursor" in query else None
    stored = load_game(game_id, caller())
    page = _conversations().page(stored, caller(), before, query["limit"])
    refusal = page.refusal and {"code": page.refusal.code, "detail": page.refusal.detail}
    cursor = None if page.before is None else cursor_at(str(page.before))
    shown = {
        "messages": [message_view(message) for message in page.messages],
        "next": cursor,
        "unread": page.unread,
        "wanted": not page.is_off,
        "refusal": refusal,
    }
    return with_next(json_answer(shown), cursor=cursor)


@blueprint.operation(
    f"POST {MESSAGES}",
    "sendMessage",
    f"{PLAYER_PROBLEMS} no-reader messages-off muted game-over bad-message too-many-messages",
    headers="IdempotencyKey",
)
def write(body: in_game.MessageInput, game_id: str) -> Annotated[in_game.MessageShape, 201]:
    """Write to my opponent

    Until 30 days after the end of the game. Either player can turn messages off: then neither can
    write. Bots do not talk. An opponent who has not read it by then gets a mail after three
    minutes, and not more than one an hour.
    """
    player = caller()
    key = idempotency_key(player)
    return message_view(_conversations().write(game_id, player, body["text"], "api", key))


@blueprint.operation(f"PUT {MESSAGES}/read", "markMessagesRead", PLAYER_PROBLEMS)
def mark_read(body: in_game.ReadMarkInput, game_id: str) -> None:
    """Mark messages as read

    Up to the one with this number. No mail tells of what is read.
    """
    _conversations().mark_read(game_id, caller(), body["number"])


@blueprint.operation(
    f"POST {MESSAGES}/reports",
    "reportMessage",
    f"{PLAYER_PROBLEMS} message-not-found too-many-messages",
)
def report(body: in_game.MessageReportInput, game_id: str) -> None:
    """Report a message of my opponent's

    The operator of this server sees the message, and may mute its writer.
    """
    _conversations().report(game_id, caller(), body["number"], body["reason"])


def message_view(message: GameMessage) -> in_game.MessageShape:
    """A message as the API shows it."""
    return {
        "number": message.number,
        "by": message.by,
        "created_at": message.at,
        "via": message.via,
        "text": message.text,
    }


def _conversations() -> Conversations:
    return get_container().games.conversations
