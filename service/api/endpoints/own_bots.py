"""The bots of the caller's own: players that are programs, shown as such."""

from typing import Any

from flask import Response

from service.accounts.tokens import SCOPES
from service.api.auth import caller
from service.api.blueprint import ACCOUNT, EVERYTHING, Blueprint
from service.api.endpoints.players import shown_players
from service.api.endpoints.tokens import created_token
from service.api.headers import idempotency_key
from service.api.openapi.headers import LOCATION
from service.api.responses import json_answer, no_content, registered
from service.api.schemas import account, outputs
from service.container import get_container

ONE = "/me/bots/<player:bot_id>"

blueprint = Blueprint("bots", __name__, description="Programs that play under a name of their own")


@blueprint.route("/me/bots", methods=["POST"])
@blueprint.operation(
    "registerBot",
    "name-reserved",
    "name-taken",
    "not-for-bots",
    "too-many-bots",
    headers=("FreshIdempotencyKey",),
    security=ACCOUNT,
)
@blueprint.body(account.OwnBotInput)
@blueprint.response(201, outputs.RegisteredPlayerShape, headers=LOCATION)
def register(body: dict[str, Any]) -> Response:
    """Register a bot of mine

    A player that is shown as a bot of yours: ` (bot)` follows its name, which is cut to 34
    characters. It has no mail address and no browser. Its token has all scopes. You can have 10.
    """
    owner, key = caller(), idempotency_key(caller(), fresh=True)
    player, token = get_container().registrations.register(body["name"], key=key, owner=owner)
    return registered(player, token, f"/v1/me/bots/{player.id}")


@blueprint.route("/me/bots")
@blueprint.operation("listOwnBots", security=ACCOUNT)
@blueprint.response(200, account.OwnBotListShape)
def list_all() -> Response:
    """List my bots

    The oldest first.
    """
    return json_answer({"bots": shown_players(get_container().players.bots_of(caller()))})


@blueprint.route(ONE, methods=["DELETE"])
@blueprint.operation("endBot", "player-not-found", security=EVERYTHING)
@blueprint.response(204)
def end(bot_id: str) -> Response:
    """End a bot of mine

    Its account is deleted, as with `DELETE /v1/me`: running games are resigned.
    """
    container = get_container()
    container.accounts.close(container.players.own_bot(caller(), bot_id))
    return no_content()


@blueprint.route(f"{ONE}/token", methods=["POST"])
@blueprint.operation(
    "renewBotToken",
    "player-not-found",
    "too-many-tokens",
    headers=("FreshIdempotencyKey",),
    security=EVERYTHING,
)
@blueprint.response(201, account.CreatedTokenShape)
def renew_token(bot_id: str) -> Response:
    """Make a new token for a bot of mine

    It has all scopes. All former tokens of the bot end.
    """
    container = get_container()
    bot = container.players.own_bot(caller(), bot_id)
    issued = container.tokens.create(bot.id, "owner", SCOPES, idempotency_key(caller(), fresh=True))
    container.tokens.revoke_others(bot.id, issued.token.id)
    return created_token(issued)
