"""The cookies that the pages set: their names and attributes."""

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
    """The cookie's full name. On an https site it begins with `__Host-`: browsers then accept it
    from this very host only, not from others that share its domain."""
    return f"__Host-{cookie}" if _is_secure() else cookie


def given(cookie: str) -> str:
    """The value that the browser sends; empty without the cookie."""
    return request.cookies.get(name_of(cookie), "")


def rules() -> dict[str, Any]:
    """The attributes of all our cookies: hidden from scripts and other sites, and sent over https
    only if the site has it."""
    return {"httponly": True, "samesite": "Lax", "path": "/", "secure": _is_secure()}


def _is_secure() -> bool:
    return get_container().settings.base_url.startswith("https:")
