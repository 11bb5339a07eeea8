"""What a side of a Stone may become, as a bot guesses it: a number from 0, nothing, to 1, the best.

It looks at the strongest formation within reach, once with the cards in hand alone and once with
all that may still turn up, and discounts each card that is still missing.
"""

from functools import lru_cache
from typing import Final

from engine.cards import BIT
from engine.formations import strongest

_FROM: Final = (0.0, 0.3, 0.5, 0.78, 0.88)
_TO: Final = (0.3, 0.5, 0.75, 0.88, 1.0)
"""By rank: what the weakest and the strongest formation of that rank are worth."""

# Both are close to 1: a side that keeps strong formations possible beats one that settles early
# (`bench/bots.py`).
IN_HAND: Final = 0.99
"""What is left of a plan for each card that it needs from the hand: other Stones want it too."""
UNSEEN: Final = 0.95
"""What is left of it for each card that has yet to be drawn."""


@lru_cache(maxsize=1 << 17)
def outlook(cards: tuple[str, ...], size: int, bluff: bool, hand: int, unseen: int) -> float:
    """How strong a side of `size` cards will be that holds `cards` now.

    `hand` and `unseen` are the bits of the Clan cards that its player holds, and of those that may
    still come to them.
    """
    return max(_sure(cards, size, bluff, hand), _hoped(cards, size, bluff, hand, unseen))


def reach(cards: tuple[str, ...], size: int, bluff: bool, cards_to_come: int) -> float:
    """The worth of the strongest formation that this side can still become."""
    best = strongest(cards, size, cards_to_come, bluff)
    return 0.0 if best is None else worth(best.rank, best.total, size, bluff)


def worth(rank: int, total: int, size: int, bluff: bool) -> float:
    """What a formation of this rank and total is worth."""
    share = total / (9 * size)
    return share if bluff else _FROM[rank] + (_TO[rank] - _FROM[rank]) * share


def _sure(cards: tuple[str, ...], size: int, bluff: bool, hand: int) -> float:
    return reach(cards, size, bluff, hand) * IN_HAND ** (size - len(cards))


def _hoped(cards: tuple[str, ...], size: int, bluff: bool, hand: int, unseen: int) -> float:
    best = strongest(cards, size, hand | unseen, bluff)
    if best is None:
        return 0.0
    held = sum(1 for card in best.added if BIT[card] & hand)
    drawn = len(best.added) - held
    return worth(best.rank, best.total, size, bluff) * IN_HAND**held * UNSEEN**drawn
