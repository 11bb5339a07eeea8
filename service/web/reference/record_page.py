"""Replays a record from a file, without storing any of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple, cast

from flask import render_template, request

import engine
from engine import SEATS, Game, Seat
from engine.cards import full_name
from engine.chain import StoredEvent, to_event
from engine.record import BadRecord, from_jsonl, from_text, to_jsonl
from engine.verify import is_redacted, verify
from service.text.board import sides
from service.text.claim_words import claims_so_far
from service.text.history import narrate
from service.web.blueprint import blueprint
from service.web.card_filters import unseen_rows
from service.web.game.board import Column, columns
from service.web.game.page import deck_words
from service.web.game.replay import BOTH, Replay, around, deal
from service.web.game.words import step_words
from service.web.moments import with_moments
from service.web.reference.record_link import MARK, unpacked

NAMES: Final = {"north": "North", "south": "South"}


class Unusable(Exception):
    """A text cannot be replayed; the message is a sentence for the reader."""


class Board(NamedTuple):
    """The attributes of a game's page that its board templates use; `seat` is always None."""

    above: Seat
    below: Seat
    columns: list[Column]
    seat: None = None
    timing: str = ""


@blueprint.get("/replay")
def open_record() -> str:
    """Show the form that asks for a record."""
    return render_template("record.html", text="", error="")


@blueprint.post("/replay")
def replay_record() -> tuple[str, int]:
    """Show the submitted record, at the requested step."""
    text = _given()
    try:
        lines = _read(text)
        at = _step(len(lines))
        return _page(text, lines, at), 200
    except Unusable as error:
        return render_template("record.html", text=text, error=str(error)), 422


def _given() -> str:
    """Return the record in the form: a file, or a text that was pasted or sent before."""
    file = request.files.get("file")
    if file is not None and file.filename:
        return bytes(file.read()).decode("utf-8-sig", errors="replace")
    return request.form.get("record", "").replace("\r\n", "\n")


def _read(text: str) -> list[StoredEvent]:
    if not text.strip():
        raise Unusable("Choose a file, or paste a record.")
    try:
        lines = _lines(text)
    except (BadRecord, RecursionError) as error:
        raise Unusable(f"This is no record of a game: {error}") from error
    if is_redacted(lines):
        raise Unusable(
            "This record hides cards, because the game was not over when it was made. "
            "Verify checks what is open in it; replaying takes the record of a finished game."
        )
    try:
        fault = verify(lines)
    except engine.UnknownEvent as error:
        raise Unusable(f"This record is of a later version: {error}") from error
    if fault is not None:
        raise Unusable(f"This record is not sound: {fault}.")
    return lines


def _lines(text: str) -> list[StoredEvent]:
    if _is_link(text):
        return unpacked(text)
    return from_text(text) if text.startswith("[") else from_jsonl(text)


def _is_link(text: str) -> bool:
    return MARK in text and text.lstrip()[:1] not in ("{", "[")


def _step(last: int) -> int:
    text = request.form.get("at", "")
    if not text:
        return last
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not 1 <= int(text) <= last:
        raise Unusable(f"There is no step {text[:9]}: the record has {last}.")
    return int(text)


def _page(text: str, lines: Sequence[StoredEvent], at: int) -> str:
    first = deal(lines)
    at = max(at, first)
    game = engine.replay([to_event(line) for line in lines[:at]])
    eyes = request.form.get("eyes", BOTH)
    view = _view(game, eyes if eyes in SEATS else BOTH)
    above, below = sides(view)
    story = narrate(lines, NAMES, full_name, with_moments)
    here = next((each.text for each in story if each.seq >= at), "")
    claims = claims_so_far(game, lines, NAMES, None)
    reasons = {stone: claim._replace(since=None) for stone, claim in claims.items()}
    back, forward = around(at, first, len(lines), story)
    return render_template(
        "record.html",
        text=to_jsonl(lines) if _is_link(text) else text,  # what the browser can verify
        error="",
        page=Board(above, below, columns(view, NAMES, claim_states=reasons)),
        view=view,
        names=NAMES,
        decks=deck_words(view),
        unseen_rows=unseen_rows(view),
        story=story,
        replay=Replay(
            at,
            first,
            len(lines),
            back,
            forward,
            eyes,
            (*SEATS, BOTH),
            None,
            here,
            step_words(lines, at),
        ),
    )


def _view(game: Game, eyes: str) -> engine.View:
    views = {seat: engine.view(game, seat) for seat in SEATS}
    hands = {seat: views[seat if eyes == BOTH else cast(Seat, eyes)].hands[seat] for seat in SEATS}
    return replace(engine.view(game, None), hands=hands)
