"""Accepting or declining a game reserved for a player; calling off one that has not begun."""

from flask import Response

from service.container import get_container
from service.games import ChangeContext
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint
from service.web.form_keys import form_key
from service.web.game.salts import given_salt


@blueprint.post("/invitations/<game_id>/accept")
def accept_invitation(game_id: str) -> Response:
    """Join a game that was created for the player."""
    player = signed_in()
    made_by = ChangeContext("web", key=form_key(player))
    get_container().games.join(game_id, player, salt=given_salt(), context=made_by)
    return to("web.game", game_id=game_id)


@blueprint.post("/invitations/<game_id>/end")
def end_invitation(game_id: str) -> Response:
    """Decline a game that was created for the player, or call off their own, before it begins."""
    player = signed_in()
    get_container().games.call_off(game_id, player, ChangeContext("web", key=form_key(player)))
    return to("web.home")
