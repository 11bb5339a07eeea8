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


TACTIC_TEXTS: Final = {
    "JOK": "Counts as any Clan card, which you settle when the Stone is claimed.",
    "SPY": "Counts as a 7 of any colour, which you settle when the Stone is claimed.",
    "SHB": "Counts as a 1, 2 or 3 of any colour, which you settle when the Stone is claimed.",
    "BMB": "Played on a Stone: only the sum of the cards counts there, no formation.",
    "MUD": "Played on a Stone: each side takes four cards there.",
    "REC": "Draw three cards from either deck, then put two of your hand under their decks.",
    "STR": "Move one of your cards to another Stone that nobody has claimed, or discard it.",
    "BAN": "Discard a card of the other side from a Stone that nobody has claimed.",
    "TRA": "Take a Clan card of the other side from a Stone that nobody has claimed, to your own.",
}
"""What each Tactic card does."""
