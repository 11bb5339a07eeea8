"""A player's programs: tokens to act for the player, and bots with names of their own."""

from flask import Response, request
from marshmallow import ValidationError

from service.accounts.player import Player
from service.accounts.registration import FIRST_TOKEN, MOST_BOTS, Registration
from service.accounts.tokens import SCOPE_MEANINGS, IssuedToken
from service.api.schemas.account import OwnBotInput, TokenInput
from service.api.schemas.fields import load
from service.container import get_container
from service.core.errors import RequestRejected
from service.web.answers import personal, signed_in_player, to
from service.web.blueprint import blueprint
from service.web.language import fault, reader_words, reason


@blueprint.get("/account/tokens")
def tokens() -> Response:
    """Show the player's tokens and bots."""
    return _page(signed_in_player())


@blueprint.post("/account/tokens")
def make_token() -> Response:
    """Create a token, and show it, only this once."""
    player = signed_in_player()
    asked = {"name": request.form.get("name", ""), "scopes": request.form.getlist("scopes")}
    try:
        wanted = load(TokenInput, asked)
        issued = get_container().tokens.create(player.id, wanted["name"], wanted["scopes"])
    except ValidationError:
        return _page(player, error=reader_words().say("A token has a name and at least one scope."))
    except RequestRejected as refusal:
        return _page(player, error=reason(refusal))
    return _page(player, issued=issued)


@blueprint.post("/account/tokens/<token_id>/revoke")
def revoke_token(token_id: str) -> Response:
    get_container().tokens.revoke(signed_in_player().id, token_id)
    return to("web.tokens")


@blueprint.post("/account/bots")
def make_bot() -> Response:
    """Register a bot, and show its token, only this once."""
    player = signed_in_player()
    try:
        name = load(OwnBotInput, {"name": request.form.get("name", "")})["name"]
        made = get_container().registrations.register(name, owner=player.id)
    except (ValidationError, RequestRejected) as error:
        return _page(player, error=fault(error))
    return _page(player, made=made)


@blueprint.post("/account/bots/<bot_id>/end")
def end_bot(bot_id: str) -> Response:
    """Close a bot's account: its games are resigned."""
    container = get_container()
    container.accounts.close(container.players.own_bot(signed_in_player().id, bot_id))
    return to("web.tokens", _anchor="bots")


def _page(
    player: Player,
    issued: IssuedToken | None = None,
    made: Registration | None = None,
    error: str | None = None,
) -> Response:
    tokens = get_container().tokens.all_of(player.id)
    return personal(
        "tokens.html",
        tokens=[token for token in tokens if token.kind == "api"],
        first=FIRST_TOKEN,
        scopes=SCOPE_MEANINGS,
        issued=issued,
        made=made,
        bots=get_container().players.bots_of(player.id),
        most_bots=MOST_BOTS,
        error=error,
        now=get_container().now(),
    )
