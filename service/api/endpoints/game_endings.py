"""Leaving a game by agreement, before it starts, or for the next one."""

from typing import Any

from flask import Response

from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, NO_GAME
from service.api.headers import ETAG, LOCATION
from service.api.responses import caller, game_answer, json_answer, origin
from service.api.schemas import inputs, opponents, outputs
from service.container import get_container
from service.games.abandonment import Offer

blueprint = Blueprint("leaving", __name__, description="Calling off, abandoning, a rematch")

_REFUSALS = (*NO_GAME, "not-a-player")
_HEADERS = ("IfMatch", "IdempotencyKey")


@blueprint.route(GAME, methods=["DELETE"])
@blueprint.operation("callOffGame", *_REFUSALS, "game-started", "game-over", headers=_HEADERS)
@blueprint.response(200, outputs.GameView, headers=ETAG)
def call_off(game_id: str) -> Response:
    """Call off a game before it starts

    By its maker, or by the player for whom the free seat is kept.
    """
    player = caller()
    return game_answer(get_container().games.call_off(game_id, player, origin(player)), player)


@blueprint.route(f"{GAME}/abandonment")
@blueprint.operation("getAbandonment", *_REFUSALS)
@blueprint.response(200, opponents.Abandonment)
def show(game_id: str) -> Response:
    """Show whether it is offered to abandon the game"""
    return _answer(get_container().games.abandonments.of(game_id, caller()))


@blueprint.route(f"{GAME}/abandonment", methods=["POST"])
@blueprint.operation(
    "abandon", *_REFUSALS, "game-not-started", "game-over", "time-out", headers=_HEADERS
)
@blueprint.body(inputs.NothingInput, required=False)
@blueprint.response(200, opponents.Abandonment)
def abandon(body: dict[str, Any], game_id: str) -> Response:
    """Offer to abandon the game, or agree to it

    The first player's call is the offer, of which the other is told, once a version of the game;
    the other's same call agrees, and the game ends by agreement. A bot agrees at once. A request
    repeated under its `Idempotency-Key` never offers again what was taken back.
    """
    player = caller()
    return _answer(get_container().games.abandonments.agree(game_id, player, origin(player)))


@blueprint.route(f"{GAME}/abandonment", methods=["DELETE"])
@blueprint.operation("keepPlaying", *_REFUSALS)
@blueprint.response(200, opponents.Abandonment)
def keep_playing(game_id: str) -> Response:
    """Take the offer to abandon the game back, or decline it"""
    return _answer(get_container().games.abandonments.withdraw(game_id, caller()))


@blueprint.route(f"{GAME}/rematch", methods=["POST"])
@blueprint.operation(
    "askForRematch",
    *_REFUSALS,
    "game-not-over",
    "too-many-games",
    "unknown-opponent",
    "already-asked",
    "too-many-mails",
    "stale-version",
    "unknown-seal",
    "seal-used",
    # Somebody else sits in the rematch, by its invite.
    "seat-taken",
    "game-over",
)
@blueprint.body(inputs.RematchInput, required=False)
@blueprint.response(200, outputs.GameView, headers=ETAG | LOCATION)
def rematch(body: dict[str, Any], game_id: str) -> Response:
    """Ask for a rematch

    The same game once more, in which the other player begins. The first to ask makes it and the
    other is invited; it starts when the other asks too, or joins it. Whoever asks, and however
    often, gets the same game. A `seal` is used only by the request that makes it.
    """
    player = caller()
    stored = get_container().games.rematches.ask(
        game_id, player, salt=body["salt"], seal=body["seal"]
    )
    answer = game_answer(stored, player)
    answer.headers["Location"] = f"/v1/games/{stored.id}"
    return answer


def _answer(offer: Offer) -> Response:
    stored, by = offer
    body = {"version": stored.version, "status": stored.game.status, "offered_by": by}
    return json_answer(body)
