"""Sign-in by a link sent to the player's address."""

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from marshmallow import ValidationError

from service.api.schemas.fields import EmailAddress
from service.container import get_container
from service.web import session, trusted_header
from service.web.account.answer_addresses import answer_verification
from service.web.account.devices import who_is_here
from service.web.answers import gone, personal, to
from service.web.blueprint import blueprint


@blueprint.get("/sign-in")
def sign_in() -> Response:
    """Ask for the address; `?why=` gives the reason for signing in."""
    return _form(why=request.args.get("why"))


@blueprint.post("/sign-in")
def ask_to_sign_in() -> Response:
    """Send a link. The response is the same whether or not a player has the address."""
    try:
        email = EmailAddress().deserialize(request.form.get("email", "").strip())
    except ValidationError:
        return _form(wrong=True)
    get_container().sign_in.request_link(email)
    return _form(sent=True)


@blueprint.get("/sign-in/<secret>")
def confirm_sign_in(secret: str) -> Response:
    """Ask for confirmation. Only submitting the form uses up the link: mail scanners follow every
    link."""
    accounts = get_container().sign_in.accounts(secret)
    if not accounts:
        return gone()
    return personal(render_template("confirm.html", accounts=accounts, **who_is_here()))


@blueprint.post("/sign-in/<secret>")
def use_link(secret: str) -> Response:
    """Use up the link, and sign this browser in."""
    player = get_container().sign_in.redeem(secret, request.form.get("player", ""))
    if player is None:
        return gone()
    return session.begin(to("web.home"), player.id)


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """Sign this browser out. A trusted header signs it in again with the next page."""
    if trusted_header.is_given():
        session.current()
        return session.end(personal(render_template("signed_out.html", waiting=0)))
    return session.end(make_response(redirect(url_for("web.home"), 303)))


@blueprint.get("/verify/<token>")
def verify(token: str) -> Response:
    """Ask whether this address is the reader's own."""
    return _verification(token, done=False)


@blueprint.post("/verify/<token>")
def confirm_address(token: str) -> Response:
    """Confirm the address. No sign-in is needed: the link was sent to this address only."""
    return _verification(token, done=True)


def _form(sent: bool = False, wrong: bool = False, why: str | None = None) -> Response:
    page = render_template("sign_in.html", sent=sent, wrong=wrong, why=why)
    return personal(page, 422 if wrong else 200)


def _verification(token: str, done: bool) -> Response:
    container = get_container()
    if (answers := container.answer_addresses.read_link(token)) is not None:
        return answer_verification(answers, done)
    claim = container.addresses.read_link(token)
    player = claim and container.players.find(claim.player)
    if claim is None or player is None or claim.email not in (player.email, player.pending):
        return gone()
    if done and not container.players.verify(claim):
        abort(404)
    verified = player.verified and player.email == claim.email
    page = render_template("verify.html", player=player, email=claim.email, done=done or verified)
    return personal(page)
