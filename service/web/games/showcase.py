"""The game that the front page plays by itself: a real game, shipped as a record in text form.

The page is sent with a still picture of it, and continues from there if it may show motion.
"""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from engine.chain import to_event
from engine.events import CardPlayed, StoneClaimed
from engine.record import from_text
from service.text.drawing.moor import Spot

RECORD: Final = Path(__file__).with_name("showcase.txt")
"""`python -m tests.support.showcase` writes this file."""
STILL: Final = 35
"""The number of beats in the still picture: two Stones are claimed, and the end is near."""
_SIDES: Final = {"north": "above", "south": "below"}


class Beat(NamedTuple):
    """A single change of the picture: a card comes to a Stone; if `card` is `""`, it is claimed."""

    side: str
    stone: int
    card: str

    def __str__(self) -> str:
        return f"{self.side}:{self.stone}:{self.card}"


@cache
def beats() -> list[Beat]:
    """Return all changes of the picture, in order."""
    seen = list[Beat]()
    for event in map(to_event, from_text(RECORD.read_text(encoding="utf-8"))):
        match event:
            case CardPlayed():
                seen.append(Beat(_SIDES[event.by], event.stone, event.card))
            case StoneClaimed():
                seen.append(Beat(_SIDES[event.by], event.stone, ""))
    return seen


@cache
def still() -> tuple[Spot, ...]:
    """Return the nine Stones after the first `STILL` beats."""
    seen = beats()[:STILL]
    return tuple(
        Spot(
            next((side for side, at, card in seen if at == stone and not card), None),
            tuple(card for side, at, card in seen if (side, at) == ("above", stone) and card),
            tuple(card for side, at, card in seen if (side, at) == ("below", stone) and card),
        )
        for stone in range(1, 10)
    )
