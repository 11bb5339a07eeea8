"""The browser that sends a request, as its player's sessions are called: `Firefox on Windows`."""

from typing import Final

from flask import request

from service.core.words import N_, Words
from service.web.blueprint import blueprint

UNKNOWN: Final = N_("a browser")

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
    ("iPhone", N_("an iPhone")),
    ("iPad", N_("an iPad")),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", N_("a Mac")),
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


BY_HEADER: Final = ", by the host's sign-in"
"""How the name of a session ends that a trusted header has opened."""


@blueprint.app_template_global()
def browser_words(words: Words, name: str) -> str:
    """Return a session's name, as `browser_name` gives it, in a reader's language."""
    told = name.removesuffix(BY_HEADER)
    browser, _, system = told.partition(" on ")
    shown = words.say(UNKNOWN) if browser == UNKNOWN else browser
    if system:
        # Note: "Firefox on Windows", "a browser on an iPhone"
        shown = words.say("%(browser)s on %(system)s", browser=shown, system=words.say(system))
    if told == name:
        return shown
    # Note: a browser that a proxy in front of the server has signed in
    return words.say("%(browser)s, by the host’s sign-in", browser=shown)
