"""Players: registration."""

from typing import Any

from flask import Response

from service.api import inputs, outputs
from service.api.blueprint import PUBLIC, Blueprint
from service.api.exchange import idempotency_key, json_answer
from service.network_address import caller_address
from service.services import services

blueprint = Blueprint("players", __name__, description="Registration")


@blueprint.route("/players", methods=["POST"])
@blueprint.operation(
    "registerPlayer",
    "name-reserved",
    "name-taken",
    headers=("FreshIdempotencyKey",),
    security=PUBLIC,
)
@blueprint.body(inputs.PlayerInput)
@blueprint.response(201, outputs.Registered)
def register(body: dict[str, Any]) -> Response:
    """Register a player

    No two players have names that could be mistaken for one another, by case, accents or letters
    that look alike: then `suggestion` is one that is free.

    The answer holds the bearer token, which has all scopes and is shown only this once. A link is
    sent to the address, if there is one; until it is confirmed, no other mail goes there. With an
    `Idempotency-Key` the same request from the same host gives the same answer for a day.
    """
    key = idempotency_key(f"register {caller_address()}", fresh=True)
    player, token = services().players.register(body["name"], body["email"], key)
    answer = json_answer({"id": player.id, "name": player.name, "token": token}, 201)
    answer.headers["Location"] = "/v1/me"
    answer.headers["Cache-Control"] = "no-store"
    return answer
