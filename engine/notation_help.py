"""Explanations for the author of a text that is not an action."""

import re
from collections.abc import Callable
from typing import Final

from engine.cards import COLORS, RUSES, TACTIC_CARDS, name, read_card

_EXAMPLES: Final = "Examples: R7@3 (play), !3 (claim), +C (draw), pass, end."
_STONES: Final = "Stones are numbered 1 to 9."
_HOW: Final = {
    "REC": "A Recruiter names the decks to draw from, one to three of C and T: REC:CCT.",
    "STR": "A Strategist says which card goes where: STR:R7@3>5, or STR:R7@3>x to discard it.",
    "BAN": "A Banshee says which card it discards, and from which Stone: BAN:G4@2.",
    "TRA": "A Traitor says which card comes from which Stone to which: TRA:G4@2>6.",
}
"""The notation of each Ruse."""


def explain(text: str) -> str:
    """The reason why `text` is not an action: a value out of range, or the right notation."""
    return f"{text[:40]!r} is not an action. {_reason(text.upper())}"


def _reason(text: str) -> str:
    for pattern, reason_for in _FORMS:
        match = pattern.fullmatch(text)
        if match and (reason := reason_for(*match.groups())):
            return reason
    return _EXAMPLES


def _card(text: str) -> str | None:
    """The problem with a card's code; None if it is valid."""
    if read_card(text):
        return None
    clan = re.fullmatch(r"([A-Z])(\d+)|(\d+)([A-Z])", text, re.ASCII)
    if clan is None:
        return f"The Tactic cards are {', '.join(dict.fromkeys(TACTIC_CARDS))}."
    if (clan[1] or clan[4]) not in COLORS:
        return f"The colours are {', '.join(COLORS)}."
    return "Clan cards have the strengths 1 to 9."


def _stone(text: str) -> str | None:
    return None if re.fullmatch("[1-9]", text) else _STONES


def _played(card: str, stone: str) -> str | None:
    code = read_card(card)
    return _HOW[code] if code in RUSES else _card(card) or _stone(stone)


def _moved(ruse: str, card: str, stone: str, to: str) -> str | None:
    if ruse == "BAN" or (ruse == "TRA" and to == "X"):
        return _HOW[ruse]
    return _card(card) or _stone(stone) or (None if to == "X" else _stone(to))


def _banished(ruse: str, card: str, stone: str) -> str | None:
    return _card(card) or _stone(stone) or _HOW[ruse]


def _returned(cards: str) -> str | None:
    codes = cards.split(",")
    if len(codes) > 2:
        return "At most two cards go back after a Recruiter: -R1,R2."
    return next(filter(None, map(_card, codes)), None)


_WORD: Final = r"([A-Z]{3}|[A-Z]\d{1,9}|\d{1,9}[A-Z])"
_NUMBER: Final = r"(\d{1,9})"
_FORMS: Final[list[tuple[re.Pattern[str], Callable[..., str | None]]]] = [
    (re.compile(pattern, re.ASCII), reason_for)
    for pattern, reason_for in (
        (rf"{_WORD}@{_NUMBER}", _played),
        (rf"!{_NUMBER}", _stone),
        (r"\+.*", lambda: "Draw a card with +C (Clan deck) or +T (Tactic deck)."),
        (rf"(STR|TRA|BAN):{_WORD}@{_NUMBER}>(\d{{1,9}}|X)", _moved),
        (rf"(STR|TRA|BAN):{_WORD}@{_NUMBER}", _banished),
        (r"-(\w+(?:,\w+)*)", _returned),
        (r"(REC|STR|BAN|TRA)\b.*", _HOW.get),
        (r"(JOK|SPY|SHB|BMB|MUD)", lambda card: f"Say on which Stone: {card}@3 ({name(card)})."),
        (r"([A-Z][1-9]|[1-9][A-Z])", lambda card: f"Say on which Stone: {card}@3."),
    )
]
