"""The value of a side of a Stone, as a bot estimates it: from 0, the worst, to 1, the best.

The estimate takes the strongest formation within reach, once with the cards in hand alone and once
with every card that may still turn up. Each card still missing lowers it.
"""

from functools import lru_cache
from typing import Final

from engine.cards import BIT
from engine.formations import strongest

_LOWEST: Final = (0.0, 0.3, 0.5, 0.78, 0.88)
_HIGHEST: Final = (0.3, 0.5, 0.75, 0.88, 1.0)
"""The value of the weakest and of the strongest formation of each rank."""

# Both are close to 1: keeping strong formations possible beats settling early (`bench/bots.py`).
IN_HAND: Final = 0.99
"""The factor for each card needed from the hand: other Stones want it too."""
UNSEEN: Final = 0.95
"""The factor for each card that has yet to be drawn."""


STONE_WEIGHTS: Final = (0.85, 0.95, 1.05, 1.1, 1.1, 1.1, 1.05, 0.95, 0.85)
"""The weight of each Stone: those in the middle belong to more threes of adjacent Stones."""
THREE_BONUS: Final = 0.35
"""Added to a Stone's weight for each claimed Stone of its three, while one player holds them
all."""


@lru_cache(maxsize=1 << 10)
def stone_weights(owners: tuple[str | None, ...]) -> tuple[float, ...]:
    """The weight of each Stone: higher where it would make three adjacent ones of one owner."""
    weights = list(STONE_WEIGHTS)
    for low in range(7):
        three = owners[low : low + 3]
        if len({owner for owner in three if owner is not None}) == 1:
            for place in range(low, low + 3):
                weights[place] += THREE_BONUS * sum(owner is not None for owner in three)
    return tuple(weights)


@lru_cache(maxsize=1 << 17)
def side_value(cards: tuple[str, ...], size: int, bluff: bool, hand: int, unseen: int) -> float:
    """The expected value of a side of `size` cards that holds `cards` now.

    `hand` and `unseen` are bits: the Clan cards in its player's hand, and those that the player may
    still draw. `bluff`: only the total counts.
    """
    with_draws = _value_with_draws(cards, size, bluff, hand, unseen)
    return max(_value_from_hand(cards, size, bluff, hand), with_draws)


def reachable_value(cards: tuple[str, ...], size: int, bluff: bool, available: int) -> float:
    """The value of the strongest formation that this side can become with the `available` cards."""
    best = strongest(cards, size, available, bluff)
    return 0.0 if best is None else formation_value(best.rank, best.total, size, bluff)


def formation_value(rank: int, total: int, size: int, bluff: bool) -> float:
    """The value of a formation of this rank and total."""
    share = total / (9 * size)
    return share if bluff else _LOWEST[rank] + (_HIGHEST[rank] - _LOWEST[rank]) * share


def _value_from_hand(cards: tuple[str, ...], size: int, bluff: bool, hand: int) -> float:
    return reachable_value(cards, size, bluff, hand) * IN_HAND ** (size - len(cards))


def _value_with_draws(
    cards: tuple[str, ...], size: int, bluff: bool, hand: int, unseen: int
) -> float:
    best = strongest(cards, size, hand | unseen, bluff)
    if best is None:
        return 0.0
    held = sum(1 for card in best.added if BIT[card] & hand)
    drawn = len(best.added) - held
    return formation_value(best.rank, best.total, size, bluff) * IN_HAND**held * UNSEEN**drawn
