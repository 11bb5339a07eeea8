"""Seals: the server commits to a game's secret before it knows any salt."""

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.headers import idempotency_key
from service.api.responses import secret_answer
from service.api.schemas import inputs, outputs
from service.container import get_container

blueprint = Blueprint("seals", __name__, description="Binding the server to its secret")


@blueprint.route("/seals", methods=["POST"])
@blueprint.operation("createSeal", "too-many-seals", headers=("IdempotencyKey",))
@blueprint.body(inputs.EmptyInput, required=False)
@blueprint.response(201, outputs.SealShape)
def make(body: dict[str, object]) -> Response:
    """Ask for a seal

    The server draws a secret and commits to it (`commitment`) before it knows any salt. Send the
    seal with a `salt` of your own when you create a game, a challenge or a rematch: that game will
    have this commitment. A seal is valid for one hour, for one game, and for you only.
    """
    player = caller()
    seal = get_container().games.seals.make(player, idempotency_key(player))
    return secret_answer(
        {"seal": seal.id, "commitment": seal.commitment, "expires_at": seal.expires}
    )
