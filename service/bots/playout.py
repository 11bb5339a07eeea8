"""Games played out fast, from a position whose hidden cards have been dealt by guess.

Cards are numbers and sides are sets of bits. Each player plays where the side gains most, wins a
Stone once both its sides are complete or the other side cannot catch up, and draws Clan cards.
Elite Troops are played like Clan cards; Combat Modes and Ruses stay in the hands.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.cards import BIT, BLIND_MANS_BLUFF, CLAN_CARDS, ELITE_TROOPS, MUD_FIGHT
from engine.formations import formation, strongest
from service.bots.evaluation import formation_value, stone_weights

PLAYABLE: Final = CLAN_CARDS + ELITE_TROOPS
BIT_OF: Final = {card: 1 << number for number, card in enumerate(PLAYABLE)}
"""Each card's bit: a Clan card has its own of `engine.cards`."""
_CLAN: Final = (1 << len(CLAN_CARDS)) - 1
_MODES: Final = ((), (BLIND_MANS_BLUFF,), (MUD_FIGHT,), (BLIND_MANS_BLUFF, MUD_FIGHT))

WON: Final = 1.2
"""The value of a side that wins its Stone: more than any promise."""
NOISE: Final = 0.05
"""How far a player's judgement of a play may err, so that no two games are the same."""

Worth = tuple[float, float]
"""The strength of a formation, to compare, and its value (`evaluation.formation_value`)."""

Promises = dict[tuple[int, int], Worth]
"""The promises of sides that lack two cards or more, by kind and cards: filled as they are needed,
and good for one decision."""

_NO_WORTH: Final = (-1.0, 0.0)


@dataclass(slots=True)
class Table:
    """A position as it is played out. Players are 0 and 1; of Stones, lists have nine entries."""

    sides: tuple[list[int], list[int]]
    counts: tuple[list[int], list[int]]
    kinds: list[int]
    owners: list[int]  # 0 and 1, or -1
    first: list[int]  # who completed a side first, or -1
    hands: tuple[list[int], list[int]]
    deck: list[int]  # the next card last

    def copy(self) -> "Table":
        """A copy that can be played out by itself."""
        sides, counts, hands = self.sides, self.counts, self.hands
        return Table(
            (sides[0][:], sides[1][:]),
            (counts[0][:], counts[1][:]),
            self.kinds,
            self.owners[:],
            self.first[:],
            (hands[0][:], hands[1][:]),
            self.deck[:],
        )


def kind_of(modes: Iterable[str]) -> int:
    """The number of a Stone's Combat Modes: 1 for Blind-Man's Bluff, and 2 for Mud Fight."""
    return (BLIND_MANS_BLUFF in modes) + 2 * (MUD_FIGHT in modes)


def size_of(kind: int) -> int:
    """The number of cards that complete a side."""
    return 4 if kind & 2 else 3


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
    return 100.0 * rank + total, formation_value(rank, total, size_of(kind), bool(kind & 1))


@lru_cache(maxsize=1 << 15)
def completions(kind: int, mask: int) -> tuple[tuple[float, float, int], ...]:
    """What one more Clan card makes of a side that lacks one, the strongest first: strength, value,
    and the cards that make it, as bits."""
    found: dict[Worth, int] = {}
    for bit in BIT.values():
        if not mask & bit:
            worth = complete_worth(kind, mask | bit)
            found[worth] = found.get(worth, 0) | bit
    return tuple((*worth, cards) for worth, cards in sorted(found.items(), reverse=True))


@lru_cache(maxsize=1 << 15)
def promise(kind: int, mask: int, unseen: int, missing: float) -> Worth:
    """The strongest formation that a side may become with two or more of the `unseen` cards, and
    the value to expect of it."""
    cards = _cards_of(mask)
    lacking = size_of(kind) - len(cards)
    best = strongest(cards, size_of(kind), unseen & ~mask, bool(kind & 1))
    if best is None:
        return _NO_WORTH
    strength = _worth(kind, best.rank, best.total)[0]
    nexts = [
        expected(kind, mask | bit, unseen & ~bit, 0, missing, -1.0)
        if lacking == 2
        else promise(kind, mask | bit, unseen & ~bit, missing)[1]
        for bit in BIT.values()
        if bit & unseen & ~mask
    ]
    chance, total = 1.0, 0.0
    for value in sorted(nexts, reverse=True):
        total += chance * (1 - missing) * value
        chance *= missing
    return strength, total


def expected(kind: int, mask: int, unseen: int, held: int, missing: float, to_beat: float) -> float:
    """The value to expect of a side that lacks one card, if it takes the best that comes.

    `held` are the cards in the hand, as bits; any other one stays away with the chance `missing`.
    """
    chance, total = 1.0, 0.0
    for strength, value, cards in completions(kind, mask):
        live = cards & unseen
        if not live:
            continue
        if strength <= to_beat:
            break
        if to_beat >= 0:
            value = WON
        if live & held:
            return total + chance * value
        miss = missing ** live.bit_count()
        total += chance * (1 - miss) * value
        chance *= miss
        if chance < 0.05:
            break
    return total


def play_out(
    table: Table,
    player: int,
    unseen: int,
    rng: random.Random,
    far: Promises,
) -> float:
    """Play to the end, `player` first; returns 1 if player 0 wins, 0 if not, a half for a draw.

    `unseen` are the Clan cards that lie face-up nowhere, as bits. Changes `table`.
    """
    random_, idle = rng.random, 0
    winner = _settle(table, unseen)
    while winner < 0 and idle < 2:
        move = best_play(table, player, unseen, far, random_)
        if move is None:
            idle += 1
        else:
            idle = 0
            card, stone = move
            table.hands[player].remove(card)
            unseen &= ~card
            _lay(table, player, card, stone)
            winner = _settle(table, unseen)
            if table.deck:
                table.hands[player].append(table.deck.pop())
        player = 1 - player
    if winner < 0:
        mine, theirs = table.owners.count(0), table.owners.count(1)
        return 0.5 + 0.05 * (mine - theirs)
    mine, theirs = table.owners.count(0), table.owners.count(1)
    return 0.8 * (1.0 - winner) + 0.02 * (5 + mine - theirs)


def _lay(table: Table, player: int, card: int, stone: int) -> None:
    table.sides[player][stone] |= card
    table.counts[player][stone] += 1
    if table.counts[player][stone] == size_of(table.kinds[stone]) and table.first[stone] < 0:
        table.first[stone] = player


def _settle(table: Table, unseen: int) -> int:
    """Give each Stone that is decided to its winner; returns the winner of the round, or -1."""
    owners = table.owners
    for stone in range(9):
        first = table.first[stone]
        if owners[stone] < 0 <= first:
            kind = table.kinds[stone]
            strength = complete_worth(kind, table.sides[first][stone])[0]
            other, size = 1 - first, size_of(kind)
            if _best_strength(table, other, stone, kind, size, unseen) <= strength:
                owners[stone] = first
            elif table.counts[other][stone] == size:
                owners[stone] = other
            else:
                continue
            winner = owners[stone]
            held = [place == winner for place in owners]
            if sum(held) >= 5 or any(
                held[low] and held[low + 1] and held[low + 2] for low in range(7)
            ):
                return winner
    return -1


def _best_strength(
    table: Table, player: int, stone: int, kind: int, size: int, unseen: int
) -> float:
    mask, lacking = table.sides[player][stone], size - table.counts[player][stone]
    if lacking == 0:
        return complete_worth(kind, mask)[0]
    if lacking == 1:
        return next((entry[0] for entry in completions(kind, mask) if entry[2] & unseen), -1.0)
    best = strongest(_cards_of(mask), size, unseen & ~mask, bool(kind & 1))
    return -1.0 if best is None else 100.0 * best.rank + best.total


def best_play(
    table: Table,
    player: int,
    unseen: int,
    far: Promises,
    random_: Callable[[], float],
) -> tuple[int, int] | None:
    """The card and Stone where this player's side gains most; None if nothing can be played."""
    hand, other = table.hands[player], 1 - player
    held = 0
    for card in hand:
        held |= card
    away = (unseen & ~held).bit_count()
    missing = round(1 - len(table.deck) / 2 / away, 1) if away else 1.0
    weights = stone_weights(tuple(None if owner < 0 else str(owner) for owner in table.owners))
    best, best_gain = None, -9.0
    for stone in range(9):
        if table.owners[stone] >= 0:
            continue
        kind, count = table.kinds[stone], table.counts[player][stone]
        size = 4 if kind & 2 else 3
        if count == size:
            continue
        mask, weight = table.sides[player][stone], weights[stone]
        to_beat = -1.0
        if table.counts[other][stone] == size:
            to_beat = complete_worth(kind, table.sides[other][stone])[0]
        lacking = size - count
        now = _side(kind, mask, lacking, unseen, far, held, missing, to_beat)
        for card in hand:
            if mask & card:  # the other Joker
                continue
            after = _side(
                kind, mask | card, lacking - 1, unseen & ~card, far, held & ~card, missing, to_beat
            )
            gain = weight * (after - now) + NOISE * random_()
            if gain > best_gain:
                best, best_gain = (card, stone), gain
    return best


def _side(
    kind: int,
    mask: int,
    lacking: int,
    unseen: int,
    far: Promises,
    held: int,
    missing: float,
    to_beat: float,
) -> float:
    """The value of a side: 0 if it cannot beat the strength `to_beat`."""
    if lacking == 0:
        strength, value = complete_worth(kind, mask)
        if strength <= to_beat:
            return 0.0
        return value if to_beat < 0 else WON
    if lacking == 1:
        return expected(kind, mask, unseen, held, missing, to_beat)
    # Cards that turned up since the search began hardly change what two more cards may make.
    worth = far.get((kind, mask))
    if worth is None:
        worth = far[kind, mask] = promise(kind, mask, unseen, missing)
    return worth[1] if worth[0] > to_beat else 0.0
