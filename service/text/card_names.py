"""What a player calls a card."""

from typing import Final

from engine.cards import BIT, name

CLANS: Final = {
    "R": "Red",
    "O": "Orange",
    "Y": "Yellow",
    "G": "Green",
    "B": "Blue",
    "P": "Purple",
}
"""The clans' colours, by their letters."""


def full_name(card: str) -> str:
    """The card as one reads it out: `Red 7`, `Joker`."""
    return f"{CLANS[card[0]]} {card[1]}" if card in BIT else name(card)
