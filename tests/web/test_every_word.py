"""Pages say nothing but messages of their reader's language, and names, numbers
and codes: in a language whose messages have no words, nothing else is left of them."""

import gettext
import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from service.core.words import PLACE, Languages, Words
from tests.support.application import Server
from tests.support.catalogues import extracted
from tests.support.gallery import HOSTILE, Gallery, Shown
from tests.support.site import Town
from tests.web.shown import signed_in

ENGLISH = re.compile("mail|game-nonsense")
"""How the names of pages begin that are English for everybody: mails in the local mailbox (which is
closed here), and a page that explains action text, which no page writes wrongly."""
CODE = "xw"
MORE = (
    Shown("sign-in-needed", "/sign-in?why=needed"),
    Shown("sign-in-ended", "/sign-in?why=ended"),
    Shown("judge-unsure", "/judge?mine=R4+R5+R6&theirs=G8+G9"),
    Shown("puzzle-answered", "/puzzles/17?answer=yes"),
    Shown("puzzle-of-a-day", "/puzzles/2026-11-02"),
    Shown("mailbox-closed", "/mailbox", status=403),
)
NAMES = re.compile(
    re.escape(HOSTILE[0][:40])
    + r"|Scottenbury|Isla MacRae|Fergus|Ailsa|Morag|Callum|Una|Hamish|Fiona|Gregor|Rory|Blair"
    r"|Rhona|The moor|Autumn|UTC|ntfy|Gotify"
    r"|English|Deutsch|Français"
    r"|(Random|Shepherd|Piper|Steward|Strategist)( \(bot\))?"
    r"|a test|registration|games:read, games:play, account"
    r"|it (answered 500|did not answer in time)"
    r"|\b[0-9a-f]{4,}…?|JOK|[\w.@]+example\.org|[A-Z]\w+(/[\w+-]+)+"
)
"""Names of people, bots, seasons, time zones, languages, and what players have made or use; codes;
and what a channel was told."""
NO_MESSAGES = {"ntfy", "Gotify", "Telegram", "Discord", "Slack", "Pushover"}
SILENT = {"english", "script", "style", "code", "pre", "iframe", "textarea", "blockquote"}
EMPTY = {"meta", "link", "img", "input", "br", "hr", "use", "path"}
SHARED = {"description", "og:title", "og:description"}
SPOKEN = ("aria-label", "title", "alt", "placeholder")


class Reader(HTMLParser):
    """Collects what a page says: its texts, without those that people wrote and those that it marks
    as English, and the attributes that are shown or read out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._open: list[str] = []
        self.said = list[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY:
            is_english = ("lang", "en") in attrs
            is_written = ("class", "written") in attrs
            self._open.append("english" if is_english else "blockquote" if is_written else tag)
        if "english" in self._open:
            return
        self.said += [value for name, value in attrs if name in SPOKEN and value]
        given = dict(attrs)
        if SHARED.intersection((given.get("name"), given.get("property"))):
            self.said.append(given["content"] or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if not SILENT.intersection(self._open):
            self.said.append(data)


class Wordless(gettext.NullTranslations):
    """Of every message its places alone; it remembers the messages."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = set[str]()

    def gettext(self, message: str) -> str:
        self.heard.add(message)
        return f"[{' '.join(f'%({place})s' for place in PLACE.findall(message))}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def wordless(server: Server) -> Wordless:
    """The messages of a language in which nothing was said and cached before this test."""
    messages, languages = Wordless(), Languages()
    languages._words[CODE] = Words(CODE, messages)
    server.container.languages = languages
    return messages


def pages_of(server: Server) -> list[Shown]:
    town = Town(server.container.settings.base_url)
    town.container = server.container
    gallery = Gallery(town)
    return [
        *(shown for shown in gallery.pages() if not ENGLISH.match(shown.name)),
        Shown("account-saved", "/account?saved=name", gallery.isla),
        Shown("account-mail-saved", "/account/mail?saved=address", gallery.isla),
        Shown("home-of-a-reader", "/", gallery.fergus),
        *MORE,
    ]


def browser(server: Server, player: str | None) -> FlaskClient:
    client = signed_in(server.app, player) if player else server.app.test_client()
    client.set_cookie("scottenbury_language", CODE)
    return client


def test_all_that_pages_say_is_a_message(server: Server, wordless: Wordless) -> None:
    pages = pages_of(server)
    browsers = {player: browser(server, player) for player in {shown.player for shown in pages}}
    found = {}
    for shown in pages:
        answer = browsers[shown.player].get(shown.path, headers={"Accept": "text/html"})
        assert answer.status_code == shown.status, shown
        said = Reader(answer.text).said
        if words := re.findall(r"[^\W\d_]{2,}", NAMES.sub("", "\n".join(said))):
            found[shown.name] = words
    assert found == {}
    collected = {form for message in extracted() for form in message}
    assert wordless.heard - collected - NO_MESSAGES == set()
