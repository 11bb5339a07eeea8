"""Claims to judge as plain data, for `scottenbury judge`: a situation in, a verdict out."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from engine.cards import ALL_CLAN, BIT, COMBAT_MODES, ELITE_TROOPS, JOKER, read_card
from engine.claims import Verdict, judge, side_size


class InvalidSituation(Exception):
    """A situation that cannot be judged; `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


_KEYS: Final = {"mine", "theirs", "seen", "first", "modes"}
_NEEDED: Final = {"mine", "theirs", "seen"}


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """The verdict on one situation, as a line of JSON; `failed` if it could not be judged."""

    text: str
    failed: bool


def judge_line(line: str) -> JudgedLine:
    """Judge one line of JSON. A malformed one gives `{"error": {"code", "detail"}}`."""
    result: dict[str, object]
    try:
        result, failed = judge_situation(_object(line)), False
    except InvalidSituation as invalid:
        result, failed = {"error": {"code": invalid.code, "detail": invalid.detail}}, True
    # The one control character that JSON leaves unescaped; a terminal might obey it.
    return JudgedLine(_write(result).replace("\x7f", "\\u007f"), failed)


def _object(line: str) -> Mapping[str, object]:
    try:
        situation = _read_json(line)
    except (ValueError, RecursionError):
        raise InvalidSituation("not-json", "This line is not JSON.") from None
    if not isinstance(situation, dict):
        raise InvalidSituation("not-an-object", "A situation is a JSON object.")
    return situation


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(members := dict(pairs)) < len(pairs):
        raise InvalidSituation("key-twice", "A key appears twice.")
    return members


# Made once: `json.loads` and `json.dumps` would make them for every line.
_read_json = json.JSONDecoder(object_pairs_hook=_unique_keys).decode
_write = json.JSONEncoder(separators=(",", ":")).encode


def judge_situation(situation: Mapping[str, object]) -> dict[str, object]:
    """The `verdict_on` a situation as data: `{"claimable", "reason", "mine", "theirs",
    "counterexample"}`. Raises `InvalidSituation`."""
    return verdict_on(situation).to_data()


def verdict_on(situation: Mapping[str, object]) -> Verdict:
    """Judge `{"mine", "theirs", "seen", "first", "modes"}`; the last two may be left out. Raises
    `InvalidSituation`."""
    if unknown := situation.keys() - _KEYS:
        raise InvalidSituation("unknown-key", f"Unknown keys: {', '.join(sorted(unknown))}.")
    if missing := _NEEDED - situation.keys():
        raise InvalidSituation("missing-key", f"Missing keys: {', '.join(sorted(missing))}.")
    modes = _modes(situation.get("modes") or [])
    mine = _side("mine", situation["mine"], side_size(modes))
    theirs = _side("theirs", situation["theirs"], side_size(modes))
    seen = _seen(situation["seen"])
    _check_unique(mine + theirs + seen)
    unseen = ALL_CLAN
    for card in mine + theirs + seen:
        unseen &= ~BIT.get(card, 0)
    return judge(mine, theirs, unseen, _first(situation.get("first")), modes)


def _first(value: object) -> Literal["mine", "theirs"] | None:
    if value not in ("mine", "theirs", None):
        raise InvalidSituation("bad-first", '"first" is "mine", "theirs" or null.')
    return value


def _cards(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InvalidSituation("not-a-list", f'"{key}" is a list of cards.')
    return tuple([_card(card) for card in value])


def _card(text: object) -> str:
    card = _read(text) if isinstance(text, str) else None
    if card is None:
        raise InvalidSituation("unknown-card", f"{str(text)[:20]!r} is not a card.")
    return card


_read = lru_cache(maxsize=1 << 10)(read_card)


def _side(key: str, value: object, size: int) -> tuple[str, ...]:
    cards = _cards(key, value)
    if len(cards) > size:
        raise InvalidSituation("too-many-cards", f'"{key}" holds more than {size} cards.')
    for card in cards:
        if card not in BIT and card not in ELITE_TROOPS:
            raise InvalidSituation("not-on-a-side", f"{card} never lies on a side.")
    return cards


def _seen(value: object) -> tuple[str, ...]:
    cards = _cards("seen", value)
    for card in cards:
        if card not in BIT:
            raise InvalidSituation("not-a-clan-card", f'"seen" holds Clan cards; not {card}.')
    return cards


def _modes(value: object) -> tuple[str, ...]:
    modes = _cards("modes", value)
    for mode in modes:
        if mode not in COMBAT_MODES:
            raise InvalidSituation("not-a-mode", f"{mode} is not a Combat Mode.")
    _check_unique(modes)
    return modes


def _check_unique(cards: tuple[str, ...]) -> None:
    if len(set(cards)) == len(cards):
        return
    for card in set(cards):
        if cards.count(card) > (2 if card == JOKER else 1):
            raise InvalidSituation("card-twice", f"{card} cannot lie in two places.")
