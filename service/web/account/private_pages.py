"""A player's turns as a calendar and as a feed, for programs that cannot sign in."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from flask import Response, abort, request

from service.accounts.names import NOBODY, displayable
from service.container import get_container
from service.core.words import Words
from service.games import StoredGame
from service.text.moments import moment
from service.web.blueprint import blueprint

_ATOM = "http://www.w3.org/2005/Atom"
_BEGINNING = "2026-01-01T00:00:00Z"
"""The moment of the last change of a feed without entries."""


class WaitingTurn(NamedTuple):
    """A turn that waits for the player, without cards or anything else that the game's page does
    not show at first."""

    game: StoredGame
    opponent: str
    since: str
    deadline: str | None

    def title(self, words: Words) -> str:
        return words.say("Your turn against %(name)s", name=self.opponent)

    @property
    def name(self) -> str:
        """Return an id that stays the same while the turn lasts."""
        return f"{self.game.id}.{self.game.turn_version}"


class FeedItem(NamedTuple):
    """An entry of a feed, with its `text`, or a moment (`at`) of a calendar: its lasting `name`,
    its title, since when it stands there, and its page."""

    name: str
    title: str
    since: str
    url: str
    text: str = ""
    at: str = ""


@blueprint.get("/calendar/<secret>.ics")
def calendar(secret: str) -> Response:
    """Return the deadlines of the player's turns, as a calendar."""
    player = _owner(secret)
    words = _words(player)
    ends = [
        FeedItem(
            turn.name,
            words.say("Your turn against %(name)s: the time is up", name=turn.opponent),
            turn.since,
            _page(turn),
            at=turn.deadline,
        )
        for turn in _turns(player)
        if turn.deadline is not None
    ]
    return calendar_answer(ends)


@blueprint.get("/turns/<secret>.atom")
def atom(secret: str) -> Response:
    """Return the player's turns as a feed, the newest first."""
    player = _owner(secret)
    zone, words = get_container().mail_preferences.choice(player).zone, _words(player)
    turns = sorted(_turns(player), key=lambda one: one.since, reverse=True)
    entries = [
        FeedItem(turn.name, turn.title(words), turn.since, _page(turn), _time(words, turn, zone))
        for turn in turns
    ]
    return feed_answer(f"turns:{player}", words.say("Scottenbury: your turns"), "/", entries)


def feed_answer(name: str, title: str, path: str, entries: Sequence[FeedItem]) -> Response:
    """Return these entries as an Atom feed of this lasting name, about the page at `path`."""
    ET.register_namespace("", _ATOM)
    root = ET.Element(f"{{{_ATOM}}}feed")
    _add(root, "id", f"tag:{_host()},2026:{name}")
    _add(root, "title", title)
    _add(root, "updated", max((entry.since for entry in entries), default=_BEGINNING))
    _add(_add(root, "author"), "name", "Scottenbury")
    _add(root, "link", href=f"{get_container().settings.base_url}{path}")
    for each in entries:
        entry = _add(root, "entry")
        _add(entry, "id", f"tag:{_host()},2026:{each.name}")
        _add(entry, "title", each.title)
        _add(entry, "updated", each.since)
        _add(entry, "link", href=each.url)
        _add(entry, "content", each.text, type="text")
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return _answer(text, "application/atom+xml")


def calendar_answer(entries: Iterable[FeedItem]) -> Response:
    """Return these moments as a calendar."""
    # Here, as few players subscribe to a calendar: 2 MB.
    from icalendar import Calendar, Event

    calendar = Calendar()
    calendar.add("prodid", "-//Scottenbury//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Scottenbury")
    calendar.add("method", "PUBLISH")
    for entry in entries:
        event = Event()
        event.add("uid", f"{entry.name}@{_host()}")
        event.add("dtstamp", datetime.fromisoformat(entry.since))
        event.add("dtstart", datetime.fromisoformat(entry.at))
        event.add("summary", entry.title)
        event.add("url", entry.url)
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return _answer(calendar.to_ical(), "text/calendar")


def _time(words: Words, turn: WaitingTurn, zone: tzinfo) -> str:
    if turn.deadline:
        end = moment(words, turn.deadline, zone)
        return words.say("You have until %(moment)s.", moment=end)
    if turn.game.terms.clock is None:
        return words.say("No time limit.")
    return words.say("The clock is paused.")


def _words(player: str) -> Words:
    """Return the words of this player, whose programs ask for no language."""
    container = get_container()
    return container.languages.words(container.mail_preferences.choice(player).language)


def _owner(secret: str) -> str:
    player = get_container().private_links.owner(secret)
    return player if player is not None else abort(404)


def _turns(player: str) -> list[WaitingTurn]:
    container = get_container()
    waiting = container.games.waiting_for.of(player).turns
    games = [game for game in waiting if game.practice is None]
    names = container.players.names({seated for game in games for seated in game.players})
    turns = []
    for game in games:
        other = next(one for one in game.players if one != player)
        name, since = displayable(names.get(other, NOBODY)), game.turn_since or game.created
        turns.append(WaitingTurn(game, name, since, game.deadline_text))
    return turns


def _add(parent: ET.Element, name: str, text: str | None = None, **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    child.text = text
    return child


def _page(turn: WaitingTurn) -> str:
    return f"{get_container().settings.base_url}/games/{turn.game.id}"


def _host() -> str:
    return urlsplit(get_container().settings.base_url).hostname or "localhost"


def _answer(content: bytes, mimetype: str) -> Response:
    """Return a response with an ETag computed from its bytes."""
    answer = Response(content, content_type=f"{mimetype}; charset=utf-8")
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["X-Robots-Tag"] = "noindex"
    answer.set_etag(hashlib.sha256(content).hexdigest()[:32])
    answer.make_conditional(request)
    return answer
