"""What the two players of a game write to each other, and the reader's own note, on its page."""

import re
from typing import Any, NamedTuple

from flask import Response, abort, render_template, request

from service.container import get_container
from service.games.conversation.service import ConversationPage
from service.games.permissions import own_seat
from service.games.reading.overview import Overview
from service.games.reading.snapshot import MESSAGES_AT_ONCE, GameSnapshot
from service.games.turn_draft import MOST_ACTIONS
from service.web.answers import personal, saved, signed_in, to
from service.web.blueprint import blueprint
from service.web.form_keys import form_key


class ConversationPanel(NamedTuple):
    """What the reader of a game's page sees of the conversation, and their note.

    `page` is None where nobody else can ever read: bots do not talk.
    """

    page: ConversationPage | None
    names: dict[str, str]
    note: str


def conversation_panel(snapshot: GameSnapshot) -> ConversationPanel | None:
    """The latest of a game's conversation, for its players."""
    beside = snapshot.of_player
    return (
        ConversationPanel(beside.conversation, snapshot.seat_names, beside.note) if beside else None
    )


@blueprint.get("/games/<game_id>/messages")
def messages(game_id: str) -> Response:
    """The whole conversation, a page at a time; `?before=` leads on."""
    player = signed_in()
    games = get_container().games
    stored = games.read(game_id, player)
    page = games.conversations.page(stored, player, _before(), MESSAGES_AT_ONCE)
    names = games.seat_names(stored)
    talk = ConversationPanel(page, names, games.private_notes.read(player, game_id))
    html = render_template("messages.html", game_id=game_id, talk=talk, names=names)
    return personal(html)


@blueprint.post("/games/<game_id>/messages")
def write_message(game_id: str) -> Response:
    """Write to the other player. The form carries the unsent turn, so that it stays."""
    player = signed_in()
    text = request.form.get("text", "")
    get_container().games.conversations.write(game_id, player, text, "web", form_key(player))
    return back(game_id)


@blueprint.post("/games/<game_id>/messages/read")
def mark_messages_read(game_id: str) -> Response:
    """Note what the player has read."""
    player = signed_in()
    number = _number(request.form.get("number", ""))
    get_container().games.conversations.mark_read(game_id, player, number)
    return back(game_id)


@blueprint.post("/games/<game_id>/messages/wanted")
def want_messages(game_id: str) -> Response:
    """Turn messages on in this game, or off."""
    player = signed_in()
    off = request.form.get("wanted") != "yes"
    get_container().games.conversations.set_off(game_id, player, off=off)
    return back(game_id)


@blueprint.get("/games/<game_id>/messages/<number>/report")
def ask_to_report(game_id: str, number: str) -> Response:
    """Ask whether a message is to be shown to the operator."""
    player = signed_in()
    conversations = get_container().games.conversations
    message = conversations.of_other(game_id, player, _number(number))
    return personal(render_template("report.html", game_id=game_id, message=message))


@blueprint.post("/games/<game_id>/messages/<number>/report")
def report_message(game_id: str, number: str) -> Response:
    """Show a message to the operator."""
    player = signed_in()
    reason = request.form.get("reason", "")
    get_container().games.conversations.report(game_id, player, _number(number), reason)
    return personal(render_template("reported.html", game_id=game_id))


@blueprint.post("/games/<game_id>/note")
def write_note(game_id: str) -> Response:
    """Keep the player's own note about the game."""
    player = signed_in()
    games = get_container().games
    own_seat(games.read(game_id, player), player)
    games.private_notes.write(player, game_id, request.form.get("note", ""))
    return back(game_id, "note")


@blueprint.post("/account/messages")
def choose_messages() -> Response:
    """Turn messages on in all games, or off."""
    player = signed_in()
    off = request.form.get("wanted") != "yes"
    get_container().games.conversations.wishes.set_off(player, off=off)
    return saved("web.account", "messages")


@blueprint.app_template_global()
def takes_messages(player: str) -> bool:
    """Whether a player takes messages, for the account's page."""
    return not get_container().games.conversations.wishes.is_off(player)


@blueprint.app_template_global()
def unread_messages(overview: Overview) -> dict[str, int]:
    """How many messages the player has not read, by game, where there are any."""
    shown = [*overview.to_move, *overview.waiting, *overview.finished]
    seats = {listed.game["id"]: listed.game["seat"] for listed in shown}
    return get_container().games.conversations.unread(seats)


def _before() -> int | None:
    text = request.args.get("before")
    return None if text is None else _number(text)


def _number(text: str) -> int:
    return int(text) if re.fullmatch("[1-9][0-9]{0,8}", text) else abort(404)


def back(game_id: str, anchor: str = "talk", **values: str) -> Response:
    """The game's page, with the turn that was put together there."""
    unsent: dict[str, Any] = {
        "turn": request.form.getlist("turn")[:MOST_ACTIONS],
        "chosen": request.form.get("chosen") or None,
        "version": request.form.get("version") or None,
    }
    return to("web.game", game_id=game_id, **unsent, **values, _anchor=anchor)
