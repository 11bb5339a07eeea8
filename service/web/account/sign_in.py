"""Sign-in by a link sent to the player's address, or by a code from a signed-in browser; and the
browsers in which a player is signed in.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

import segno
from flask import Response, make_response, redirect, request, url_for
from markupsafe import Markup
from marshmallow import ValidationError

from service.accounts.player import Player
from service.api.auth import caller_address
from service.api.schemas.fields import EmailAddress, checked
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.network import is_loopback
from service.web import session, trusted_header
from service.web.account.guests import WrongName, entered_name, free_names
from service.web.answers import (
    gone,
    onward,
    path_after_sign_in,
    personal,
    signed_in_access,
    signed_in_player,
    to,
)
from service.web.blueprint import blueprint
from service.web.forms import form_key
from service.web.language import no_address, reader_words, reason

_FIELDS: Final = {"too-many-mails": "new-email", "name-taken": "name", "name-reserved": "name"}
"""The field of a new account's form that a refusal is about, by its code."""


@blueprint.get("/sign-in")
def sign_in() -> Response:
    """Ask for the address; `?why=` gives the reason, `?next=` the page to open then."""
    return _form(why=request.args.get("why"))


@blueprint.post("/sign-in")
def ask_to_sign_in() -> Response:
    """Send a link. The response is the same whether or not a player has the address."""
    try:
        email = checked(EmailAddress, request.form.get("email", "").strip())
    except ValidationError:
        return _form(errors={"email": no_address()})
    get_container().sign_in.request_link(email, path_after_sign_in())
    return _form(sent=True)


@blueprint.post("/account")
def begin_account() -> Response:
    """Register a visitor with a name and an address, which gets a link to confirm it, and sign this
    browser in. Sending the same form again creates no second player."""
    if session.player() is not None:
        return to("web.account_mail")
    try:
        name = entered_name("name")
    except WrongName as wrong:
        return _form(errors={"name": str(wrong)})
    try:
        email = checked(EmailAddress, request.form.get("email", "").strip())
    except ValidationError:
        return _form(errors={"new-email": no_address()})
    key = form_key(f"guest {caller_address()}")
    try:
        player = (
            get_container()
            .registrations.register(name, email, key=key, language=reader_words().language)
            .player
        )
    except RequestRejected as refusal:
        field = _FIELDS.get(refusal.code)
        if field is None:
            raise
        return _form(errors={field: reason(refusal)}, free=free_names(refusal, name))
    session.note_time_zone(player.id)
    return session.begin(to("web.home"), player.id)


@blueprint.get("/sign-in/<secret>")
def confirm_sign_in(secret: str) -> Response:
    """Ask for confirmation. Only submitting the form uses up the link: mail scanners follow every
    link."""
    accounts = get_container().sign_in.accounts(secret)
    if not accounts:
        return gone()
    return personal("confirm.html", accounts=accounts, **who_is_here())


@blueprint.post("/sign-in/<secret>")
def use_link(secret: str) -> Response:
    """Use up the link, and sign this browser in."""
    next_path = get_container().sign_in.next_path(secret)
    player = get_container().sign_in.redeem(secret, request.form.get("player", ""))
    if player is None:
        return gone()
    return session.begin(onward(next_path), player.id)


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """Sign this browser out; ask first where the account could not be opened again.

    A trusted header signs it in again with the next page.
    """
    if trusted_header.is_given():
        session.current()
        return session.end(personal("signed_out.html", waiting=0))
    if who_is_here()["would_be_lost"] and "sure" not in request.form:
        return personal("sign_out.html")
    return session.end(make_response(redirect(url_for("web.home"), 303)))


def _form(
    sent: bool = False,
    why: str | None = None,
    errors: Mapping[str, str] = MappingProxyType({}),
    free: Sequence[str] = (),
) -> Response:
    return personal(
        "sign_in.html",
        sent=sent,
        why=why,
        errors=errors,
        free_names=free,
        given=request.form,
        next=path_after_sign_in(),
    )


def _code_gone() -> Response:
    why = reader_words().say(
        "A code to open an account works once, for ten minutes, and a new one takes its place."
        " Make another in the browser where you are signed in: Account, then Devices."
    )
    return gone(why)


@blueprint.get("/account/devices")
def devices() -> Response:
    """Show the browsers in which the player is signed in."""
    return _page(signed_in_player())


@blueprint.post("/account/devices/link")
def make_device_link() -> Response:
    """Show a code that works once, as text and as a QR code. It revokes the previous code."""
    player = signed_in_player()
    return _page(player, get_container().device_links.make(player.id))


@blueprint.post("/account/devices/link/revoke")
def revoke_device_link() -> Response:
    get_container().device_links.revoke(signed_in_player().id)
    return to("web.devices")


@blueprint.post("/account/devices/<token_id>/end")
def end_device(token_id: str) -> Response:
    """Sign one browser out."""
    get_container().tokens.revoke(signed_in_player().id, token_id)
    return to("web.devices")


@blueprint.post("/account/tokens/revoke-others")
def revoke_others() -> Response:
    """Revoke all tokens and sign out all browsers but this one."""
    access = signed_in_access()
    get_container().device_links.revoke(access.player)
    get_container().tokens.revoke_others(access.player, access.token)
    return to("web.devices")


@blueprint.get("/open")
def ask_for_code() -> Response:
    """Ask for the code that another device shows."""
    if code := request.args.get("code", "").strip():
        return redirect(url_for("web.confirm_device", code=code), 303)  # type: ignore[return-value]
    return personal("open.html", player=None)


@blueprint.get("/open/<code>")
def confirm_device(code: str) -> Response:
    """Ask whether to sign this browser in. Only submitting the form uses up the code."""
    owner = get_container().device_links.owner(code)
    player = get_container().players.find(owner) if owner else None
    if player is None:
        return _code_gone()
    return personal("open.html", player=player, code=code, **who_is_here())


@blueprint.post("/open/<code>")
def open_device(code: str) -> Response:
    """Use up the code, and sign this browser in."""
    owner = get_container().device_links.use(code)
    if owner is None or get_container().players.find(owner) is None:
        return _code_gone()
    return session.begin(to("web.home"), owner)


def who_is_here() -> dict[str, object]:
    """Return the template variables about the player signed in here: the player, and whether they
    could not sign in again."""
    here = session.player()
    return {
        "here": here,
        "would_be_lost": here is not None and not get_container().sign_in.can_return(here),
    }


def _page(player: Player, code: str | None = None) -> Response:
    access = session.current()
    link = picture = None
    if code is not None:
        link = f"{_address()}{url_for('web.confirm_device', code=code)}"
        drawn = segno.make(link, error="m", micro=False)
        inline = drawn.svg_inline(scale=5, border=4, light="#fff", dark="#000", svgclass="qr")
        picture = Markup(inline)
    tokens = get_container().tokens.all_of(player.id)
    return personal(
        "devices.html",
        sessions=[token for token in tokens if token.kind == "session"][::-1],
        here=access.token if access else None,
        code=code,
        address=link,
        place=f"{urlsplit(_address()).netloc}{url_for('web.ask_for_code')}",
        picture=picture,
        only_here=is_loopback(urlsplit(_address()).hostname),
        open=code is None and get_container().device_links.is_open(player.id),
        now=get_container().now(),
    )


def _address() -> str:
    """Return this server's base URL as the player has reached it, or else as in links of mails."""
    base = get_container().settings.base_url
    return base if request.host == urlsplit(base).netloc else f"{request.scheme}://{request.host}"
