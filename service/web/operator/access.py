"""Opens the operator's page by a link that works once. Its session has a separate cookie."""

from http import HTTPStatus
from typing import Any, Final

from flask import Response, render_template

from service.accounts.links import OPERATOR_SESSION_LIFE
from service.container import get_container
from service.web import cookies
from service.web.answers import gone, personal, to
from service.web.blueprint import blueprint

COOKIE: Final = "scottenbury_operator"
_WHY_GONE: Final = "A link of `scottenbury operator` works once, for ten minutes."


@blueprint.get("/operator/open/<secret>")
def ask_to_open(secret: str) -> Response:
    """Ask whether to open the operator's page here. Only submitting the form uses up the link."""
    if not get_container().operator_access.is_link(secret):
        return gone(_WHY_GONE)
    return personal(render_template("operator/open.html", secret=secret))


@blueprint.post("/operator/open/<secret>")
def open_operator_page(secret: str) -> Response:
    """Begin a session, and show the page."""
    session = get_container().operator_access.open(secret)
    if session is None:
        return gone(_WHY_GONE)
    answer = to("web.operator")
    answer.set_cookie(cookies.name_of(COOKIE), session, max_age=OPERATOR_SESSION_LIFE, **_rules())
    return answer


@blueprint.post("/operator/leave")
def leave_operator_page() -> Response:
    """End the operator's session in this browser."""
    get_container().operator_access.close(cookies.given(COOKIE))
    answer = to("web.home")
    answer.delete_cookie(cookies.name_of(COOKIE), **_rules())
    return answer


def operator_name() -> str:
    """Return the name under which the present operator acts."""
    return get_container().operator_access.name(cookies.given(COOKIE)) or "operator"


def refusal() -> Response | None:
    """Return the page for somebody without an operator's session; None for an operator."""
    if get_container().operator_access.is_open(cookies.given(COOKIE)):
        return None
    return personal(render_template("operator/closed.html"), HTTPStatus.UNAUTHORIZED)


def _rules() -> dict[str, Any]:
    return {**cookies.rules(), "samesite": "Strict"}
