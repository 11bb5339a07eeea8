"""Which player this browser is signed in as: a session token in a cookie."""

from typing import Any, cast

from flask import Response, g, request

from service.services import services
from service.tokens import SESSION_LIFE, Access
from service.web.blueprint import COOKIE


def current() -> Access | None:
    """What this browser's session gives; None where nobody is signed in."""
    if "session_access" not in g:
        g.session_access = services().tokens.authenticate(text(), "session")
    return cast(Access | None, g.session_access)


def text() -> str:
    """The text of the session's token, good or not; empty without one."""
    return request.cookies.get(COOKIE, "")


def begin(response: Response, player: str) -> Response:
    """Sign this browser in as the player."""
    session = services().tokens.open_session(player, "a browser")
    response.set_cookie(COOKIE, session, max_age=SESSION_LIFE, **cookie_rules())
    return response


def end(response: Response) -> Response:
    """Sign this browser out, for good: its token is revoked."""
    if access := current():
        services().tokens.revoke(access.player, access.token)
    response.delete_cookie(COOKIE, **cookie_rules())
    return response


def cookie_rules() -> dict[str, Any]:
    """For every cookie of ours: not for scripts, not for other sites, encrypted where we are."""
    secure = services().settings.base_url.startswith("https:")
    return {"httponly": True, "samesite": "Lax", "secure": secure}
