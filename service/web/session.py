"""Which player this browser is signed in as: a session token in a cookie."""

from typing import cast

from flask import Response, g

from service.accounts.tokens import SESSION_LIFE, Access
from service.container import get_container
from service.web import cookies


def current() -> Access | None:
    """What this browser's session gives; None where nobody is signed in."""
    if "session_access" not in g:
        g.session_access = get_container().tokens.authenticate(text(), "session")
    return cast(Access | None, g.session_access)


def text() -> str:
    """The text of the session's token, good or not; empty without one."""
    return cookies.given(cookies.SESSION)


def begin(response: Response, player: str) -> Response:
    """Sign this browser in as the player."""
    session = get_container().tokens.open_session(player, "a browser")
    name = cookies.name_of(cookies.SESSION)
    response.set_cookie(name, session, max_age=SESSION_LIFE, **cookies.rules())
    return response


def end(response: Response) -> Response:
    """Sign this browser out, for good: its token is revoked."""
    if access := current():
        get_container().tokens.revoke(access.player, access.token)
    response.delete_cookie(cookies.name_of(cookies.SESSION), **cookies.rules())
    return response
