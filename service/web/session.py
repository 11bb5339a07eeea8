"""The player who is signed in to this browser, by a session token in a cookie.

A trusted header takes precedence: the session of the person it names has a separate cookie, and is
valid only for the account that their identity opens. It begins with their first page.

Using a session extends it. A player without an address could not sign in again, so their session
lasts as long as a browser stores a cookie. Sessions are called by their browser: `Firefox on
Windows`.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar, cast

from flask import Response, current_app, g, request

from service.accounts.identities import Identity
from service.accounts.links import Ask
from service.accounts.mail_preferences import Reading, zone_names
from service.accounts.player import Player
from service.accounts.tokens import GUEST_SESSION_LIFE, SESSION_LIFE, Access, Credential
from service.api.request_counts import count_along
from service.container import get_container
from service.core.times import DAY, unix
from service.core.words import N_, Words
from service.realtime import deferred
from service.realtime.deferred import is_rerun
from service.web import cookies, trusted_header
from service.web.blueprint import blueprint

Asked = TypeVar("Asked")
View = TypeVar("View", bound=Callable[..., object])

_ASK: Final = "_asks_along"
_MOST_ARRIVALS: Final = 10
"""The most sessions opened by a trusted header for one player in one kind of browser."""


def asks_along(ask: Callable[[], Ask[object]]) -> Callable[[View], View]:
    """Mark a view: its data are asked for in the round trip that looks up the reader's session.

    The view reads them with `asked_along`.
    """

    def marked(view: View) -> View:
        setattr(view, _ASK, ask)
        return view

    return marked


def asked_along(ask: Callable[[], Ask[Asked]]) -> Asked:
    """Return the data that this view, marked with `ask`, asked for."""
    current()
    return cast(Asked, g.asked_along)


def current() -> Access | None:
    """Return the access rights of this browser's session; None if nobody is signed in."""
    if "session_access" not in g:
        g.session_access = _look_up()
    return cast(Access | None, g.session_access)


def _look_up() -> Access | None:
    view = current_app.view_functions.get(request.endpoint or "")
    ask: Callable[[], Ask[object]] = getattr(view, _ASK, lambda: _nothing)
    # Whoever opens a page has come by; a page that waits for news has not, nor has its stream,
    # which is opened again and again while nobody looks.
    is_visit = (
        not is_rerun(request.environ) and deferred.MIMETYPE not in request.accept_mimetypes.values()
    )
    sessions, identity = get_container().sessions, trusted_header.identity()
    read = partial(sessions.read, is_visit=is_visit, kind=_kind(), identity=identity)
    given = cookies.given(_cookie())
    session = read(given, ask(), count_along)
    if trusted_header.is_given() and session.access is None:
        # What was asked along is not for who is here.
        given = _arrive(identity) if is_visit and _opens_page() else ""
        session = read(given, ask(), _nothing)
    g.session_text, g.reading, g.asked_along = given, session.reading, session.asked
    return session.access


def _opens_page() -> bool:
    return request.method in ("GET", "HEAD") and request.blueprint == blueprint.name


def _arrive(identity: Identity | None) -> str:
    """Open a session for the player whose account the identity opens; return its text, `""` without
    one."""
    player_id = None if identity is None else get_container().identities.player_of(identity)
    player = None if player_id is None else get_container().players.find(player_id)
    if player is None or player.suspended is not None:
        return ""
    # A program without cookies arrives with each request.
    name = browser_name() + BY_HEADER
    tokens = get_container().tokens
    opened = tokens.open_session(player.id, name, most=_MOST_ARRIVALS, credential="arrival")
    g.session_to_give = opened
    return opened


def _cookie() -> str:
    """Return the name of the cookie for the session of this request."""
    return cookies.ARRIVAL if trusted_header.is_given() else cookies.SESSION


def _kind() -> Credential:
    """Return the kind of credential in that cookie: a copy in the other cookie is invalid."""
    return "arrival" if trusted_header.is_given() else "session"


def _nothing(batch: object, player: str | None) -> None:
    """Add no queries."""


def time_zone() -> str | None:
    """Return the name of the time zone that the reader has chosen; None if they have not, or if
    nobody is signed in."""
    return reading().time_zone


def browser_zone() -> str | None:
    """Return the browser's time zone, which the form names, for a reader who has chosen none."""
    named = request.form.get("zone", "")
    return named if time_zone() is None and named in zone_names() else None


def note_time_zone(player: str) -> None:
    """Take the `browser_zone` as the player's: their mails name hours in it."""
    if (zone := browser_zone()) is not None:
        get_container().games.calendars.change_zone(player, zone)


def reading() -> Reading:
    """Return how the reader has chosen to read; nothing is chosen if nobody is signed in."""
    return Reading() if current() is None else cast(Reading, g.reading)


def player_id() -> str | None:
    """Return the id of the player who is signed in; None if nobody is."""
    access = current()
    return None if access is None else access.player


def looked_up() -> Access | None:
    """Return the access rights of this browser's session, if this request has looked it up; else
    None."""
    return cast(Access | None, g.get("session_access"))


def player() -> Player | None:
    """Return the player who is signed in; None if nobody is."""
    if "session_player" not in g:
        signed_in = player_id()
        g.session_player = None if signed_in is None else get_container().players.find(signed_in)
    return cast(Player | None, g.session_player)


def text() -> str:
    """Return the text of the session's token, valid or not; `""` without one.

    With a trusted header it is `""` unless valid, so that forms made for somebody else are refused.
    """
    if trusted_header.is_given():
        current()
        return cast(str, g.session_text)
    return cookies.given(cookies.SESSION)


def by_cookie() -> Access | None:
    """Return the access rights of this browser's own session, regardless of any trusted header."""
    if not trusted_header.is_given():
        return current()
    return get_container().tokens.authenticate(cookies.given(cookies.SESSION), "session")


def begin(response: Response, player_id: str) -> Response:
    """Sign this browser in as the player, replacing anybody signed in before.

    With a trusted header, this takes effect on the first page without it.
    """
    if access := by_cookie():
        get_container().tokens.revoke(access.player, access.token)
    life = _life_of(get_container().players.find(player_id))
    opened = get_container().tokens.open_session(player_id, browser_name(), life)
    g.session_begun = True
    return _with_cookie(response, cookies.SESSION, opened, life)


def end(response: Response) -> Response:
    """Sign this browser out, and revoke its token."""
    if access := current():
        get_container().tokens.revoke(access.player, access.token)
    return forget(response)


def end_by_cookie(response: Response) -> Response:
    """End this browser's own session, regardless of any trusted header."""
    if access := by_cookie():
        get_container().tokens.revoke(access.player, access.token)
    response.delete_cookie(cookies.name_of(cookies.SESSION), **cookies.rules())
    return response


def forget(response: Response) -> Response:
    """Delete the cookie of a session that has ended."""
    g.session_begun = True
    response.delete_cookie(cookies.name_of(_cookie()), **cookies.rules())
    return response


@blueprint.after_request
def _prolonged(response: Response) -> Response:
    """Extend a session that is used, once a day; set its cookie."""
    if "session_to_give" in g and "session_begun" not in g:
        return _with_cookie(response, cookies.ARRIVAL, g.session_to_give, SESSION_LIFE)
    access = looked_up()
    # Nobody receives the cookie of a request that is run again for a waiting browser.
    is_answered = "session_begun" not in g and not is_rerun(request.environ)
    if access is None or not is_answered or not _is_due(access):
        return response
    life = _life_of(player())
    if get_container().tokens.renew_session(text(), life):
        return _with_cookie(response, _cookie(), text(), life)
    return response


def _is_due(access: Access) -> bool:
    left = unix(access.expires or "") - get_container().now()
    whole = GUEST_SESSION_LIFE if left > SESSION_LIFE else SESSION_LIFE
    return left < whole - DAY


def _life_of(player: Player | None) -> int:
    returns = player is not None and get_container().sign_in.can_return(player)
    return SESSION_LIFE if returns else GUEST_SESSION_LIFE


def _with_cookie(response: Response, cookie: str, session: str, life: int) -> Response:
    response.set_cookie(cookies.name_of(cookie), session, max_age=life, **cookies.rules())
    return response


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
