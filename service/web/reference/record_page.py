"""A finished game in a link: its packed record, which any Scottenbury replays and checks.

`/replay#RECORD`: the part after `#` stays in the browser until its reader asks for the replay, and
the server needs no copy of the game. RECORD is the stored form of a finished log, in URL-safe
base64; these forms stay readable for ever, and so do links.

Replays a record from a file, without storing any of it; and, at `/replay?game=ID`, that of a
finished game of this server. The players have names where this server has the very game.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Final, NamedTuple

import segno
from flask import abort, render_template, request, url_for
from markupsafe import Markup
from segno.encoder import DataOverflowError

import engine
from engine import SEATS, Game, Seat
from engine.chain import StoredEvent, canonical, to_event
from engine.record import BadRecord, from_jsonl, from_text, to_jsonl
from engine.verify import is_redacted, verify
from service.container import get_container
from service.core.cache import ThreadSafeCache, recently_used
from service.core.errors import RequestRejected
from service.core.words import Words
from service.eventlog.compaction import compact, expand, is_longer
from service.games import StoredGame
from service.text.board import deck_words, sides
from service.text.card_names import card_name
from service.text.claim_words import claims_so_far
from service.text.history import Sentence, narrate, turns_by_event
from service.web import session
from service.web.assets import absolute
from service.web.blueprint import blueprint
from service.web.card_filters import unseen_rows
from service.web.game.board import Column, columns
from service.web.game.replay import BOTH, Replay, around, deal, only, sentence_at
from service.web.game.sentences import step_words
from service.web.game.since import of_step
from service.web.language import in_english, reader_words, say
from service.web.moments import with_moments
from service.web.words import seat_names

MARK: Final = "/replay#"
"""The part of every link before the record."""
LONGEST: Final = 8000
"""The most characters of a record in a link: some chats and browsers cut longer links."""
_MOST_EVENTS: Final = 2000
"""The most events of a game that is packed: no longer game fits in a link."""
_links: ThreadSafeCache[tuple[str, str], tuple[str, Markup | None]] = recently_used(
    4_000_000, lambda made: 100 + sum(len(part or "") for part in made)
)
"""Links and codes by their place and the head of the game's chain, up to 4 MB."""
_LONGEST_TEXT: Final = 48 * 1024
"""The most bytes of an unpacked record. It is more than any real link needs, and bounds the cost of
reading a forged one."""


@blueprint.get("/games/<game_id>/link")
def record_link(game_id: str) -> str:
    """Show the link of a finished game, and its QR code."""
    invite = request.args.get("invite")
    stored = _open_to_all(game_id, invite)
    place = absolute(url_for("web.open_record"))
    link, code = _links.get_or_make((place, stored.head), lambda: _link_of(stored, place))
    return render_template(
        "record_link.html",
        game_id=game_id,
        invite=invite,
        names=seat_names(stored),
        holder=link,
        code=code,
    )


def _open_to_all(game_id: str, invite: str | None) -> StoredGame:
    stored = get_container().games.read(game_id, session.player_id(), invite=invite)
    return stored if stored.is_open_to_all else abort(404)


def _link_of(stored: StoredGame, place: str) -> tuple[str, Markup | None]:
    """Return the link at `place` to a game that is open to all, `""` if it is too long for a link;
    and its QR code, None if it is too long for a code."""
    if stored.version > _MOST_EVENTS:
        return "", None
    record = packed(get_container().games.history.lines(stored, None))
    if len(record) > LONGEST:
        return "", None
    link = f"{place}#{record}"
    try:
        # Any mask can be read; to choose the best takes 0.1 s. A packed record has no patterns.
        code = segno.make(link, error="l", mask=0, micro=False, boost_error=False)
    except DataOverflowError:
        return link, None
    return link, Markup(
        code.svg_inline(scale=3, border=4, light="#fff", dark="#000", svgclass="qr")
    )


def packed(lines: Sequence[StoredEvent]) -> str:
    """Return a full record, packed for a link."""
    value = compact([canonical(line) for line in lines])
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def unpacked(link: str) -> list[StoredEvent]:
    """Return the record in a link. Raises `BadRecord`."""
    record = link.rpartition("#")[2].strip()
    try:
        value = base64.urlsafe_b64decode(record + "=" * (-len(record) % 4))
        if len(record) > LONGEST or is_longer(value, _LONGEST_TEXT):
            raise ValueError("it is longer than any link")
        texts = expand(value)
    except Exception as error:  # what is made up can fail anywhere in the codec
        raise BadRecord(f"the link is damaged or was cut off ({error}).") from error
    return from_jsonl("\n".join(texts))


class Unusable(Exception):
    """A text cannot be replayed; the message is a sentence for the reader."""


class RecordStory(NamedTuple):
    """The story of a record as the templates of a game's page take it: in one piece."""

    entries: Sequence[Sentence]
    replay: Replay
    turns: Mapping[int, int]
    before: None = None
    after: None = None


class Board(NamedTuple):
    """The attributes of a game's page that its board templates use; `seat` is always None."""

    above: Seat
    below: Seat
    columns: list[Column]
    seat: None = None
    timing: str = ""


@blueprint.get("/replay")
def open_record() -> tuple[str, int]:
    """Show the form that asks for a record; with `game` in the URL, the record of this game."""
    if (game_id := request.args.get("game")) is None:
        return render_template("record.html", text="", error=""), 200
    stored = _open_to_all(game_id, request.args.get("invite"))
    return _replayed(get_container().games.history.record(stored, None))


@blueprint.post("/replay")
def replay_record() -> tuple[str, int]:
    """Show the submitted record, at the requested step."""
    return _replayed(_given())


def _replayed(text: str) -> tuple[str, int]:
    try:
        lines = _read(reader_words(), text)
        at = _step(reader_words(), len(lines))
        return _page(text, lines, at), 200
    except Unusable as error:
        return render_template("record.html", text=text, error=error.args[0]), 422


def _given() -> str:
    """Return the record in the form: a file, or a text that was pasted or sent before."""
    if (file := request.files.get("file")) is not None and file.filename:
        return bytes(file.read()).decode("utf-8-sig", errors="replace")
    return request.form.get("record", "").replace("\r\n", "\n")


def _game_here(head: str) -> StoredGame | None:
    """Return the game that the request, or the name of a downloaded file, tells, if its last hash
    is this one: then the record is its own."""
    file = request.files.get("file")
    name = request.values.get("game") or PurePath((file and file.filename) or "").stem
    try:
        stored = get_container().games.read(name, session.player_id())
    except RequestRejected:
        return None
    return stored if stored.is_open_to_all and stored.head == head else None


def _read(words: Words, text: str) -> list[StoredEvent]:
    if not text.strip():
        raise Unusable(words.say("Choose a file, or paste a record."))
    try:
        lines = _lines(text)
    except (BadRecord, RecursionError) as error:
        raise Unusable(
            say("This is no record of a game: %(why)s", why=in_english(error))
        ) from error
    if is_redacted(lines):
        raise Unusable(
            words.say(
                "This record hides cards, because the game was not over when it was made. Verify"
                " checks what is open in it; replaying takes the record of a finished game."
            )
        )
    try:
        fault = verify(lines)
    except engine.UnknownEvent as error:
        raise Unusable(
            say("This record is of a later version: %(why)s", why=in_english(error))
        ) from error
    if fault is not None:
        raise Unusable(say("This record is not sound: %(why)s.", why=in_english(fault)))
    return lines


def _lines(text: str) -> list[StoredEvent]:
    if _is_link(text):
        return unpacked(text)
    return from_text(text) if text.startswith("[") else from_jsonl(text)


def _is_link(text: str) -> bool:
    return MARK in text and text.lstrip()[:1] not in ("{", "[")


def _step(words: Words, last: int) -> int:
    text = request.form.get("at", request.form.get("here", ""))
    if not text:
        return last
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not 1 <= int(text) <= last:
        raise Unusable(
            words.say(
                "There is no step %(step)s: the record has %(last)s.", step=text[:9], last=last
            )
        )
    return int(text)


def _page(text: str, lines: Sequence[StoredEvent], at: int) -> str:
    first = deal(lines)
    at = max(at, first)
    game = engine.replay([to_event(line) for line in lines[:at]])
    eyes = request.form.get("eyes", BOTH)
    words, stored = reader_words(), _game_here(lines[-1]["hash"])
    seat = stored.seat_of(session.player_id()) if stored else None
    view = _view(game, eyes if eyes in SEATS else BOTH, seat)
    above, below = sides(view)
    unnamed = {"north": words.say("North"), "south": words.say("South")}
    names = seat_names(stored) if stored else unnamed
    story = narrate(words, lines, names, None, card_name, with_moments)
    claims = claims_so_far(words, game, lines, names, None)
    reasons = {stone: claim._replace(since=None) for stone, claim in claims.items()}
    replay = Replay(
        at,
        first,
        len(lines),
        *around(at, first, len(lines), story),
        eyes,
        (*SEATS, BOTH),
        None,
        sentence_at(story, at),
        step_words(words, lines, at),
    )
    return render_template(
        "record.html",
        text=to_jsonl(lines) if _is_link(text) else text,  # what the browser can verify
        error="",
        game_here=stored and stored.id,
        page=Board(above, below, columns(words, view, names, claim_states=reasons)),
        view=view,
        names=names,
        decks=deck_words(words, view),
        unseen_rows=unseen_rows(words, view),
        story=RecordStory(story, replay, turns_by_event(lines)),
        marks=of_step(words, lines, at, story, names, None),
    )


def _view(game: Game, eyes: str, seat: Seat | None) -> engine.View:
    """Return the view of one who sees these hands, from the side of this seat."""
    hands = {each: engine.view(game, each).hands[each] for each in SEATS}
    shown = hands if eyes == BOTH else only(hands, eyes)
    return replace(engine.view(game, None), hands=shown, seat=seat)
