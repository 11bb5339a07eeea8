"""The player's own share in the shuffle, made by the page: see `docs/verify.md`, section 6.

The page's script makes the salt in the browser. For a new game it asks for a seal first, so that
the server is bound to its secret before it knows the salt; a joining player has seen the
commitment. Without the script a form holds neither, and the game uses its commitment as salt.
"""

from flask import Response, jsonify, request
from marshmallow import ValidationError

from service.api.schemas.fields import Salt
from service.container import get_container
from service.core.errors import RequestRejected
from service.web import session
from service.web.blueprint import blueprint
from service.web.form_keys import future_guest


@blueprint.post("/seals")
def make_seal() -> Response:
    """A seal for the game that the reader is about to make, and its commitment.

    It belongs to the player who is signed in, else to the guest whom the form will make.
    """
    player = session.player_id() or future_guest()
    if player is None:
        raise RequestRejected("unauthenticated", "Only a player, or the form of one, gets a seal.")
    seal = get_container().games.seals.make(player)
    return jsonify(seal=seal.id, commitment=seal.commitment)


def given_salt() -> str | None:
    """The salt in the form that was sent. Raises `RequestRejected`: `validation-failed`."""
    salt = request.form.get("salt")
    try:
        return Salt().deserialize(salt) if salt else None
    except ValidationError as error:
        raise RequestRejected("validation-failed", str(error.messages[0])) from error


def given_seal() -> str | None:
    """The id of the seal in the form that was sent."""
    return request.form.get("seal") or None
