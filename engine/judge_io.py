"""Claim questions as plain data, for `scottenbury judge`: a situation in, a verdict out."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from engine.cards import ALL_CLAN, BIT, COMBAT_MODES, ELITE_TROOPS, JOKER, read_card
from engine.claims import judge, room


class BadQuestion(Exception):
    """A question that has no answer; `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


_KEYS: Final = {"mine", "theirs", "seen", "first", "modes"}
_NEEDED: Final = {"mine", "theirs", "seen"}


class AnswerLine(NamedTuple):
    """The answer to a line, as one line of JSON; `failed` where the line has none."""

    text: str
    failed: bool


def answer_line(line: str) -> AnswerLine:
    """The answer to one line of JSON.

    A malformed line has an answer too: `{"error": {"code", "detail"}}`.
    """
    told: dict[str, object]
    try:
        told, failed = answer(_object(line)), False
    except BadQuestion as bad:
        told, failed = {"error": {"code": bad.code, "detail": bad.detail}}, True
    # All that JSON leaves as it is, of what a terminal might obey.
    return AnswerLine(_write(told).replace("\x7f", "\\u007f"), failed)


def _object(line: str) -> Mapping[str, Any]:
    try:
        question = _read_json(line)
    except (ValueError, RecursionError):
        raise BadQuestion("not-json", "This line is not JSON.") from None
    if not isinstance(question, dict):
        raise BadQuestion("not-an-object", "A question is a JSON object.")
    return question


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(pairs)) < len(pairs):
        raise BadQuestion("key-twice", "A key is there twice.")
    return found


# Made once: `json.loads` and `json.dumps` would make them for every line.
_read_json = json.JSONDecoder(object_pairs_hook=_each_key_once).decode
_write = json.JSONEncoder(separators=(",", ":")).encode


def answer(question: Mapping[str, Any]) -> dict[str, object]:
    """Judge `{"mine", "theirs", "seen", "first", "modes"}`; the last two may be left out.

    Answers `{"claimable", "reason", "mine", "theirs", "counterexample"}`. Raises `BadQuestion`.
    """
    if unknown := question.keys() - _KEYS:
        raise BadQuestion("unknown-key", f"Unknown keys: {', '.join(sorted(unknown))}.")
    if missing := _NEEDED - question.keys():
        raise BadQuestion("missing-key", f"Missing keys: {', '.join(sorted(missing))}.")
    modes = _modes(question.get("modes") or [])
    mine = _side("mine", question["mine"], room(modes))
    theirs = _side("theirs", question["theirs"], room(modes))
    seen = _seen(question["seen"])
    _check_unique(mine + theirs + seen)
    unseen = ALL_CLAN
    for card in mine + theirs + seen:
        unseen &= ~BIT.get(card, 0)
    return judge(mine, theirs, unseen, _first(question.get("first")), modes).to_data()


def _first(value: object) -> Literal["mine", "theirs"] | None:
    if value not in ("mine", "theirs", None):
        raise BadQuestion("bad-first", '"first" is "mine", "theirs" or null.')
    return value


def _cards(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise BadQuestion("not-a-list", f'"{key}" is a list of cards.')
    return tuple([_card(card) for card in value])


def _card(text: object) -> str:
    card = _read(text) if isinstance(text, str) else None
    if card is None:
        raise BadQuestion("unknown-card", f"{str(text)[:20]!r} is not a card.")
    return card


_read = lru_cache(maxsize=1 << 10)(read_card)


def _side(key: str, value: object, size: int) -> tuple[str, ...]:
    cards = _cards(key, value)
    if len(cards) > size:
        raise BadQuestion("too-many-cards", f'"{key}" holds more than {size} cards.')
    for card in cards:
        if card not in BIT and card not in ELITE_TROOPS:
            raise BadQuestion("not-on-a-side", f"{card} never lies on a side.")
    return cards


def _seen(value: object) -> tuple[str, ...]:
    cards = _cards("seen", value)
    for card in cards:
        if card not in BIT:
            raise BadQuestion("not-a-clan-card", f'"seen" holds Clan cards; {card} is none.')
    return cards


def _modes(value: object) -> tuple[str, ...]:
    modes = _cards("modes", value)
    for mode in modes:
        if mode not in COMBAT_MODES:
            raise BadQuestion("not-a-mode", f"{mode} is no Combat Mode.")
    _check_unique(modes)
    return modes


def _check_unique(cards: tuple[str, ...]) -> None:
    if len(set(cards)) == len(cards):
        return
    for card in set(cards):
        if cards.count(card) > (2 if card == JOKER else 1):
            raise BadQuestion("card-twice", f"{card} cannot lie in two places.")
