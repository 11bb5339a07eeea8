"""Action text: the one notation for the API, mail, records and the list of legal actions.

`parse` reads an action and `str` writes it; neither loses anything. The author of a text that is
not an action gets an explanation.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.cards import (
    BANSHEE,
    BIT,
    COLORS,
    COMBAT_MODES,
    ELITE_TROOPS,
    RECRUITER,
    RUSES,
    STRATEGIST,
    TACTIC_CARDS,
    TRAITOR,
    Deck,
    name,
    read_card,
)
from engine.errors import RuleBroken, illegal

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
    for pattern, reason_for in _NEAR_FORMS:
        if (match := pattern.fullmatch(text)) and (reason := reason_for(*match.groups())):
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
_NEAR_FORMS: Final[list[tuple[re.Pattern[str], Callable[..., str | None]]]] = [
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


DECK_LETTER: Final[dict[Deck, str]] = {"clan": "C", "tactic": "T"}
DECK_NAMED: Final[dict[str, Deck]] = {"C": "clan", "T": "tactic"}


@dataclass(frozen=True, slots=True)
class Play:
    """Play a Clan card or Elite Troop on the player's side of a Stone, or a Combat Mode on the
    Stone."""

    card: str
    stone: int

    def __str__(self) -> str:
        return f"{self.card}@{self.stone}"


@dataclass(frozen=True, slots=True)
class Move:
    """Play the Strategist or the Traitor, which moves `card` from one Stone to the Stone `to`.

    The Strategist moves an own card; `to` None discards it. The Traitor takes one of the
    opponent's.
    """

    ruse: str
    card: str
    stone: int
    to: int | None

    def __str__(self) -> str:
        return f"{self.ruse}:{self.card}@{self.stone}>{self.to or 'x'}"


@dataclass(frozen=True, slots=True)
class Banish:
    """Play the Banshee: one of the opponent's cards goes to the discard."""

    card: str
    stone: int

    @property
    def ruse(self) -> str:
        """The code of the Ruse."""
        return BANSHEE

    def __str__(self) -> str:
        return f"{BANSHEE}:{self.card}@{self.stone}"


@dataclass(frozen=True, slots=True)
class Recruit:
    """Play the Recruiter, and draw these numbers of cards from each deck."""

    clan: int
    tactic: int

    @property
    def ruse(self) -> str:
        """The code of the Ruse."""
        return RECRUITER

    def __str__(self) -> str:
        return f"{RECRUITER}:{'C' * self.clan}{'T' * self.tactic}"


@dataclass(frozen=True, slots=True)
class Return:
    """Put cards back under their decks after a Recruiter, the last one lowest."""

    cards: tuple[str, ...]

    def __str__(self) -> str:
        return "-" + ",".join(self.cards)


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim a Stone."""

    stone: int

    def __str__(self) -> str:
        return f"!{self.stone}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a card, which ends the turn."""

    deck: Deck

    def __str__(self) -> str:
        return f"+{DECK_LETTER[self.deck]}"


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass: play no card."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class End:
    """End the turn if there is nothing to draw."""

    def __str__(self) -> str:
        return "end"


Ruse = Move | Banish | Recruit
Action = Play | Move | Banish | Recruit | Return | Claim | Draw | Pass | End

_CARD: Final = r"([A-Z]{3}|[A-Z][1-9]|[1-9][A-Z])"


def _play(card: str, stone: str) -> Action | None:
    if (code := read_card(card)) in BIT or code in ELITE_TROOPS or code in COMBAT_MODES:
        return Play(code, int(stone))
    return None


def _strategist(card: str, stone: str, to: str) -> Action | None:
    code = read_card(card)
    return Move(STRATEGIST, code, int(stone), None if to == "X" else int(to)) if code else None


def _traitor(card: str, stone: str, to: str) -> Action | None:
    code = read_card(card)
    return Move(TRAITOR, code, int(stone), int(to)) if code else None


def _banshee(card: str, stone: str) -> Action | None:
    code = read_card(card)
    return Banish(code, int(stone)) if code else None


def _return(cards: str) -> Action | None:
    codes = [read_card(card) for card in cards.split(",")]
    valid = tuple(code for code in codes if code)
    return Return(valid) if len(valid) == len(codes) else None


_FORMS: Final[list[tuple[re.Pattern[str], Callable[..., Action | None]]]] = [
    (re.compile(pattern), build)
    for pattern, build in (
        (rf"{_CARD}@([1-9])", _play),
        (r"!([1-9])", lambda stone: Claim(int(stone))),
        (r"\+([CT])", lambda deck: Draw(DECK_NAMED[deck])),
        (rf"{STRATEGIST}:{_CARD}@([1-9])>([1-9X])", _strategist),
        (rf"{TRAITOR}:{_CARD}@([1-9])>([1-9])", _traitor),
        (rf"{BANSHEE}:{_CARD}@([1-9])", _banshee),
        (rf"{RECRUITER}:([CT]{{1,3}})", lambda d: Recruit(d.count("C"), d.count("T"))),
        (rf"-({_CARD}(?:,{_CARD})?)", lambda cards, *_: _return(cards)),
        (r"PASS", Pass),
        (r"END", End),
    )
]


@lru_cache(maxsize=1 << 12)
def parse(text: str) -> Action:
    """Read one action, in upper or lower case; `7R` is `R7`. Raises `RuleBroken`:
    `unreadable-action`."""
    for pattern, build in _FORMS:
        match = pattern.fullmatch(text.upper()) if text.isascii() else None
        action = build(*match.groups()) if match else None
        if action is not None:
            return action
    raise RuleBroken("unreadable-action", "unreadable-action", explain(text))


def parse_turn(text: str) -> list[Action]:
    """Read a turn: actions separated by spaces. Raises `RuleBroken`: `unreadable-action`."""
    return [parse(token) for token in text.split()]


def read_request(texts: Iterable[str]) -> list[Action]:
    """Read the actions of one request or order.

    Nothing may follow an action that shows hidden cards: a refusal of the next action would reveal
    them. Raises `RuleBroken`: `unreadable-action`, or `illegal-action` if an action follows a
    Recruiter or a draw.
    """
    actions = [parse(text) for text in texts]
    if not actions:
        raise RuleBroken("unreadable-action", "no-action", "A turn has at least one action.")
    for action in actions[:-1]:
        if isinstance(action, Recruit):
            raise illegal(
                "after-hidden-cards",
                "Nothing can follow a Recruiter in the same request: decide on it once you have"
                " seen the cards.",
                23,
            )
        if isinstance(action, Draw):
            raise illegal("after-the-turn", "A draw ends the turn: nothing can follow it.", 5)
    return actions


def requests_of(turn: Iterable[str]) -> list[list[str]]:
    """A whole turn as separate requests: a new one begins after a Recruiter."""
    requests: list[list[str]] = [[]]
    for text in turn:
        requests[-1].append(text)
        if isinstance(parse(text), Recruit):
            requests.append([])
    return [request for request in requests if request]
