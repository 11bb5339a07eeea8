"""The worth of one side of a Stone as playouts count it: cards are bits, sides are sets of bits.

Elite Troops have bits of their own, after the Clan cards. Combat Modes make the kind of a Stone.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engine.cards import BIT, BLIND_MANS_BLUFF, CLAN_CARDS, ELITE_TROOPS, MUD_FIGHT
from engine.formations import formation, strongest
from service.bots.evaluation import formation_value

_PLAYABLE: Final = CLAN_CARDS + ELITE_TROOPS
BIT_OF: Final = {card: 1 << number for number, card in enumerate(_PLAYABLE)}
"""The bit of each card: for a Clan card the same as in `engine.cards`."""
_CLAN_BITS: Final = tuple(BIT.values())

WON: Final = 1.2
"""The value of a side that wins its Stone: more than any promise."""
_PATIENCE: Final = 0.9
"""The factor for the promised value of a side, for each card that it lacks beyond the last."""
_HOPE: Final = 0.8
"""The share of the cards that come to a player's hand that can be spent on one side."""
_FOUR_CARDS: Final = 0.45
"""The factor for the value of the best formation in a Mud Fight, by a guess, while three or four
cards are missing."""
_FAR_FETCHED: Final = 0.05
"""Chances below this are left out."""

Worth = tuple[float, float]
"""The strength of a formation, for comparison, and its value (`evaluation.formation_value`)."""


def kind_of(modes: Iterable[str]) -> int:
    """The number of a Stone's Combat Modes: 1 for Blind-Man's Bluff, and 2 for Mud Fight."""
    return (BLIND_MANS_BLUFF in modes) + 2 * (MUD_FIGHT in modes)


def mask_of(cards: Iterable[str]) -> int:
    """These cards as bits."""
    return sum(BIT_OF[card] for card in cards)


@lru_cache(maxsize=1 << 12)
def _cards_of(mask: int) -> tuple[str, ...]:
    return tuple(card for card, bit in BIT_OF.items() if mask & bit)


@lru_cache(maxsize=1 << 17)
def complete_worth(kind: int, mask: int) -> Worth:
    """The worth of a complete side."""
    best = formation(_cards_of(mask), bool(kind & 1))
    return _worth(kind, best.rank, best.total)


def _worth(kind: int, rank: int, total: int) -> Worth:
    size = 4 if kind & 2 else 3
    return 100.0 * rank + total, formation_value(rank, total, size, bool(kind & 1))


@lru_cache(maxsize=1 << 15)
def completions(kind: int, mask: int) -> tuple[tuple[float, float, int], ...]:
    """The formations that one more Clan card makes of a side, the strongest first: each with its
    strength, its value, and the cards that make it, as bits."""
    cards_of: dict[Worth, int] = {}
    for bit in _CLAN_BITS:
        if not mask & bit:
            worth = complete_worth(kind, mask | bit)
            cards_of[worth] = cards_of.get(worth, 0) | bit
    return tuple((*worth, cards) for worth, cards in sorted(cards_of.items(), reverse=True))


class Odds:
    """The chances of one decision: `unseen` are the Clan cards that lie face-up nowhere, and
    `share` is the part of them that one player will draw."""

    def __init__(self, unseen: int, share: float) -> None:
        self.unseen = unseen
        self.misses = [(1 - _HOPE * share) ** number for number in range(len(CLAN_CARDS) + 1)]
        """The chance that none of n cards comes, by n."""
        self._promises: dict[tuple[int, int], Worth] = {}

    def expected(
        self, kind: int, mask: int, unseen: int, held: int, to_beat: float
    ) -> tuple[float, int, float]:
        """The expected value of a side that lacks one card.

        Returns the value if the side takes the best card that comes, the one card of the hand that
        it counts on (0: none), and the value without that card. `held` are the cards in the hand,
        as bits. Formations no stronger than `to_beat` are worth nothing.
        """
        chance, total, counted, value_with = 1.0, 0.0, 0, 0.0
        misses = self.misses
        for strength, value, cards in completions(kind, mask):
            live = cards & unseen
            if not live:
                continue
            if strength <= to_beat:
                break
            if to_beat >= 0:
                value = WON
            if here := live & held:
                if counted or here & (here - 1):
                    total += chance * value
                    return (value_with, counted, total) if counted else (total, 0, total)
                counted, value_with = here, total + chance * value
                live ^= here
            miss = misses[live.bit_count()]
            total += chance * (1 - miss) * value
            chance *= miss
            if chance < _FAR_FETCHED:
                break
        return (value_with, counted, total) if counted else (total, 0, total)

    def promise(self, kind: int, mask: int, lacking: int) -> Worth:
        """The strongest formation that a side may become with two or more cards, and its expected
        value.

        Cached for the whole decision: cards that turned up since it began hardly change either.
        """
        worth = self._promises.get((kind, mask))
        if worth is None:
            worth = self._promises[kind, mask] = self._foresee(kind, mask, lacking)
        return worth

    def hope(self, kind: int, mask: int, lacking: int, to_beat: float) -> float:
        """The expected value of the promise if it is stronger than `to_beat`, otherwise 0."""
        strength, value = self.promise(kind, mask, lacking)
        return value if strength > to_beat else 0.0

    def _foresee(self, kind: int, mask: int, lacking: int) -> Worth:
        cards, free = _cards_of(mask), self.unseen & ~mask
        best = strongest(cards, len(cards) + lacking, free, bool(kind & 1))
        if best is None:
            return -1.0, 0.0
        worth = _worth(kind, best.rank, best.total)
        if lacking > 2 and kind & 2:
            return worth[0], worth[1] * _FOUR_CARDS
        nexts = [
            self.expected(kind, mask | bit, free & ~bit, 0, -1.0)[0]
            if lacking == 2
            else self.promise(kind, mask | bit, lacking - 1)[1]
            for bit in _CLAN_BITS
            if bit & free
        ]
        chance, total, miss = 1.0, 0.0, self.misses[1]
        for value in sorted(nexts, reverse=True):
            total += chance * (1 - miss) * value
            chance *= miss
        return worth[0], total * _PATIENCE
