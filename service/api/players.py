"""Players: registration, and who I am."""

from typing import Any

from flask import Response, request

from service.api import inputs, outputs
from service.api.blueprint import ACCOUNT, PUBLIC, Blueprint
from service.api.exchange import caller, idempotency_key, json_answer
from service.refusal import Refused
from service.services import services

blueprint = Blueprint("players", __name__, description="Registration and accounts")


@blueprint.route("/players", methods=["POST"])
@blueprint.operation("registerPlayer", headers=("IdempotencyKey",), security=PUBLIC)
@blueprint.body(inputs.PlayerInput)
@blueprint.response(201, outputs.Registered)
def register(body: dict[str, Any]) -> Response:
    """Register a player

    The answer holds the bearer token, which is shown only this once. With an `Idempotency-Key`
    the same request from the same address gives the same answer for a day.
    """
    key = idempotency_key(f"register {request.remote_addr}")
    player, token = services().players.register(body["name"], body["email"], key)
    answer = json_answer({"id": player.id, "name": player.name, "token": token}, 201)
    answer.headers["Location"] = "/v1/me"
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.route("/me")
@blueprint.operation("getMe", security=ACCOUNT)
@blueprint.response(200, outputs.Me)
def me() -> Response:
    """Show my account"""
    player = services().players.find(caller())
    if player is None:
        raise Refused("unauthenticated", "This account is gone.")
    return json_answer({"id": player.id, "name": player.name, "email": player.email})
