"""The cards, their codes and their canonical order.

A Clan card is a colour letter and a strength, `R7`; a Tactic card is a three-letter code, `JOK`. A
set of Clan cards is an integer with a bit for each card: nine bits a colour, the weakest card
lowest.
"""

from collections.abc import Iterable
from typing import Final, Literal

Seat = Literal["north", "south"]
Deck = Literal["clan", "tactic"]

SEATS: Final[tuple[Seat, Seat]] = ("north", "south")
OTHER: Final[dict[Seat, Seat]] = {"north": "south", "south": "north"}

COLORS: Final = "ROYGBP"
STRENGTHS: Final = range(1, 10)
CLAN_CARDS: Final = tuple(f"{color}{strength}" for color in COLORS for strength in STRENGTHS)

JOKER: Final = "JOK"
SPY: Final = "SPY"
SHIELD_BEARER: Final = "SHB"
BLIND_MANS_BLUFF: Final = "BMB"
MUD_FIGHT: Final = "MUD"
RECRUITER: Final = "REC"
STRATEGIST: Final = "STR"
BANSHEE: Final = "BAN"
TRAITOR: Final = "TRA"

ELITE_TROOPS: Final = (JOKER, SPY, SHIELD_BEARER)
COMBAT_MODES: Final = (BLIND_MANS_BLUFF, MUD_FIGHT)
RUSES: Final = (RECRUITER, STRATEGIST, BANSHEE, TRAITOR)
TACTIC_CARDS: Final = (JOKER, *ELITE_TROOPS, *COMBAT_MODES, *RUSES)
"""All ten, unshuffled. The two Jokers come first; nobody can tell them apart."""

ORDER: Final = {card: place for place, card in enumerate(CLAN_CARDS + TACTIC_CARDS[1:])}
"""The canonical order: colours as in `COLORS`, then strength, then the Tactic cards."""

BIT: Final = {card: 1 << place for place, card in enumerate(CLAN_CARDS)}
"""Each Clan card's bit. Tactic cards have none: a proof never counts them as unseen."""

ALL_CLAN: Final = (1 << len(CLAN_CARDS)) - 1

DECK_OF: Final[dict[str, Deck]] = {card: "clan" if card in BIT else "tactic" for card in ORDER}

CLANS: Final = {"R": "Red", "O": "Orange", "Y": "Yellow", "G": "Green", "B": "Blue", "P": "Purple"}
"""The clans' colours, by their letters."""

NAMES: Final = {
    JOKER: "Joker",
    SPY: "Spy",
    SHIELD_BEARER: "Shield-Bearer",
    BLIND_MANS_BLUFF: "Blind-Man's Bluff",
    MUD_FIGHT: "Mud Fight",
    RECRUITER: "Recruiter",
    STRATEGIST: "Strategist",
    BANSHEE: "Banshee",
    TRAITOR: "Traitor",
}


def name(card: str) -> str:
    """The card's name for players: `R7`, `Joker`."""
    return NAMES.get(card, card)


def full_name(card: str) -> str:
    """The card's full name: `Red 7`, `Joker`."""
    return f"{CLANS[card[0]]} {card[1]}" if card in BIT else name(card)


def bits(cards: Iterable[str]) -> int:
    """The Clan cards among `cards` as a set of bits; Tactic cards are left out."""
    return sum({BIT.get(card, 0) for card in cards})


def in_order(cards: Iterable[str]) -> list[str]:
    """`cards` sorted canonically."""
    return sorted(cards, key=ORDER.__getitem__)


def read_card(text: str) -> str | None:
    """The card that `text` names, or None. `r7` and `7R` are both read as `R7`."""
    code = text.upper() if text.isascii() else ""
    if code in ORDER:
        return code
    turned = code[::-1]
    return turned if turned in BIT else None
