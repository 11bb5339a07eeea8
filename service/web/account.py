"""One's own account: who is signed in, and the tokens that act for them."""

from flask import Response, make_response, redirect, render_template, request, url_for
from marshmallow import ValidationError

from service.accounts.players import Player
from service.accounts.tokens import SCOPE_MEANINGS, IssuedToken
from service.api.schemas.account import TokenInput
from service.api.schemas.fields import EmailAddress
from service.container import get_container
from service.core.errors import RequestRejected
from service.web import session
from service.web.answers import personal, to_sign_in
from service.web.blueprint import blueprint


@blueprint.get("/account")
def account() -> Response:
    """The account of who is signed in."""
    player = session.player()
    return _page(player) if player else to_sign_in()


@blueprint.post("/account/tokens")
def make_token() -> Response:
    """Make a token, and show it this once."""
    player = session.player()
    if player is None:
        return to_sign_in()
    asked = {"name": request.form.get("name", ""), "scopes": request.form.getlist("scopes")}
    try:
        wanted = TokenInput().load(asked)
        issued = get_container().tokens.create(player.id, wanted["name"], wanted["scopes"])
    except ValidationError:
        return _page(player, trouble="A token has a name and at least one scope.")
    except RequestRejected as refusal:
        return _page(player, trouble=refusal.detail)
    return _page(player, issued=issued)


@blueprint.post("/account/tokens/<token_id>/revoke")
def revoke_token(token_id: str) -> Response:
    """Revoke a token or sign another browser out."""
    player = session.player()
    if player is None:
        return to_sign_in()
    get_container().tokens.revoke(player.id, token_id)
    return make_response(redirect(url_for("web.account"), 303))


@blueprint.post("/account/tokens/revoke-others")
def revoke_others() -> Response:
    """Revoke all tokens and sign out all browsers but this one."""
    access = session.current()
    if access is None:
        return to_sign_in()
    get_container().tokens.revoke_others(access.player, access.token)
    return make_response(redirect(url_for("web.account"), 303))


@blueprint.post("/account/address")
def change_address() -> Response:
    """Let mail go to another address, once the link sent there is opened."""
    player = session.player()
    if player is None:
        return to_sign_in()
    try:
        email = EmailAddress().deserialize(request.form.get("email", "").strip())
    except ValidationError:
        return _page(player, trouble="That is not a valid e-mail address.")
    try:
        with get_container().players.counting_address_mail(player, email):
            get_container().players.set_address(player, email)
    except RequestRejected as refusal:
        return _page(player, trouble=refusal.detail)
    return make_response(redirect(url_for("web.account"), 303))


def _page(
    player: Player, issued: IssuedToken | None = None, trouble: str | None = None
) -> Response:
    access = session.current()
    page = render_template(
        "account.html",
        player=player,
        tokens=get_container().tokens.all_of(player.id),
        here=access.token if access else None,
        scopes=SCOPE_MEANINGS,
        issued=issued,
        trouble=trouble,
    )
    return personal(page, 422 if trouble else 200)
