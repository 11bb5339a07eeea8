"""Sign-in by a trusted header or an OpenID provider, and the choice of the account that it opens.

New people register an account, if registration allows it, or link their identity to the account
that this browser is signed in to. Neither happens without asking: a browser may be shared, and its
old cookie may be another person's.
"""

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

from flask import Response, abort, request
from marshmallow import ValidationError

from service.accounts.identities import OPENID_CALLBACK, TRUSTED_HEADER, Identity, Person
from service.accounts.player import Player
from service.api.schemas.fields import NewName, checked
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID
from service.web import session, trusted_header
from service.web.account.sign_in import who_is_here
from service.web.answers import onward, path_after_sign_in, personal, to
from service.web.blueprint import blueprint
from service.web.forms import browser_secret, guest_seed
from service.web.language import fault, reader_words

if TYPE_CHECKING:
    from service.accounts.openid import OpenIdSignIns


@blueprint.get("/sign-in/openid")
def begin_open_id() -> Response:
    """Send this browser to the provider."""
    open_id, base = _open_id(), get_container().settings.base_url
    if request.host != urlsplit(base).netloc:
        # The provider sends browsers back to that name, where no other name's cookie goes.
        return onward(f"{base}{request.full_path.rstrip('?')}")
    return onward(open_id.begin(browser_secret(), path_after_sign_in()))


@blueprint.get(OPENID_CALLBACK)
def finish_open_id() -> Response:
    """Complete the sign-in of a person whom the provider sends back."""
    open_id, given = _open_id(), request.args
    if any(len(given.getlist(name)) > 1 for name in ("state", "code", "iss")):
        raise RequestRejected("sign-in-refused", "Its answer came in two versions.")
    finished = open_id.finish(
        browser_secret(), given.get("state", ""), given.get("code", ""), given.get("iss")
    )
    return arrive(finished.person, finished.next)


@blueprint.app_template_global()
def sign_in_name(identity: Identity) -> str:
    """Return the name of the sign-in that this identity belongs to."""
    if identity.issuer == TRUSTED_HEADER:
        return reader_words().say("the sign-in of this server’s host")
    settings = get_container().settings
    return settings.oidc_name if identity.issuer == settings.oidc_issuer else identity.issuer


@blueprint.app_template_global()
def open_id_name() -> str | None:
    """Return the provider's name on the button to sign in; None without a provider."""
    settings = get_container().settings
    return None if settings.oidc_issuer is None else settings.oidc_name


_SIGNING_IN: Final = frozenset(
    f"web.{view}"
    for view in (
        *("sign_in", "ask_to_sign_in", "confirm_sign_in", "use_link"),
        *("ask_for_code", "confirm_device", "open_device", "begin_open_id", "finish_open_id"),
    )
)
"""Endpoints of other ways to sign in. A person whom the header or the provider has signed in does
not need them."""
_FREE: Final = frozenset(
    f"web.{view}"
    for view in (
        *("arrival", "begin_as_arrived", "link_arrived", "sign_out"),
        *("static", "manifest", "icon", "preview", "push_worker", "preview_invitation"),
        *("calendar", "atom", "verify", "confirm_address", "unsubscribe", "change_subscription"),
        *("mailbox", "mail", "mail_html", "rules", "judge_claim", "lesson", "puzzle"),
    )
)
"""Endpoints open to everybody. Some are the same for all, others check a secret in the URL."""
_WELCOME: Final = re.compile("/welcome/([A-Za-z0-9_-]{1,100})")
_GAME: Final = re.compile(f"/games/({GAME_ID})")


@blueprint.before_request
def meet() -> Response | None:
    """Redirect people whom the header names, but who have no account, to the page that asks for
    one.

    Raises `RequestRejected`, `unreadable-sign-in`, if the header does not name one person.
    """
    is_free = request.endpoint in _FREE or f"{request.path}/".startswith("/operator/")
    if is_free or not trusted_header.is_given():
        return None
    if trusted_header.identity() is None:
        raise RequestRejected(
            "unreadable-sign-in",
            "The sign-in of this server’s host names nobody, or more than one person. Only the host"
            " can mend that.",
        )
    if session.player_id() is not None:
        return to("web.home") if request.endpoint in _SIGNING_IN else None
    if request.endpoint in _SIGNING_IN:
        return None
    return to("web.arrival", next=request.full_path.rstrip("?") if request.method == "GET" else "/")


@blueprint.get("/arrival")
def arrival() -> Response:
    """Ask for the account that the identity shall open."""
    person = _person()
    is_at_home = trusted_header.is_given() and session.player_id() is not None
    if person is None or is_at_home:
        return onward(path_after_sign_in())
    return _page(person)


@blueprint.post("/arrival/begin")
def begin_as_arrived() -> Response:
    """Register an account that the identity opens from now on."""
    person = _person()
    if person is None or not _may_begin(person):
        return onward(path_after_sign_in())
    try:
        player = _register(checked(NewName, request.form.get("name", "")))
    except (ValidationError, RequestRejected) as error:
        return _page(person, fault(error))
    return open_account(player, person, path_after_sign_in())


@blueprint.post("/arrival/link/<player_id>")
def link_arrived(player_id: str) -> Response:
    """Link the identity to the account that this person has chosen."""
    person = _person()
    choices = [] if person is None else _choices(person)
    player = next((one for one in choices if one.id == player_id), None)
    if person is None or player is None:
        return onward(path_after_sign_in())
    return open_account(player, person, path_after_sign_in())


def arrive(person: Person, next_path: str) -> Response:
    """Continue after the OpenID provider has signed a person in.

    Open their account if only one is possible, it is certainly theirs, and nobody else is signed in
    here; else ask for the account.
    """
    choices, here = _choices(person), session.player()
    if (
        len(choices) == 1
        and here in (None, choices[0])
        and (choices[0] == _owner(person) or choices[0] in _of_address(person))
    ):
        return open_account(choices[0], person, next_path)
    _open_id().keep(browser_secret(), person)
    return to("web.arrival", next=next_path)


def open_account(player: Player, person: Person, next_path: str) -> Response:
    """Link the identity to this account, and sign this browser in to it."""
    if not get_container().identities.link(player.id, person.identity, person.label):
        return to("web.arrival", next=next_path)  # another browser was quicker
    answer = onward(next_path)
    if trusted_header.is_given():
        # Else the browser would stay signed in after the host's sign-in has ended.
        return session.end_by_cookie(answer)
    _open_id().forget(browser_secret())
    return answer if session.player_id() == player.id else session.begin(answer, player.id)


def _person() -> Person | None:
    """Return the person signed in by the header, or else by the OpenID provider; else None."""
    if (identity := trusted_header.identity()) is not None:
        return Person(identity, identity.subject)
    open_id = get_container().open_id
    return None if open_id is None else open_id.arrived(browser_secret())


def _open_id() -> "OpenIdSignIns":
    open_id = get_container().open_id
    return open_id if open_id is not None else abort(404)


def _choices(person: Person) -> list[Player]:
    """Return the accounts that this person can choose, except suspended ones.

    If the identity opens an account, that is the only one. Otherwise they are the accounts with an
    address that both sides have verified, and the one signed in on this browser.
    """
    if (owner := _owner(person)) is not None:
        return [owner] if owner.suspended is None else []
    by_mail = _of_address(person)
    here = _signed_in_otherwise()
    choices = by_mail if here is None or here in by_mail else [*by_mail, here]
    return [player for player in choices if player.suspended is None]


def _may_begin(person: Person) -> bool:
    """Whether this person may register: they have no account yet, not even a suspended one."""
    suspended = any(player.suspended for player in _of_address(person))
    return _owner(person) is None and not suspended


def _owner(person: Person) -> Player | None:
    owner = get_container().identities.player_of(person.identity)
    return None if owner is None else get_container().players.find(owner)


def _of_address(person: Person) -> list[Player]:
    return [] if person.email is None else get_container().players.owners(person.email)


def _signed_in_otherwise() -> Player | None:
    """Return the player of this browser's own session, regardless of the header."""
    access = session.by_cookie()
    return None if access is None else get_container().players.find(access.player)


def _register(name: str) -> Player:
    """Register a player with this name.

    Raises `RequestRejected`: `registration-closed`, `name-reserved`, `name-taken`.
    """
    path = urlsplit(path_after_sign_in())
    game, welcome = _GAME.fullmatch(path.path), _WELCOME.fullmatch(path.path)
    invite, games = parse_qs(path.query).get("invite", [""])[0], get_container().games
    return get_container().guests.register(
        name,
        guest_seed(),
        welcome and welcome[1],
        exactly=True,
        # The free seat of the game can still be taken with this invite.
        holds_invite=game is not None
        and games.invitations.is_valid(game[1], invite)
        and games.load(game[1]).game.status == "open",
    )


def _page(person: Person, error: str | None = None) -> Response:
    return personal(
        "arrival.html",
        label=person.label,
        name=request.form.get("name") or _suggested(person.label),
        choices=_choices(person),
        begins=_may_begin(person),
        otherwise=_signed_in_otherwise(),
        is_owner=_owner(person) is not None,
        next=path_after_sign_in(),
        error=error,
        **who_is_here(),
    )


def _suggested(label: str) -> str:
    """Return a name like the label; `""` if it makes no valid name.

    Only the first part of an e-mail address is used, because names are public.
    """
    try:
        return checked(NewName, label.partition("@")[0])
    except ValidationError:
        return ""
