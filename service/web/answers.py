"""Responses that several pages share, and what a page says once after a form has led to it.

The message has the focus there. Otherwise that would fall to the body, and a screen reader would
begin with the page's head. It works without scripts; what a script sends and puts in place itself
(`turn.js`) is left alone.
"""

import re
from http import HTTPStatus
from typing import Any, Final, cast
from urllib.parse import quote, unquote

from flask import Response, abort, g, make_response, redirect, render_template, request, url_for
from markupsafe import Markup

from service.accounts.player import Player
from service.accounts.tokens import Access
from service.web import cookies, session
from service.web.blueprint import blueprint

_WRONG: Final = ("error", "errors", "wrong")
"""The variables that tell a form's reader what is wrong with it."""


def personal(template: str, status: int = 200, /, **shown: Any) -> Response:
    """Return a page for this reader alone, which no cache may store. A form with which something is
    wrong has the status 422."""
    if any(shown.get(name) for name in _WRONG):
        status = 422
    return unstored(render_template(template, **shown), status)


def unstored(page: str, status: int) -> Response:
    """Return a page, as HTML, that no cache may store."""
    answer = make_response(page, status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def gone(why: str | None = None) -> Response:
    """Return the response for a link that was used, has expired, or never existed."""
    return personal("gone.html", 410, why=why)


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


_LIFE: Final = 60
"""Seconds for which the next page is awaited."""
_NOTHING: Final = "-"
"""The cookie of a form after which the next page says all by itself."""
_PLACES: Final = (re.compile(r'<\w+(?=[^>]* role="status"[^>]*>\s*[^\s<])'), re.compile(r"<h1\b"))
"""Matches the tags that may have the focus, the best first: a message, the heading."""


def announce(words: str) -> None:
    """Let the page to which this form leads say so."""
    g.said = words


@blueprint.app_template_global()
def follows_form() -> bool:
    """Whether the browser has opened this page by sending a form."""
    return _is_opened() and (request.method == "POST" or bool(cookies.given(cookies.SAID)))


@blueprint.app_template_global()
def form_said() -> str:
    """Return the words of the form that led here; `""` without any."""
    words = unquote(cookies.given(cookies.SAID)) if follows_form() else ""
    return "" if words == _NOTHING else words


@blueprint.app_template_filter()
def focused_after_form(main: str) -> str:
    """Return what a page shows; after a form its message, or else its heading, has the focus."""
    g.was_shown = True
    if not follows_form() or " autofocus" in main:
        return main
    for place in _PLACES:
        if place.search(main):
            return Markup(place.sub(r'\g<0> tabindex="-1" autofocus', str(main), count=1))
    return main


@blueprint.after_request
def _pass_on(response: Response) -> Response:
    """Set the cookie when a form leads to another page; delete it once that page was shown."""
    if not _is_opened():
        return response
    name = cookies.name_of(cookies.SAID)
    if request.method == "POST" and response.status_code == HTTPStatus.SEE_OTHER:
        words = quote(cast(str, g.get("said", _NOTHING)))
        response.set_cookie(name, words, max_age=_LIFE, **cookies.rules())
    elif "was_shown" in g and cookies.given(cookies.SAID):
        response.delete_cookie(name, **cookies.rules())
        response.headers["Cache-Control"] = "no-store"
    return response


def _is_opened() -> bool:
    return request.headers.get("Sec-Fetch-Dest", "document") == "document"
