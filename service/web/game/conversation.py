"""The players' messages, and the reader's own note, on a game's page."""

import re
from typing import NamedTuple, cast

from flask import Response, abort, request

from engine import Seat
from service.container import get_container
from service.games.conversations import ConversationPage
from service.games.permissions import own_seat
from service.games.reading.overview import Overview
from service.games.reading.snapshot import MESSAGES_AT_ONCE, GameSnapshot
from service.games.turn_draft import MOST_ACTIONS
from service.web.answers import personal, saved, signed_in, to
from service.web.blueprint import blueprint
from service.web.forms import form_key
from service.web.words import seat_names


class ConversationPanel(NamedTuple):
    """The conversation and the reader's note on a game's page. `page` is None in games against
    bots, which read no messages."""

    page: ConversationPage | None
    names: dict[str, str]
    note: str


def conversation_panel(snapshot: GameSnapshot) -> ConversationPanel | None:
    """Return the latest messages and the note, for players of the game; None for others."""
    beside = snapshot.of_player
    return (
        ConversationPanel(beside.conversation, snapshot.seat_names, beside.note) if beside else None
    )


@blueprint.get("/games/<game_id>/messages")
def messages(game_id: str) -> Response:
    """Show the conversation, page by page; `?before=N` shows the messages before number N."""
    player = signed_in()
    games = get_container().games
    stored = games.read(game_id, player)
    page = games.conversations.page(stored, player, _before(), MESSAGES_AT_ONCE)
    names = seat_names(stored)
    talk = ConversationPanel(page, names, games.private_notes.read(player, game_id))
    return personal("messages.html", game_id=game_id, talk=talk, names=names)


@blueprint.post("/games/<game_id>/messages")
def write_message(game_id: str) -> Response:
    """Send a message to the other player. The form includes the unsent turn, so that it is not
    lost."""
    player = signed_in()
    text = request.form.get("text", "")
    get_container().games.conversations.write(game_id, player, text, "web", form_key(player))
    return back(game_id)


@blueprint.post("/games/<game_id>/messages/read")
def mark_messages_read(game_id: str) -> Response:
    """Mark messages as read."""
    player = signed_in()
    number = _number(request.form.get("number", ""))
    get_container().games.conversations.mark_read(game_id, player, number)
    return back(game_id)


@blueprint.post("/games/<game_id>/messages/wanted")
def want_messages(game_id: str) -> Response:
    """Turn messages in this game on or off."""
    player = signed_in()
    off = request.form.get("wanted") != "yes"
    get_container().games.conversations.set_off(game_id, player, off=off)
    return back(game_id)


@blueprint.get("/games/<game_id>/messages/<number>/report")
def ask_to_report(game_id: str, number: str) -> Response:
    """Ask whether to report a message to the operator."""
    player = signed_in()
    conversations = get_container().games.conversations
    message = conversations.of_other(game_id, player, _number(number))
    return personal("report.html", game_id=game_id, message=message)


@blueprint.post("/games/<game_id>/messages/<number>/report")
def report_message(game_id: str, number: str) -> Response:
    """Report a message to the operator."""
    player = signed_in()
    reason = request.form.get("reason", "")
    get_container().games.conversations.report(game_id, player, _number(number), reason)
    return personal("reported.html", game_id=game_id)


@blueprint.post("/games/<game_id>/note")
def write_note(game_id: str) -> Response:
    """Store the player's own note about the game."""
    player = signed_in()
    games = get_container().games
    own_seat(games.read(game_id, player), player)
    games.private_notes.write(player, game_id, request.form.get("note", ""))
    return back(game_id, "note")


@blueprint.post("/account/messages")
def choose_messages() -> Response:
    """Turn messages in all games on or off."""
    player = signed_in()
    off = request.form.get("wanted") != "yes"
    get_container().games.conversations.wishes.set_off(player, off=off)
    return saved("web.account", "messages")


@blueprint.app_template_global()
def takes_messages(player: str) -> bool:
    """Whether a player receives messages, for the account's page."""
    return not get_container().games.conversations.wishes.is_off(player)


@blueprint.app_template_global()
def unread_messages(overview: Overview) -> dict[str, int]:
    """Return the number of unread messages by game, for games that have any."""
    shown = [*overview.to_move, *overview.waiting, *overview.finished]
    seats = {listed.game["id"]: cast(Seat, listed.game["seat"]) for listed in shown}
    return get_container().games.conversations.unread(seats)


def _before() -> int | None:
    text = request.args.get("before")
    return None if text is None else _number(text)


def _number(text: str) -> int:
    return int(text) if re.fullmatch("[1-9][0-9]{0,8}", text) else abort(404)


def back(game_id: str, anchor: str = "talk", **values: str) -> Response:
    """Redirect to the game's page, with the unsent turn that was on it."""
    unsent: dict[str, object] = {
        "turn": request.form.getlist("turn")[:MOST_ACTIONS],
        "chosen": request.form.get("chosen") or None,
        "version": request.form.get("version") or None,
    }
    return to("web.game", game_id=game_id, **unsent, **values, _anchor=anchor)
