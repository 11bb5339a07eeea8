"""The position as a bot sees it, the value of sides, and a guess at the opponent's hand.

The value of a side of a Stone is from 0, the worst, to 1, the best. The estimate takes the
strongest formation within reach, once with the cards in hand alone and once with every card that
may still turn up. Each card still missing lowers it.

A card that would serve the opponent well would lie on the table by now: hands keep what helps
least. In games of the steward that explains hands far better than chance does: measured at any size
of the deck, the weight of a card falls by a factor of e for half a point that playing it would gain
(a point is a Stone won rather than nothing).
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from engine import OTHER, Seat, SeenStone, View
from engine.cards import ALL_CLAN, BIT, BLIND_MANS_BLUFF, COMBAT_MODES, STRATEGIST, bits
from engine.claims import side_size
from engine.formations import strongest
from engine.notation import Action, Banish, Move, Play

Cards = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoneSides:
    """One Stone from the bot's side: `owner` is "mine", "theirs" or None."""

    mine: Cards
    theirs: Cards
    modes: Cards
    owner: str | None
    mine_first: bool

    @property
    def size(self) -> int:
        """The number of cards that make a side complete."""
        return side_size(self.modes)


@dataclass(frozen=True, slots=True)
class Position:
    """All that a bot sees. `unseen` are the Clan cards it may still draw or meet, as bits: those
    that lie face-up nowhere and are not in its hand."""

    stones: tuple[StoneSides, ...]
    hand: Cards
    unseen: int

    def after(self, action: Action) -> "Position":
        """The position once this card is played; other actions leave it as it is."""
        match action:
            case Play(card, number):
                return self._with(number, _played(self.stones[number - 1], card))._spent(card)
            case Banish(card, number):
                return self._with(number, _robbed(self.stones[number - 1], card))._spent(
                    action.ruse
                )
            case Move():
                return self._moved(action)._spent(action.ruse)
            case _:
                return self

    def without(self, cards: Cards) -> "Position":
        """The position once these cards have left the hand."""
        position = self
        for card in cards:
            position = position._spent(card)
        return position

    def _moved(self, move: Move) -> "Position":
        stone = self.stones[move.stone - 1]
        taken = _given_up if move.ruse == STRATEGIST else _robbed
        position = self._with(move.stone, taken(stone, move.card))
        if move.to is None:
            return position
        return position._with(move.to, _played(position.stones[move.to - 1], move.card))

    def _with(self, number: int, stone: StoneSides) -> "Position":
        return replace(self, stones=(*self.stones[: number - 1], stone, *self.stones[number:]))

    def _spent(self, card: str) -> "Position":
        return replace(self, hand=_less(self.hand, card))


def position_in(view: View) -> Position:
    """The position that a game view shows to the player in its seat."""
    seat = view.seat
    assert seat is not None, "a bot plays"
    stones = tuple(_stone(stone, seat) for stone in view.stones)
    hand = tuple(view.own_cards)
    on_sides = (card for stone in stones for card in stone.mine + stone.theirs)
    return Position(stones, hand, ALL_CLAN & ~bits([*hand, *view.discard, *on_sides]))


def _stone(stone: SeenStone, seat: Seat) -> StoneSides:
    owner = stone.owner
    return StoneSides(
        mine=tuple(stone.side(seat)),
        theirs=tuple(stone.side(OTHER[seat])),
        modes=tuple(stone.modes),
        owner=None if owner is None else "mine" if owner == seat else "theirs",
        mine_first=stone.completed_first == seat,
    )


def _played(stone: StoneSides, card: str) -> StoneSides:
    if card in COMBAT_MODES:
        return replace(stone, modes=(*stone.modes, card))
    mine = (*stone.mine, card)
    completes = len(mine) == stone.size and len(stone.theirs) < stone.size
    return replace(stone, mine=mine, mine_first=stone.mine_first or completes)


def _given_up(stone: StoneSides, card: str) -> StoneSides:
    """The Stone without one of the bot's own cards."""
    return replace(stone, mine=_less(stone.mine, card), mine_first=False)


def _robbed(stone: StoneSides, card: str) -> StoneSides:
    """The Stone without one of the opponent's cards."""
    complete = len(stone.mine) == stone.size
    return replace(stone, theirs=_less(stone.theirs, card), mine_first=complete)


def _less(cards: Cards, card: str) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


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
    from_hand = reachable_value(cards, size, bluff, hand) * IN_HAND ** (size - len(cards))
    with_draws = _value_with_draws(cards, size, bluff, hand, unseen)
    return max(from_hand, with_draws)


def reachable_value(cards: tuple[str, ...], size: int, bluff: bool, available: int) -> float:
    """The value of the strongest formation that this side can become with the `available` cards."""
    best = strongest(cards, size, available, bluff)
    return 0.0 if best is None else formation_value(best.rank, best.total, size, bluff)


def formation_value(rank: int, total: int, size: int, bluff: bool) -> float:
    """The value of a formation of this rank and total."""
    share = total / (9 * size)
    return share if bluff else _LOWEST[rank] + (_HIGHEST[rank] - _LOWEST[rank]) * share


def _value_with_draws(
    cards: tuple[str, ...], size: int, bluff: bool, hand: int, unseen: int
) -> float:
    best = strongest(cards, size, hand | unseen, bluff)
    if best is None:
        return 0.0
    held = sum(1 for card in best.added if BIT[card] & hand)
    drawn = len(best.added) - held
    return formation_value(best.rank, best.total, size, bluff) * IN_HAND**held * UNSEEN**drawn


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
