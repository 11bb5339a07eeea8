"""The cookies that the pages set: their names and attributes."""

from typing import Any, Final

from flask import request

from service.container import get_container

SESSION: Final = "scottenbury_session"
ARRIVAL: Final = "scottenbury_arrival"
"""The session of a person whom a trusted header names: it is valid only together with the header.
"""
FORM: Final = "scottenbury_form"
LANGUAGE: Final = "scottenbury_language"
SAID: Final = "scottenbury_said"
"""The words of the form that was just sent, for the page to which it leads."""
HINTS: Final = "scottenbury_hints"
"""The hints that the player has dismissed."""


def name_of(cookie: str) -> str:
    """Return the cookie's full name. On an https site it begins with `__Host-`: browsers then
    accept it only from this host, and not from others that share its domain."""
    return f"__Host-{cookie}" if _is_secure() else cookie


def given(cookie: str) -> str:
    """Return the value that the browser sends; `""` without the cookie."""
    return request.cookies.get(name_of(cookie), "")


def rules() -> dict[str, Any]:
    """Return the attributes of all our cookies: hidden from scripts and other sites, and sent only
    over https if the site uses it."""
    return {"httponly": True, "samesite": "Lax", "path": "/", "secure": _is_secure()}


def _is_secure() -> bool:
    return get_container().settings.base_url.startswith("https:")
