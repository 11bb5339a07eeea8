"""Plays a few turns fast, from a position whose hidden cards have been dealt by guess.

Each player plays where their own sides gain most, wins a Stone once both its sides are complete or
the other side cannot catch up, and draws Clan cards. Elite Troops are played like Clan cards;
Combat Modes and Ruses stay in the hands.

Cards are bits, and sides are sets of bits. Elite Troops have bits of their own, after the Clan
cards. Combat Modes make the kind of a Stone.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.cards import BIT, BLIND_MANS_BLUFF, CLAN_CARDS, ELITE_TROOPS, MUD_FIGHT
from engine.formations import formation, strongest
from service.bots.position import formation_value, stone_weights

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


NOISE: Final = 0.02
"""The largest error in a player's judgement of a play, so that no two games are the same."""
AT_ONCE: Final = 0.3
"""The additional value of winning a Stone at once."""
ROUND: Final = 10.0
"""The additional value of winning the round at once: more than all else together."""


@dataclass(slots=True)
class Table:
    """A position as it is played on. Players are 0 and 1; lists about Stones have nine entries."""

    sides: tuple[list[int], list[int]]
    lacking: tuple[list[int], list[int]]  # how many cards each side lacks
    kinds: list[int]
    owners: list[int]  # 0 and 1, or -1
    first: list[int]  # who completed a side first, or -1
    hands: tuple[list[int], list[int]]
    deck: list[int]  # the next card last
    unseen: int  # the Clan cards that lie face-up nowhere, as bits

    def weights(self) -> tuple[float, ...]:
        """The weight of each Stone."""
        return _weights(tuple(self.owners))

    def decides(self, player: int, stone: int) -> bool:
        """Whether this player wins the round with this Stone."""
        owners = self.owners[:]
        owners[stone] = player
        return _has_won(tuple(owners), player)

    def to_beat(self, player: int, stone: int) -> float:
        """The strength of the other side if it is complete; else -1, which all formations beat."""
        other = 1 - player
        if self.lacking[other][stone]:
            return -1.0
        return complete_worth(self.kinds[stone], self.sides[other][stone])[0]

    def best_strength(self, player: int, stone: int, odds: Odds, without: int = 0) -> float:
        """The strength of the best formation that this side can become; -1 if there is none.

        `without`: a card that it cannot get any more, if it lacks one.
        """
        kind, mask = self.kinds[stone], self.sides[player][stone]
        lacking = self.lacking[player][stone]
        if lacking == 0:
            return complete_worth(kind, mask)[0]
        if lacking == 1:
            unseen = self.unseen & ~without
            return next((entry[0] for entry in completions(kind, mask) if entry[2] & unseen), -1.0)
        return odds.promise(kind, mask, lacking)[0]


@lru_cache(maxsize=1 << 12)
def _weights(owners: tuple[int, ...]) -> tuple[float, ...]:
    return stone_weights(tuple(None if owner < 0 else str(owner) for owner in owners))


def play_on(table: Table, player: int, turns: int, odds: Odds, rng: random.Random) -> int:
    """Play this many turns, `player` first. Return the winner, -1 if nobody has won. Changes
    `table`."""
    winner = settle(table, odds)
    while winner < 0 and turns:
        turns -= 1
        if move := best_play(table, player, odds, rng):
            lay(table, player, *move)
            winner = settle(table, odds)
            if table.deck:
                table.hands[player].append(table.deck.pop())
        player = 1 - player
    return winner


def lay(table: Table, player: int, card: int, stone: int) -> None:
    """Play a card from the hand."""
    table.hands[player].remove(card)
    table.unseen &= ~card
    table.sides[player][stone] |= card
    table.lacking[player][stone] -= 1
    if not table.lacking[player][stone] and table.first[stone] < 0:
        table.first[stone] = player


def settle(table: Table, odds: Odds) -> int:
    """Give each decided Stone to its winner. Return the winner of the round, -1 if nobody has
    won."""
    owners = table.owners
    for stone, first in enumerate(table.first):
        if owners[stone] < 0 <= first:
            owners[stone] = winner = _taker(table, stone, first, odds)
            if winner >= 0 and _has_won(tuple(owners), winner):
                return winner
    return -1


def _taker(table: Table, stone: int, first: int, odds: Odds) -> int:
    """The player who can take this Stone, on which `first` completed a side first; -1 if nobody
    can."""
    strength = complete_worth(table.kinds[stone], table.sides[first][stone])[0]
    other = 1 - first
    if table.best_strength(other, stone, odds) <= strength:
        return first
    return -1 if table.lacking[other][stone] else other


@lru_cache(maxsize=1 << 12)
def _has_won(owners: tuple[int, ...], player: int) -> bool:
    held = [owner == player for owner in owners]
    return sum(held) >= 5 or any(held[low] and held[low + 1] and held[low + 2] for low in range(7))


def best_play(table: Table, player: int, odds: Odds, rng: random.Random) -> tuple[int, int] | None:
    """The card and Stone with which this player gains most; None if nothing can be played."""
    random_, plays = rng.random, rated_plays(table, player, odds)
    if not plays:
        return None
    _, card, stone = max((gain + NOISE * random_(), card, stone) for gain, card, stone in plays)
    return card, stone


def rated_plays(table: Table, player: int, odds: Odds) -> list[tuple[float, int, int]]:
    """Return all plays of this player: the gain, the card, and the Stone.

    A card that one side counts on costs the value that this side loses if it goes elsewhere.
    """
    costs = dict.fromkeys(table.hands[player], 0.0)
    gains: list[tuple[float, int, int]] = []
    weights = table.weights()
    for stone, lacking in enumerate(table.lacking[player]):
        if lacking and table.owners[stone] < 0:
            gained = _gains_of_last if lacking == 1 else _gains
            gains += gained(table, player, stone, weights[stone], odds, costs)
    return [(gain - costs[card], card, stone) for gain, card, stone in gains]


def _gains_of_last(
    table: Table, player: int, stone: int, weight: float, odds: Odds, costs: dict[int, float]
) -> list[tuple[float, int, int]]:
    """The gain of each card as the last of a side. Adds to `costs` the cost of playing elsewhere
    the card that the side counts on."""
    kind, mask, hand = table.kinds[stone], table.sides[player][stone], table.hands[player]
    to_beat = table.to_beat(player, stone)
    now, counted, without = odds.expected(kind, mask, table.unseen, sum(hand), to_beat)
    spared = weight * (now - without)
    if counted:
        costs[counted] += spared
    other = 1 - player
    enough, decides = table.best_strength(other, stone, odds), table.decides(player, stone)
    gains = []
    for card in hand:
        if not mask & card:  # else the other Joker
            strength, value = complete_worth(kind, mask | card)
            if decides:
                enough = table.best_strength(other, stone, odds, card)
            gain = weight * (_value_at_last(strength, value, to_beat, enough) - now)
            if decides and strength > to_beat and (to_beat >= 0 or strength >= enough):
                gain += ROUND
            gains.append((gain + spared if card == counted else gain, card, stone))
    return gains


def _value_at_last(strength: float, value: float, to_beat: float, enough: float) -> float:
    """The value of a side that is complete now: with the strength `enough` it wins its Stone at
    once."""
    if strength <= to_beat:
        return 0.0
    if to_beat >= 0:
        return WON
    return value + AT_ONCE if strength >= enough else value


def _gains(
    table: Table, player: int, stone: int, weight: float, odds: Odds, costs: dict[int, float]
) -> list[tuple[float, int, int]]:
    """The gain of each card on a side that lacks more than one."""
    kind, mask, hand = table.kinds[stone], table.sides[player][stone], table.hands[player]
    to_beat, unseen, held = table.to_beat(player, stone), table.unseen, sum(hand)
    lacking = table.lacking[player][stone]
    now = odds.hope(kind, mask, lacking, to_beat)
    if lacking > 2:
        return [
            (weight * (odds.hope(kind, mask | card, lacking - 1, to_beat) - now), card, stone)
            for card in hand
            if not mask & card
        ]
    return [
        (
            weight * (odds.expected(kind, mask | card, unseen, held ^ card, to_beat)[0] - now),
            card,
            stone,
        )
        for card in hand
        if not mask & card
    ]
