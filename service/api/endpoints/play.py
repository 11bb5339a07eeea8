"""Playing: moves, claims, whole turns, resignation."""

from typing import Any

from flask import Response

from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, NO_GAME
from service.api.endpoints.moves import actions_of, claims
from service.api.headers import ETAG
from service.api.responses import caller, game_answer, origin
from service.api.schemas import inputs, outputs
from service.container import get_container

blueprint = Blueprint("play", __name__, description="Playing a game")

_REFUSALS = (*NO_GAME, "not-a-player", "game-not-started", "game-over", "time-out")
_ON_TURN = (*_REFUSALS, "not-your-turn", "illegal-action", "claim-not-proven")
_HEADERS = ("IfMatch", "IdempotencyKey")


@blueprint.route(f"{GAME}/moves", methods=["POST"])
@blueprint.operation("move", *_ON_TURN, "unreadable-action", headers=_HEADERS)
@blueprint.body(inputs.MoveInput, few=True)
@blueprint.response(200, outputs.GameView, headers=ETAG)
def move(body: dict[str, Any], game_id: str) -> Response:
    """Play a card or pass

    With claims in the same turn, and the draw where there is a choice. All of it or nothing. Where
    a choice is left the turn stays open: finish it with `/claims` and `/turns`. A Recruiter comes
    last: what follows it is decided once its cards have been seen.
    """
    options = get_container().games.cached(game_id).game.options
    return _played(game_id, actions_of(body, options.claim_timing == "before_play"))


@blueprint.route(f"{GAME}/claims", methods=["POST"])
@blueprint.operation("claim", *_ON_TURN, headers=_HEADERS)
@blueprint.body(inputs.ClaimsInput, few=True)
@blueprint.response(200, outputs.GameView, headers=ETAG)
def claim(body: dict[str, Any], game_id: str) -> Response:
    """Claim Stones

    Without a card, in a turn that is still open, or before playing where the game has it so. A
    claim that is not proven changes nothing and is refused with a counter-example.
    """
    stones = body["stones"] if "stones" in body else [body["stone"]]
    return _played(game_id, claims(stones))


@blueprint.route(f"{GAME}/turns", methods=["POST"])
@blueprint.operation("takeTurn", *_ON_TURN, "unreadable-action", headers=_HEADERS)
@blueprint.body(inputs.TurnInput, few=True)
@blueprint.response(200, outputs.GameView, headers=ETAG)
def turn(body: dict[str, Any], game_id: str) -> Response:
    """Take a turn in action text

    One action, or several in their order: all of them or none. Nothing can follow a Recruiter or a
    draw in the same request. See *Playing* above for how they are written.
    """
    return _played(game_id, body["actions"])


@blueprint.route(f"{GAME}/resignation", methods=["POST"])
@blueprint.operation("resign", *_REFUSALS, headers=_HEADERS)
@blueprint.body(inputs.NothingInput, required=False)
@blueprint.response(200, outputs.GameView, headers=ETAG)
def resign(body: dict[str, Any], game_id: str) -> Response:
    """Resign the round

    At any time, whoever's turn it is.
    """
    player = caller()
    return game_answer(get_container().games.resign(game_id, player, origin(player)), player)


def _played(game_id: str, actions: list[str]) -> Response:
    player = caller()
    played = get_container().games.play(game_id, player, actions, origin(player))
    return game_answer(played, player)
