"""Arriving by somebody else's sign-in: as the player whose account it opens, or to choose one.

Whoever is new here begins an account, as far as registration allows, or lets their identity open
the account that this browser is signed in to. Neither happens without asking: a browser may be
shared, and its old cookie may be another person's.
"""

import re
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from flask import Response, redirect, render_template, request, url_for
from marshmallow import ValidationError

from service.accounts.identities import Identity
from service.accounts.player import Player
from service.api.schemas.fields import NewName
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID
from service.web import session, trusted_header
from service.web.answers import personal, to
from service.web.blueprint import blueprint
from service.web.form_keys import guest_seed

_SIGNING_IN: Final = frozenset(
    f"web.{view}"
    for view in [
        "sign_in",
        "ask_to_sign_in",
        "confirm_sign_in",
        "use_link",
        "ask_for_code",
        "confirm_device",
        "open_device",
    ]
)
"""These sign in otherwise: whoever has arrived needs none of them."""
_FREE: Final = frozenset(
    f"web.{view}"
    for view in [
        "arrival",
        "begin_as_arrived",
        "link_arrived",
        "sign_out",
        "static",
        "manifest",
        "icon",
        "preview",
        "push_worker",
        "preview_invitation",
        "calendar",
        "atom",
        "verify",
        "confirm_address",
        "unsubscribe",
        "change_subscription",
        "mailbox",
        "mail",
        "mail_html",
        "rules",
        "judge_claim",
        "lesson",
        "puzzle",
        "ask_to_open",
        "open_operator_page",
        "leave_operator_page",
        "operator",
        "settle_dead_letters",
        "clear_address",
        "settle_report",
        "operator_players",
        "operator_player",
        "operate",
        "operator_log",
    ]
)
"""These are the same for everybody, or have a key of their own."""
_WELCOME: Final = re.compile("/welcome/([A-Za-z0-9_-]{1,100})")
_GAME: Final = re.compile(f"/games/({GAME_ID})")


class Arrived(NamedTuple):
    """Somebody whom another sign-in names, `label` for people."""

    identity: Identity
    label: str


@blueprint.before_request
def meet() -> Response | None:
    """Ask whoever arrives for the first time for their account, before anything else."""
    if request.endpoint in _FREE or not trusted_header.is_given():
        return None
    if trusted_header.identity() is None:
        raise RequestRejected(
            "unreadable-sign-in",
            "The sign-in of this server's host names nobody, or more than one person. Only the host"
            " can mend that.",
        )
    if session.player_id() is not None:
        return to("web.home") if request.endpoint in _SIGNING_IN else None
    if request.endpoint in _SIGNING_IN:
        return None
    return to("web.arrival", next=request.full_path.rstrip("?") if request.method == "GET" else "/")


@blueprint.get("/arrival")
def arrival() -> Response:
    """Ask for the account that the identity is to open."""
    arrived = _arrived()
    if arrived is None or session.player_id() is not None:
        return _onward()
    return _page(arrived)


@blueprint.post("/arrival/begin")
def begin_as_arrived() -> Response:
    """Begin an account, which the identity opens from now on."""
    arrived = _arrived()
    if arrived is None or _opens_one(arrived):
        return _onward()
    try:
        player = _register(NewName().deserialize(request.form.get("name", "")))
    except ValidationError as error:
        return _page(arrived, str(error.messages[0]))
    except RequestRejected as refusal:
        return _page(arrived, refusal.detail)
    get_container().identities.link(player.id, arrived.identity, arrived.label)
    return _onward()


@blueprint.post("/arrival/link")
def link_arrived() -> Response:
    """Let the identity open the account that this browser is signed in to by itself."""
    arrived, player = _arrived(), _signed_in_otherwise()
    if arrived is None or player is None or _opens_one(arrived):
        return _onward()
    get_container().identities.link(player.id, arrived.identity, arrived.label)
    # Else the browser would stay signed in after the host's sign-in has ended.
    return session.end_by_cookie(_onward())


def _arrived() -> Arrived | None:
    identity = trusted_header.identity()
    return None if identity is None else Arrived(identity, identity.subject)


def _opens_one(arrived: Arrived) -> bool:
    return _owner(arrived) is not None


def _owner(arrived: Arrived) -> Player | None:
    owner = get_container().identities.player_of(arrived.identity)
    return None if owner is None else get_container().players.find(owner)


def _signed_in_otherwise() -> Player | None:
    """Whose session this browser has by itself."""
    access = session.by_cookie()
    player = None if access is None else get_container().players.find(access.player)
    return None if player is None or player.suspended is not None else player


def _register(name: str) -> Player:
    """A new player of this name. Raises `RequestRejected`: `registration-closed`, `name-reserved`,
    `name-taken`."""
    path = urlsplit(_next())
    game, welcome = _GAME.fullmatch(path.path), _WELCOME.fullmatch(path.path)
    invite = parse_qs(path.query).get("invite", [""])[0]
    return get_container().guests.register(
        name,
        guest_seed(),
        welcome and welcome[1],
        exactly=True,
        holds_invite=bool(game and _admits(game[1], invite)),
    )


def _admits(game_id: str, invite: str) -> bool:
    """Whether somebody can still sit down in this game by this invite."""
    games = get_container().games
    return games.invitations.is_valid(game_id, invite) and games.load(game_id).game.status == "open"


def _page(arrived: Arrived, trouble: str | None = None) -> Response:
    owner, next_path = _owner(arrived), _next()
    page = render_template(
        "arrival.html",
        label=arrived.label,
        name=request.form.get("name") or _suggested(arrived.label),
        suspended=owner is not None,
        here=_signed_in_otherwise(),
        next=next_path,
        trouble=trouble,
    )
    return personal(page, 422 if trouble else 200)


def _suggested(label: str) -> str:
    """A name like the label: of an address its first part, for names are public."""
    try:
        return NewName().deserialize(label.partition("@")[0])
    except ValidationError:
        return ""


def _onward() -> Response:
    """To the page that was asked for at first."""
    return redirect(_next(), 303)  # type: ignore[return-value]


def _next() -> str:
    """A path of this server; that of the front page without a good one."""
    path = request.values.get("next", "")
    is_path = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable()
    return path if is_path and "\\" not in path else url_for("web.home")
