"""Blocking players, and turning challenges on or off."""

from flask import Response, abort, request

from service.container import get_container
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint


@blueprint.post("/players/<player_id>/block")
def block_player(player_id: str) -> Response:
    """Block a player, who does not learn of it; or unblock them."""
    container, me = get_container(), signed_in()
    if container.players.find(player_id) is None:
        abort(404)
    if request.form.get("blocked") == "yes":
        container.contact_choices.block(me, player_id)
    else:
        container.contact_choices.unblock(me, player_id)
    return to("web.player", player_id=player_id)


@blueprint.post("/account/challenges")
def choose_challenges() -> Response:
    """Turn challenges to the player on or off."""
    off = request.form.get("wanted") != "yes"
    get_container().contact_choices.set_challenges_off(signed_in(), off=off)
    return to("web.account", _anchor="challenges")


@blueprint.app_template_global()
def takes_challenges(player: str) -> bool:
    """Whether a player accepts challenges."""
    return get_container().contact_choices.takes_challenges(player)


@blueprint.app_template_global()
def blocked_by(player: str) -> dict[str, str]:
    """Return the names of the players whom this one has blocked, by id."""
    container = get_container()
    return container.players.names(container.contact_choices.blocked(player))
