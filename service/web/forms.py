"""Makes sure that only our own pages send forms that change something, and that a form sent twice
takes effect once.

Each form contains a token derived from a cookie of this browser and the signed-in player. Another
site can make a browser send a form, but can neither read that cookie nor predict the token.

A page also puts a new secret into its form; if the button is clicked twice, or the page is sent
again, the secret is the same.

The player's own share in the shuffle (the salt): see `docs/verify.md`, section 6.

The page's script draws the salt in the browser. For a new game it first asks for a seal, so that
the server has committed itself to its secret before it receives the salt; a player who joins has
seen the commitment. Without the script a form contains neither, and the game uses its commitment as
salt.
"""

import hmac
import re
import secrets
from collections.abc import Callable
from typing import Final, TypeVar, cast
from urllib.parse import urlsplit

from flask import Response, abort, current_app, g, jsonify, request
from marshmallow import ValidationError

from service.api.schemas.fields import Salt, checked
from service.container import get_container
from service.core import ids
from service.core.errors import RequestRejected
from service.eventlog import IdempotencyKey
from service.web import cookies, session
from service.web.blueprint import blueprint

FIELD: Final = "form"

_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_OURS: Final = ("same-origin", "none")
_OPEN: Final = "_open_to_others"

View = TypeVar("View", bound=Callable[..., object])


def open_to_others(view: View) -> View:
    """Allow mail programs and other sites to send to this view: its URL itself is a secret."""
    setattr(view, _OPEN, True)
    return view


@blueprint.app_template_global()
def form_token() -> str:
    """Return the value of the hidden field `form`."""
    if "form_token" not in g:
        g.form_token = _token(browser_secret())
    return cast(str, g.form_token)


def browser_secret() -> str:
    """Return a secret that only this browser sends; the response sets it as a cookie."""
    if "form_seed" not in g:
        g.form_seed = cookies.given(cookies.FORM) or secrets.token_urlsafe(32)
    return cast(str, g.form_seed)


@blueprint.before_request
def check_form() -> None:
    """Refuse (403) a change that was not sent from one of our pages in this browser."""
    if request.method in _SAFE or hasattr(_view(), _OPEN):
        return
    seed = cookies.given(cookies.FORM)
    given = request.form.get(FIELD, "")
    if not seed or not hmac.compare_digest(given.encode(), _token(seed).encode()):
        abort(403)
    if not _is_from_here():
        abort(403)


@blueprint.after_app_request
def _with_cookie(response: Response) -> Response:
    if "form_seed" not in g:
        return response
    # A page from a cache would hold a token of somebody else, or of before signing in.
    response.headers["Cache-Control"] = "no-store"
    if not cookies.given(cookies.FORM):
        name = cookies.name_of(cookies.FORM)
        response.set_cookie(name, g.form_seed, **cookies.rules())
    return response


def _view() -> object:
    return current_app.view_functions.get(request.endpoint or "")


def _is_from_here() -> bool:
    """Whether the browser's headers name a page of this server as the sender, or no sender."""
    if (site := request.headers.get("Sec-Fetch-Site")) is not None:
        return site in _OURS
    # Browsers hide the origin where a page tells nobody of its address, as ours do.
    origin = request.headers.get("Origin", "null")
    return origin == "null" or urlsplit(origin).netloc == request.host


def _token(seed: str) -> str:
    container = get_container()
    secret = ids.derive(container.settings.secret_key, "form", seed, session.text())
    return ids.secret_text(secret)


_ONCE: Final = "once"
_DRAWN: Final = re.compile("[A-Za-z0-9_-]{43}")


@blueprint.app_template_global()
def once() -> str:
    """Return a new value for the hidden field `once`."""
    return ids.secret_text()


def form_key(scope: str) -> IdempotencyKey | None:
    """Return the idempotency key of the submitted form, within `scope`; None without the field.

    The same page with other choices is another request.
    """
    drawn = request.form.get(_ONCE, "")
    if not _DRAWN.fullmatch(drawn):
        return None
    fields = sorted((name, value) for name, value in request.form.items(multi=True))
    fingerprint = ids.digest(repr([request.path, *fields]))
    return IdempotencyKey(f"{scope} web {fingerprint}", fingerprint, scope)


def future_guest() -> str | None:
    """Return the name under which a seal is stored for the guest whom this form will create; None
    without the field `once`."""
    seed = guest_seed()
    return None if seed is None else f"guest-{ids.digest(seed)}"


def guest_seed() -> str | None:
    """Return the seed of the guest whom this form creates: the same each time, and only in this
    browser. None without the field `once`."""
    drawn = request.form.get(_ONCE, "")
    if not _DRAWN.fullmatch(drawn):
        return None
    secret = get_container().settings.secret_key
    return ids.secret_text(ids.derive(secret, "web guest", cookies.given(cookies.FORM), drawn))


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
