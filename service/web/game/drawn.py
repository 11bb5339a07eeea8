"""Which cards of the reader's hand came with their last turn."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.chain import StoredEvent
from engine.events import CardDrawn, CardPlayed, CardsRecruited, Passed, RoundStarted, RusePlayed

_DRAWS: Final = (CardDrawn.TYPE, CardsRecruited.TYPE)
_BEGINS: Final = (CardPlayed.TYPE, RusePlayed.TYPE, Passed.TYPE)


def drawn_places(view: Mapping[str, Any], lines: Sequence[StoredEvent]) -> frozenset[int]:
    """The places in the hand of this view, from 0, of what the player's last turn brought.

    `lines` are those of the round, as the player may see them.
    """
    seat = view["seat"]
    hand = view["hands"][seat]["cards"] if seat else None
    drawn, found = Counter(_drawn_last(seat, lines)), set()
    for place, card in enumerate(hand or ()):
        if drawn[card] > 0:
            drawn[card] -= 1
            found.add(place)
    return frozenset(found)


def _drawn_last(seat: str | None, lines: Sequence[StoredEvent]) -> Iterable[str]:
    for line in reversed(lines):
        if line["type"] == RoundStarted.TYPE:
            return
        if line["by"] != seat:
            continue
        if line["type"] in _DRAWS and line["private"]:
            yield from line["private"]["cards"]
        if line["type"] in _BEGINS:
            return
