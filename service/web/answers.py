"""Responses that several pages share."""

from typing import Any

from flask import Response, abort, make_response, redirect, render_template, request, url_for

from service.accounts.player import Player
from service.accounts.tokens import Access
from service.web import session
from service.web.blueprint import blueprint


def personal(page: str, status: int = 200) -> Response:
    """Return a page for this reader alone, which no cache may store."""
    answer = make_response(page, status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def gone(why: str | None = None) -> Response:
    """Return the response for a link that was used, has expired, or never existed."""
    return personal(render_template("gone.html", why=why), 410)


def to(endpoint: str, **values: Any) -> Response:
    """Redirect to another page after a form: the browser requests it with GET."""
    return make_response(redirect(url_for(endpoint, **values), 303))


def onward(path: str) -> Response:
    """Redirect to this path: the page that was requested before signing in."""
    return redirect(path, 303)  # type: ignore[return-value]


def path_after_sign_in() -> str:
    """Return the path of the page to open after signing in, which the request gives as `next`; that
    of the front page if it leads to another server."""
    path = request.values.get("next", "")
    is_path = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable()
    return path if is_path and "\\" not in path else url_for("web.home")


def saved(endpoint: str, part: str) -> Response:
    """Redirect to a page, which then confirms that this part was saved, and has the focus there."""
    return to(endpoint, saved=part)


def signed_in() -> str:
    """Return the id of the signed-in player. Redirects everybody else to the sign-in page."""
    return signed_in_access().player


def signed_in_access() -> Access:
    """Return the access rights of the session. Redirects to the sign-in page without one."""
    access = session.current()
    if access is None:
        abort(_to_sign_in())
    return access


def signed_in_player() -> Player:
    """Return the signed-in player. Redirects everybody else to the sign-in page."""
    player = session.player()
    if player is None:
        abort(_to_sign_in())
    return player


def _to_sign_in() -> Response:
    why = "ended" if session.text() else "needed"
    return make_response(redirect(sign_in_url(why=why), 303))


@blueprint.app_template_global()
def sign_in_url(why: str | None = None) -> str:
    """Return the URL of the page to sign in, which then leads back to the present one."""
    path = request.full_path.rstrip("?") if request.method == "GET" else None
    return url_for("web.sign_in", why=why, next=path)
