"""Ending a game: resigning, abandoning it by agreement, calling it off, and rematches.

Actions that cannot be undone ask for confirmation on a separate page.
"""

from typing import Final, NamedTuple

from flask import Response, make_response, redirect, render_template, request, url_for

from engine import OTHER, SEATS
from service.container import get_container
from service.core.errors import RequestRejected
from service.games import ChangeContext, StoredGame
from service.games.permissions import own_seat
from service.games.rating import TURNS, bot_declines, is_rated
from service.text.game_terms import BOT_DECLINES, end_offered
from service.web.answers import personal, signed_in
from service.web.blueprint import blueprint
from service.web.forms import form_key
from service.web.game.salts import given_salt, given_seal
from service.web.words import read_number


class Question(NamedTuple):
    """A question for confirmation: a heading, the consequences, and the button's name."""

    heading: str
    about: str
    button: str


RESIGN: Final = Question(
    "Resign this game?",
    "The other player wins this round. It cannot be taken back.",
    "Resign",
)
ABANDON: Final = Question(
    "End this game without a winner?",
    end_offered(to_bot=False),
    "Propose it",
)
AGREE_TO_ABANDON: Final = ABANDON._replace(
    about="The other player offers it. If you agree, the game ends at once, nobody wins this round,"
    " and the game does not count for ratings.",
    button="Agree",
)
CALL_OFF: Final = Question(
    "Cancel this game?",
    "Nobody can join any more.",
    "Cancel the game",
)


@blueprint.get("/games/<game_id>/resign")
def ask_to_resign(game_id: str) -> Response:
    """Ask whether the player really resigns."""
    player, games = signed_in(), get_container().games
    stored = games.read(game_id, player)
    seat = stored.seat_of(player)
    if seat is None or stored.game.rounds > 1:
        return ask(game_id, RESIGN)
    winner = games.seat_names(stored)[OTHER[seat]]
    about = f"{winner} wins the game. It cannot be taken back."
    if is_rated(stored):
        about += f" The game is rated: your loss counts if both of you have played {TURNS} turns."
    return ask(game_id, RESIGN._replace(about=about))


@blueprint.post("/games/<game_id>/resign")
def resign(game_id: str) -> Response:
    """Give up the round."""
    player, games = signed_in(), get_container().games
    versions = _versions_of_asked_round(games.read(game_id, player))
    games.resign(game_id, player, ChangeContext("web", versions, form_key(player)))
    return _to_game(game_id)


@blueprint.get("/games/<game_id>/abandon")
def ask_to_abandon(game_id: str) -> Response:
    """Ask whether the player really wants to abandon the game, or agrees to the offer."""
    player, games = signed_in(), get_container().games
    stored = games.read(game_id, player)
    offer = games.abandonments.offered(stored)
    if offer is not None and offer.by != stored.seat_of(player):
        return ask(game_id, AGREE_TO_ABANDON, offer=offer.number)
    if bot_declines(stored):
        raise RequestRejected("bot-declines", BOT_DECLINES)
    return ask(game_id, ABANDON._replace(about=end_offered(to_bot=stored.has_bot)))


@blueprint.post("/games/<game_id>/abandon")
def abandon(game_id: str) -> Response:
    """Offer to abandon the game, or agree to the offer that the question showed."""
    player, games = signed_in(), get_container().games
    versions = _versions_of_asked_round(games.read(game_id, player))
    origin = ChangeContext("web", versions, form_key(player))
    if (offer := request.form.get("offer")) is not None:
        games.abandonments.accept(game_id, player, read_number(offer) or 0, origin)
    else:
        games.abandonments.agree(game_id, player, origin)
    return _to_game(game_id)


@blueprint.post("/games/<game_id>/keep-playing")
def keep_playing(game_id: str) -> Response:
    """Withdraw or decline the offer to abandon the game."""
    get_container().games.abandonments.withdraw(game_id, signed_in())
    return _to_game(game_id)


@blueprint.get("/games/<game_id>/call-off")
def ask_to_call_off(game_id: str) -> Response:
    """Ask whether to call off a game that has not begun."""
    return ask(game_id, CALL_OFF)


@blueprint.post("/games/<game_id>/call-off")
def call_off(game_id: str) -> Response:
    """Call off a game that has not begun."""
    player = signed_in()
    get_container().games.call_off(game_id, player, ChangeContext("web", key=form_key(player)))
    return _to_game(game_id)


@blueprint.post("/games/<game_id>/rematch")
def rematch(game_id: str) -> Response:
    """Ask for a rematch: the first request creates the game, the other player's starts it."""
    rematches = get_container().games.rematches
    made = rematches.ask(game_id, signed_in(), given_salt(), given_seal(), via="web")
    return _to_game(made.id)


def ask(
    game_id: str,
    question: Question,
    *,
    offer: int | None = None,
    days: int | None = None,
) -> Response:
    """Return the page that asks for confirmation before an action that cannot be undone."""
    player, games = signed_in(), get_container().games
    stored = games.read(game_id, player)
    if stored.invited != player:
        own_seat(stored, player)
    names = games.seat_names(stored)
    page = render_template(
        "game/ask.html",
        game_id=game_id,
        names=names,
        question=question,
        round=stored.game.round,
        offer=offer,
        days=days,
        stones=stored.started and {seat: len(stored.game.stones_of(seat)) for seat in SEATS},
    )
    return personal(page)


def _versions_of_asked_round(stored: StoredGame) -> range:
    """Return the versions for which the form is valid: an old page must not end a later round."""
    is_same = request.form.get("round") == str(stored.game.round)
    return range(stored.version + 1 if is_same else 0)


def _to_game(game_id: str) -> Response:
    return make_response(redirect(url_for("web.game", game_id=game_id), 303))
