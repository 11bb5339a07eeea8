"""Estimates which of the unseen cards the opponent is likely to hold.

A card that would serve the opponent well would lie on the table by now: hands keep what helps
least. In games of the steward that explains hands far better than chance does: measured at any size
of the deck, the weight of a card falls by a factor of e for half a point that playing it would gain
(a point is a Stone won rather than nothing).
"""

import math
from typing import Final

from engine.cards import BIT, BLIND_MANS_BLUFF
from service.bots.evaluation import side_value, stone_weights
from service.bots.position import Position, StoneSides

_STEEPNESS: Final = 2.0


def held_weights(position: Position) -> dict[int, float]:
    """The relative likelihood, for each unseen Clan card (as a bit), that the opponent holds it."""
    weights = stone_weights(tuple(stone.owner for stone in position.stones))
    places = [
        (stone, weight)
        for stone, weight in zip(position.stones, weights, strict=True)
        if stone.owner is None and len(stone.theirs) < stone.size
    ]
    gains = {
        bit: max((_gain(position, *place, card) for place in places), default=0.0)
        for card, bit in BIT.items()
        if bit & position.unseen
    }
    return {bit: math.exp(-_STEEPNESS * gain) for bit, gain in gains.items()}


def _gain(position: Position, stone: StoneSides, weight: float, card: str) -> float:
    """The value that this card would add to the opponent's side of a Stone."""
    size, bluff, unseen = stone.size, BLIND_MANS_BLUFF in stone.modes, position.unseen
    after = side_value((*stone.theirs, card), size, bluff, 0, unseen & ~BIT[card])
    return weight * (after - side_value(stone.theirs, size, bluff, 0, unseen))
