"""The blueprint of all pages, and the headers that each is sent with."""

from http import HTTPStatus

from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import Forbidden, NotFound, TooManyRequests

from service.core.errors import RequestRejected
from service.web import cookies

# Links here are keys to what they show: no other site is told of them.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

MAIL = ("web.mailbox", "web.mail")
"""Pages that show mail: with links in it that sign in."""

blueprint = Blueprint(
    "web",
    __name__,
    template_folder="templates",
    static_folder="static",
    static_url_path="/assets",
)


@blueprint.after_request
def _with_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    response.vary.add("Cookie")
    if response.status_code >= HTTPStatus.BAD_REQUEST or _is_personal():
        response.headers["Cache-Control"] = "no-store"
    return response


def _is_personal() -> bool:
    """Whether others may not see this page: of who is signed in, or holds an invite, and mail."""
    signed_in = bool(cookies.given(cookies.SESSION)) and request.endpoint != "web.static"
    return signed_in or "invite" in request.args or request.endpoint in MAIL


@blueprint.errorhandler(TooManyRequests)
def _too_many(error: TooManyRequests) -> tuple[str, int]:
    return render_template("wait.html"), 429


@blueprint.errorhandler(Forbidden)
def _foreign(error: Forbidden) -> tuple[str, int]:
    return render_template("foreign.html"), 403


@blueprint.errorhandler(NotFound)
@blueprint.errorhandler(RequestRejected)
def _missing(error: Exception) -> tuple[str, int]:
    return render_template("missing.html"), 404
