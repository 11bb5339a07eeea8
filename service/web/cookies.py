"""The cookies that the pages set: their names and the rules that they are set with."""

from typing import Any, Final

from flask import request

from service.container import get_container

SESSION: Final = "scottenbury_session"
ARRIVAL: Final = "scottenbury_arrival"
"""The session of somebody whom a trusted header names: it counts with the header alone."""
FORM: Final = "scottenbury_form"
HINTS: Final = "scottenbury_hints"
"""Which hints were put away."""


def name_of(cookie: str) -> str:
    """What the cookie is called here. Where the site is https a browser takes one whose name begins
    with `__Host-` from this very host alone, and from no other that shares its domain."""
    return f"__Host-{cookie}" if _is_secure() else cookie


def given(cookie: str) -> str:
    """What the browser sends; empty without the cookie."""
    return request.cookies.get(name_of(cookie), "")


def rules() -> dict[str, Any]:
    """For every cookie of ours: not for scripts, not for other sites, encrypted where we are."""
    return {"httponly": True, "samesite": "Lax", "path": "/", "secure": _is_secure()}


def _is_secure() -> bool:
    return get_container().settings.base_url.startswith("https:")
