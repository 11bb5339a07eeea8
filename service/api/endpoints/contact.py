"""The caller's choices about contact: challenges, and players who are blocked."""

from flask import Response

from service.api.auth import caller
from service.api.blueprint import ACCOUNT, Blueprint
from service.api.responses import json_answer, no_content
from service.api.schemas import contact
from service.container import get_container
from service.core.errors import RequestRejected

BLOCKED = "/me/blocked/<player:player_id>"

blueprint = Blueprint("contact", __name__, description="Who may ask me")


@blueprint.route("/me/contact")
@blueprint.operation("getContactSettings", security=ACCOUNT)
@blueprint.response(200, contact.ContactSettingsSchema)
def show() -> Response:
    """Show whether I take challenges, and whom I have blocked"""
    return json_answer(shown(caller()))


@blueprint.route("/me/contact", methods=["PATCH"])
@blueprint.operation("updateContactSettings", security=ACCOUNT)
@blueprint.body(contact.ContactSettingsInput)
@blueprint.response(200, contact.ContactSettingsSchema)
def change(body: dict[str, object]) -> Response:
    """Take challenges, or none"""
    get_container().contact_choices.set_challenges_off(caller(), off=not body["challenges"])
    return json_answer(shown(caller()))


@blueprint.route(BLOCKED, methods=["PUT"])
@blueprint.operation(
    "blockPlayer", "player-not-found", "own-account", "too-many-blocked", security=ACCOUNT
)
@blueprint.response(204)
def block(player_id: str) -> Response:
    """Block a player

    Neither of you can challenge the other, ask for a rematch or write a message, and neither sees
    the other's games in the lobby. Running games go on. The other is not told.
    """
    container = get_container()
    if container.players.find(player_id) is None:
        raise RequestRejected("player-not-found", "There is no player with this id.")
    container.contact_choices.block(caller(), player_id)
    return no_content()


@blueprint.route(BLOCKED, methods=["DELETE"])
@blueprint.operation("unblockPlayer", "player-not-found", security=ACCOUNT)
@blueprint.response(204)
def unblock(player_id: str) -> Response:
    """Unblock a player"""
    get_container().contact_choices.unblock(caller(), player_id)
    return no_content()


def shown(player: str) -> dict[str, object]:
    """The choices of this player, for the API and the export of their data."""
    container = get_container()
    blocked = container.contact_choices.blocked(player)
    names = container.players.names(blocked)
    return {
        "challenges": container.contact_choices.takes_challenges(player),
        "blocked": [
            {"id": other, "name": names.get(other), "blocked_at": since}
            for other, since in blocked.items()
        ],
    }
