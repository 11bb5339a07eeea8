"""Play: moves, claims, whole turns, resignation."""

from typing import Any

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, GAME_PROBLEMS
from service.api.endpoints.moves import actions_of, claim_actions
from service.api.headers import origin
from service.api.openapi.headers import ETAG
from service.api.responses import game_answer
from service.api.schemas import inputs, outputs
from service.container import get_container

blueprint = Blueprint("play", __name__, description="Playing a game")

_PROBLEMS = (*GAME_PROBLEMS, "not-a-player", "game-not-started", "game-over", "time-out")
_TURN_PROBLEMS = (*_PROBLEMS, "not-your-turn", "illegal-action", "claim-not-proven")
_HEADERS = ("IfMatch", "IdempotencyKey")


@blueprint.route(f"{GAME}/moves", methods=["POST"])
@blueprint.operation("playMove", *_TURN_PROBLEMS, "unreadable-action", headers=_HEADERS)
@blueprint.body(inputs.MoveInput, cached=True)
@blueprint.response(200, outputs.GameShape, headers=ETAG)
def move(body: dict[str, object], game_id: str) -> Response:
    """Play a card or pass

    With claims in the same turn, and the draw if there is a choice. It is carried out as a whole or
    not at all. If a choice is left the turn stays open: finish it with `/claims` and `/turns`.
    Nothing can follow a Recruiter: you see its cards first.
    """
    options = get_container().games.cached(game_id).game.options
    return _play(game_id, actions_of(body, options.claim_timing == "before_play"))


@blueprint.route(f"{GAME}/claims", methods=["POST"])
@blueprint.operation("claimStone", *_TURN_PROBLEMS, headers=_HEADERS)
@blueprint.body(inputs.ClaimsInput, cached=True)
@blueprint.response(200, outputs.GameShape, headers=ETAG)
def claim(body: dict[str, Any], game_id: str) -> Response:
    """Claim Stones

    Without a card: in a turn that is still open, or before playing if the edition allows it. A
    claim that is not proven is rejected with a counter-example, and changes nothing.
    """
    stones = body["stones"] if "stones" in body else [body["stone"]]
    return _play(game_id, claim_actions(stones))


@blueprint.route(f"{GAME}/turns", methods=["POST"])
@blueprint.operation("playTurn", *_TURN_PROBLEMS, "unreadable-action", headers=_HEADERS)
@blueprint.body(inputs.TurnInput, cached=True)
@blueprint.response(200, outputs.GameShape, headers=ETAG)
def turn(body: dict[str, Any], game_id: str) -> Response:
    """Take a turn in action text

    One action, or several in order: all of them are carried out, or none. Nothing can follow a
    Recruiter or a draw in the same request. *Playing* above says how actions are written.
    """
    return _play(game_id, body["actions"])


@blueprint.route(f"{GAME}/resignation", methods=["POST"])
@blueprint.operation("resignGame", *_PROBLEMS, headers=_HEADERS)
@blueprint.body(inputs.EmptyInput, required=False)
@blueprint.response(200, outputs.GameShape, headers=ETAG)
def resign(body: dict[str, object], game_id: str) -> Response:
    """Resign the round

    At any time, on either player's turn.
    """
    player = caller()
    return game_answer(get_container().games.resign(game_id, player, origin(player)), player)


def _play(game_id: str, actions: list[str]) -> Response:
    player = caller()
    game = get_container().games.play(game_id, player, actions, origin(player))
    return game_answer(game, player)
