"""The player's own share in the shuffle (the salt): see `docs/verify.md`, section 6.

The page's script draws the salt in the browser. For a new game it first asks for a seal, so that
the server has committed itself to its secret before it receives the salt; a player who joins has
seen the commitment. Without the script a form contains neither, and the game uses its commitment as
salt.
"""

from flask import Response, jsonify, request
from marshmallow import ValidationError

from service.api.schemas.fields import Salt, checked
from service.container import get_container
from service.core.errors import RequestRejected
from service.web import session
from service.web.blueprint import blueprint
from service.web.forms import future_guest


@blueprint.post("/seals")
def make_seal() -> Response:
    """Create a seal for the game that the reader is about to create; return it with its commitment.

    It belongs to the signed-in player, or else to the guest whom the form will create.
    """
    player = session.player_id() or future_guest()
    if player is None:
        raise RequestRejected("unauthenticated", "Only a player, or the form of one, gets a seal.")
    seal = get_container().games.seals.make(player)
    return jsonify(seal=seal.id, commitment=seal.commitment)


def given_salt() -> str | None:
    """Return the salt in the submitted form; None without one.

    Raises `RequestRejected`: `validation-failed`.
    """
    salt = request.form.get("salt")
    try:
        return checked(Salt, salt) if salt else None
    except ValidationError as error:
        raise RequestRejected("validation-failed", str(error.messages[0])) from error


def given_seal() -> str | None:
    """Return the id of the seal in the submitted form; None without one."""
    return request.form.get("seal") or None
