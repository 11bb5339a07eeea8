"""The game that the front page plays by itself: a real one, shipped as a record in text form.

The page is sent with a still of it, and goes on from there where it may move.
"""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

from engine.chain import to_event
from engine.events import CardPlayed, StoneClaimed
from engine.record import from_text

Side = Literal["above", "below"]

RECORD: Final = Path(__file__).with_name("showcase.txt")
"""Written by `python -m tests.support.showcase`."""
STILL: Final = 35
"""How many beats the still holds: two Stones are claimed, and the end is near."""
_SIDES: Final[dict[str, Side]] = {"north": "above", "south": "below"}


class Beat(NamedTuple):
    """What is seen at once: a card that comes to a Stone; a claimed Stone, where `card` is empty."""

    side: Side
    stone: int
    card: str

    def __str__(self) -> str:
        return f"{self.side}:{self.stone}:{self.card}"


@dataclass
class Spot:
    """A Stone as the still shows it, with the cards of each side in the order of play."""

    number: int
    owner: Side | None = None
    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)


@cache
def beats() -> list[Beat]:
    """All that is seen of the game, in order."""
    seen = list[Beat]()
    for event in map(to_event, from_text(RECORD.read_text(encoding="utf-8"))):
        match event:
            case CardPlayed():
                seen.append(Beat(_SIDES[event.by], event.stone, event.card))
            case StoneClaimed():
                seen.append(Beat(_SIDES[event.by], event.stone, ""))
    return seen


@cache
def still() -> list[Spot]:
    """The nine Stones after the first beats."""
    spots = [Spot(number) for number in range(1, 10)]
    for side, stone, card in beats()[:STILL]:
        spot = spots[stone - 1]
        if card:
            (spot.above if side == "above" else spot.below).append(card)
        else:
            spot.owner = side
    return spots
