"""The page that follows a form: it says once what happened, and has the focus there.

Otherwise the focus would fall to the body, and a screen reader would begin with the page's head. It
works without scripts; what a script sends and puts in place itself (`turn.js`) is left alone.
"""

import re
from http import HTTPStatus
from typing import Final, cast
from urllib.parse import quote, unquote

from flask import Response, g, request
from markupsafe import Markup

from service.web import cookies
from service.web.blueprint import blueprint

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
