"""Reads the four Ruses in words: "Strategist: move R7 from 3 to 5", "Recruiter: two clan, one
tactic"."""

import re
from collections.abc import Collection
from typing import Final

from engine.cards import STRATEGIST, TRAITOR
from engine.notation import Banish, Move, Recruit, Ruse
from letters.languages import VERBS, any_of
from letters.mail.phrases import is_named
from letters.patterns import AT, CARD, LEAD, card_of, stone, stone_of

_NAMES: Final = ("str", "ban", "tra", "rec")
"""The first letters of the Ruses' names, which are also their short forms."""
_MOST_DRAWN: Final = 3
_COUNTS: Final = {"a": 1, "an": 1, "one": 1, "1": 1, "two": 2, "2": 2, "three": 3, "3": 3, "all": 3}
_JOIN: Final = r"(?:[,;]|:)?(?: -| >)?(?: and)?(?: then)?(?: i| i'll| i will)?(?: to| with it)? "


_BEFORE: Final = rf"{LEAD}(?:(?:{VERBS}|with|using):? )?(?:(?:the|my|a) )?"
BEGINNING_OF_RUSE: Final = re.compile(rf"{_BEFORE}(?:{'|'.join(_NAMES)})")


def _named(ruse: str) -> str:
    """Return the pattern of the Ruse's name and of the words between it and its target."""
    return rf"{_BEFORE}(?:{ruse})(?: card)?{_JOIN}"


def _counted(number: int) -> str:
    deck = rf"(?P<d{number}>clan|tactics?)(?: (?:cards?|decks?))?"
    return rf"(?:(?P<n{number}>{any_of(_COUNTS)}) )?{deck}"


_WHOSE: Final = r"(?:on )?(?:(?P<whose>their|his|her|(?P<name>[^\W_]{1,40})'s) )?"
_AWAY: Final = (
    "(?:discard|discarding|throw away|throw out|trash|bin|get rid of|kill|destroy|banish)"
)
_MOVE: Final = (
    "(?:move|moving|shift|shifting|take|taking|put|bring|bringing|steal|stealing|grab|swap|send)"
)
_FROM_STONE: Final = rf"(?: (?:from|off|of) |{AT}){stone()}"
_TO_STONE: Final = rf"(?:,? (?:and )?(?:put it|over|across))?{AT}{stone('to')}"
_DISCARDED: Final = (
    r"(?:,? (?:to|onto|into) (?:the )?discards?(?: pile)?|,? (?:and )?discard(?: it)?)"
)

_STRATEGIST: Final = re.compile(
    _named("strategist|str")
    + rf"(?:(?P<away>{_AWAY}) |{_MOVE} )?(?P<card>{CARD}){_FROM_STONE}"
    + rf"(?(away)|(?:{_DISCARDED}|{_TO_STONE}))"
)
_BANSHEE: Final = re.compile(
    _named("banshee|ban") + rf"(?:{_AWAY} )?{_WHOSE}(?P<card>{CARD}){_FROM_STONE}"
)
_TRAITOR: Final = re.compile(
    _named("traitor|tra") + rf"(?:{_MOVE} )?{_WHOSE}(?P<card>{CARD}){_FROM_STONE}{_TO_STONE}"
)
_RECRUITER: Final = re.compile(
    _named("recruiter|rec")
    + r"(?:(?:draw|take|drawing|taking|for):? )?"
    + rf"(?:{_counted(1)}(?:(?:,? (?:and|&|\+) |, ?| \+ ){_counted(2)})?|(?P<code>[ct]{{1,3}}))"
)


def ruse_at(text: str, place: int, names: Collection[str]) -> tuple[Ruse, int] | None:
    """Return the Ruse that is written at this index of a line in lower case, and its end; None if
    there is none. `names`, in lower case, may name the owner of a card ("Bo's R7")."""
    if not any(name in text for name in _NAMES):
        return None
    for pattern in (_STRATEGIST, _BANSHEE, _TRAITOR):
        if (match := pattern.match(text, place)) is None:
            continue
        card, at = card_of(match["card"]), stone_of(match["stone"])
        if card is None:
            return None
        name = None if pattern is _STRATEGIST else match["name"]
        if name is not None and not is_named(name, names):
            return None
        if pattern is _BANSHEE:
            return Banish(card, at), match.end()
        to = stone_of(match["to"]) if match["to"] else None
        return Move(STRATEGIST if pattern is _STRATEGIST else TRAITOR, card, at, to), match.end()
    match = _RECRUITER.match(text, place)
    if match is None:
        return None
    drawn = match["code"] or "".join(
        deck[0] * _COUNTS.get(match[f"n{number}"] or "1", 1)
        for number in (1, 2)
        if (deck := match[f"d{number}"])
    )
    if not 0 < len(drawn) <= _MOST_DRAWN:
        return None
    return Recruit(drawn.count("c"), drawn.count("t")), match.end()
