"""Ways out of a game: call it off, play a rematch, or its deal again."""

from typing import Any

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, GAME_PROBLEMS
from service.api.headers import idempotency_key, origin
from service.api.openapi.headers import ETAG, LOCATION
from service.api.responses import game_answer
from service.api.schemas import inputs, outputs
from service.container import get_container
from service.games import ChangeContext
from service.games.opening.practice import Wanted

blueprint = Blueprint("leaving", __name__, description="Calling off, a rematch, practice")

_PROBLEMS = (*GAME_PROBLEMS, "not-a-player")
_HEADERS = ("IfMatch", "IdempotencyKey")


@blueprint.route(GAME, methods=["DELETE"])
@blueprint.operation("callOffGame", *_PROBLEMS, "game-started", "game-over", headers=_HEADERS)
@blueprint.response(200, outputs.GameShape, headers=ETAG)
def call_off(game_id: str) -> Response:
    """Call off a game before it starts

    Its creator may do so, and the player for whom the free seat is reserved.
    """
    player = caller()
    return game_answer(get_container().games.call_off(game_id, player, origin(player)), player)


@blueprint.route(f"{GAME}/rematch", methods=["POST"])
@blueprint.operation(
    "requestRematch",
    *_PROBLEMS,
    "game-not-over",
    "too-many-games",
    "unknown-opponent",
    "already-asked",
    "challenges-off",
    "too-many-mails",
    "stale-version",
    "unknown-seal",
    "seal-used",
    # Somebody else has joined the rematch, by its invite.
    "seat-taken",
    "game-over",
)
@blueprint.body(inputs.RematchInput, required=False)
@blueprint.response(200, outputs.GameShape, headers=ETAG | LOCATION)
def rematch(body: dict[str, Any], game_id: str) -> Response:
    """Ask for a rematch

    The same game again, in which the other player begins. The first request creates it and invites
    the opponent, whose same request starts it, or joining. Both get the same game, however often
    they ask. A `seal` is used only by the request that creates it.
    """
    player = caller()
    stored = get_container().games.rematches.ask(
        game_id, player, salt=body["salt"], seal=body["seal"]
    )
    answer = game_answer(stored, player)
    answer.headers["Location"] = f"/v1/games/{stored.id}"
    return answer


@blueprint.route(f"{GAME}/practice", methods=["POST"])
@blueprint.operation(
    "practiseGame",
    *GAME_PROBLEMS,
    "game-not-over",
    "game-over",
    "version-not-found",
    "bot-not-available",
    "too-many-games",
    "stale-version",
    headers=("IdempotencyKey",),
)
@blueprint.body(inputs.PracticeInput, required=False)
@blueprint.response(201, outputs.GameShape, headers=ETAG | LOCATION)
def practise(body: dict[str, Any], game_id: str) -> Response:
    """Play the deal of a finished game again

    From after event `step`, unrated, against a bot. Of a match only the first round. Removed seven
    days after its last move; at most 200 at a time.
    """
    player = caller()
    context = ChangeContext(key=idempotency_key(player))
    stored = get_container().games.practice.begin(game_id, player, Wanted(**body), context)
    answer = game_answer(stored, player)
    answer.status_code = 201
    answer.headers["Location"] = f"/v1/games/{stored.id}"
    return answer
