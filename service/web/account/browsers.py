"""Names the browser that sends a request: `Firefox on Windows`."""

from typing import Final

from flask import request

UNKNOWN: Final = "a browser"

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "a Mac"),
    ("Linux", "Linux"),
)
"""Parts of a User-Agent header, and the names they stand for; the first match counts."""


def browser_name() -> str:
    """Return the browser and system of this request, in our words only: `Firefox on Windows`.

    Unrecognized ones are `a browser`, without a system.
    """
    agent = request.headers.get("User-Agent", "")
    browser = next((name for sign, name in _BROWSERS if sign in agent), UNKNOWN)
    system = next((name for sign, name in _SYSTEMS if sign in agent), None)
    return f"{browser} on {system}" if system else browser
