"""Seals: the server commits to a game's secret before it knows a salt."""

from typing import Any

from flask import Response

from service.api.blueprint import Blueprint
from service.api.responses import caller, idempotency_key, json_answer
from service.api.schemas import inputs, outputs
from service.container import get_container

blueprint = Blueprint("seals", __name__, description="Binding the server to its secret")


@blueprint.route("/seals", methods=["POST"])
@blueprint.operation("makeSeal", "too-many-seals", headers=("IdempotencyKey",))
@blueprint.body(inputs.NothingInput, required=False)
@blueprint.response(201, outputs.Seal)
def make(body: dict[str, Any]) -> Response:
    """Ask for a seal

    The server draws a secret and binds itself to it by `commitment`, before it knows any salt. Give
    the seal, with a `salt` of your own, when you make a game, a challenge or a rematch: that game
    has this commitment. A seal is good for one hour and one game, for you alone.
    """
    player = caller()
    made = get_container().games.seals.make(player, idempotency_key(player))
    answer = {"seal": made.id, "commitment": made.commitment, "expires_at": made.expires}
    response = json_answer(answer, 201)
    response.headers["Cache-Control"] = "no-store"
    return response
