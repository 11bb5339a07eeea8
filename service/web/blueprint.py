"""The blueprint of all pages, and the headers that each is sent with."""

from http import HTTPStatus

from flask import Blueprint, Response, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.exceptions import Forbidden, NotFound, TooManyRequests

from service.web import cookies

# Links here are keys to what they show: no other site is told of them.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

ASSETS = "web.static"
MAIL = ("web.mailbox", "web.mail", "web.mail_html")
"""Pages that show mail: with links in it that sign in."""

blueprint = Blueprint(
    "web",
    __name__,
    template_folder="templates",
)


@blueprint.record_once
def _leave_out_indents(state: BlueprintSetupState) -> None:
    """Send no indents of template tags: they are a tenth of a game's page."""
    state.app.jinja_env.lstrip_blocks = True


@blueprint.after_request
def _with_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != ASSETS:
        response.vary.add("Cookie")
    if response.status_code >= HTTPStatus.BAD_REQUEST or _is_personal():
        response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.app_template_global()
def signed_in() -> bool:
    """Whether this browser says that somebody is signed in. No page needs the store to know."""
    return bool(cookies.given(cookies.SESSION))


def _is_personal() -> bool:
    """Whether others may not see this page: of who is signed in, or holds an invite, and mail."""
    of_a_player = signed_in() and request.endpoint != ASSETS
    return of_a_player or "invite" in request.args or request.endpoint in MAIL


@blueprint.errorhandler(TooManyRequests)
def _too_many(error: TooManyRequests) -> tuple[str, int]:
    return render_template("wait.html"), 429


@blueprint.errorhandler(Forbidden)
def _foreign(error: Forbidden) -> tuple[str, int]:
    return render_template("foreign.html"), 403


@blueprint.errorhandler(NotFound)
def _missing(error: Exception) -> tuple[str, int]:
    return render_template("missing.html"), 404
