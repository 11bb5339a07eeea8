"""The bot `strategist`: plays each candidate on for a few turns, with hidden cards dealt by guess.

The steward's judgement picks the candidates. Each is tried with the same deals of the cards that
this seat cannot see; after each round of games the better half stays (sequential halving).

Once the deck is empty, and so both hands are known, plays are proved instead (`Endgame`). Every
line of play is followed to its end, with Stones won as soon as that is proved; a side that lacks
two cards or more is thought to reach all that it could at the beginning. The number of positions is
limited, never the time, so that the same position always has the same answer.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine import View
from engine.cards import BIT, CLAN_CARDS
from engine.notation import Banish, Move, Play, parse
from service.bots import steward
from service.bots.playout import (
    BIT_OF,
    Odds,
    Table,
    complete_worth,
    kind_of,
    lay,
    mask_of,
    play_on,
    rated_plays,
    settle,
)
from service.bots.position import Position, StoneSides, position_in

POSITIONS: Final = 6000
"""The most positions that are looked at for one decision."""

_Position = tuple[tuple[int, ...], ...]


class TooLarge(Exception):
    """More positions would have to be looked at than may be."""


class Endgame:
    """Solves positions of one round, all of them together within `POSITIONS`."""

    def __init__(self, odds: Odds) -> None:
        self._odds = odds
        self._left = POSITIONS
        self._solved: dict[_Position, int] = {}

    def result(self, table: Table, player: int) -> int:
        """Return who wins if both play perfectly and `player` is to play.

        1 for `player`, -1 for the other, 0 if nobody can win. `table` is not changed. Raises
        `TooLarge`.
        """
        return self._result(_copy(table), player, False)

    def _result(self, table: Table, player: int, has_other_passed: bool) -> int:
        if (winner := settle(table, self._odds)) >= 0:
            return 1 if winner == player else -1
        key = _key(table, player, has_other_passed)
        if key not in self._solved:
            if not self._left:
                raise TooLarge
            self._left -= 1
            self._solved[key] = self._best(table, player, has_other_passed)
        return self._solved[key]

    def _best(self, table: Table, player: int, has_other_passed: bool) -> int:
        plays = sorted(rated_plays(table, player, self._odds), reverse=True)
        if not plays:
            return 0 if has_other_passed else -self._result(table, 1 - player, True)
        best = -1
        for _, card, stone in plays:
            after = _copy(table)
            lay(after, player, card, stone)
            best = max(best, -self._result(after, 1 - player, False))
            if best == 1:
                break
        return best


def _copy(table: Table) -> Table:
    return Table(
        (table.sides[0][:], table.sides[1][:]),
        (table.lacking[0][:], table.lacking[1][:]),
        table.kinds,
        table.owners[:],
        table.first[:],
        (table.hands[0][:], table.hands[1][:]),
        [],
        table.unseen,
    )


def _key(table: Table, player: int, has_other_passed: bool) -> _Position:
    state = tuple(table.owners), tuple(table.first), (player, has_other_passed)
    return tuple(table.sides[0]), tuple(table.sides[1]), *state


# Fitted to games that the rule of `playout` played with itself.
_PROMISED: Final = 0.35
_SECURED: Final = 0.5
_OWNED: Final = 0.35
"""The weights of the chance to take a Stone, from -1 to 1: while both sides lack cards; while one
side is complete; once the Stone is taken."""
_TO_MOVE: Final = 0.085
_STEEPNESS: Final = 2.75
_AHEAD: Final = 1.55
_CATCH_UP: Final = 2.2
"""A complete side wins with this lead, minus the value that the other side may reach."""
_PATIENCE: Final = 0.9
"""The factor for a card in the hand of a side that lacks another card as well."""


def chance(table: Table, winner: int, player: int, odds: Odds) -> float:
    """The chance that player 0 wins. `winner` is the player who has won, or -1: then it is
    `player`'s turn."""
    if winner >= 0:
        return 1.0 - winner
    total = -_TO_MOVE if player else _TO_MOVE
    for stone, weight in enumerate(table.weights()):
        owner = table.owners[stone]
        total += weight * (
            _OWNED * (1 - 2 * owner) if owner >= 0 else _prospect(table, stone, odds)
        )
    return 1 / (1 + math.exp(-total))


def _prospect(table: Table, stone: int, odds: Odds) -> float:
    mine, theirs = (_side(table, player, stone, odds) for player in (0, 1))
    if not table.lacking[1][stone]:
        return _SECURED * math.tanh(_CATCH_UP * mine - _AHEAD)
    if not table.lacking[0][stone]:
        return _SECURED * math.tanh(_AHEAD - _CATCH_UP * theirs)
    return _PROMISED * math.tanh(_STEEPNESS * (mine - theirs))


def _side(table: Table, player: int, stone: int, odds: Odds) -> float:
    """The expected value of a side: at most 1, or `sides.WON` if the other side is complete."""
    kind, mask, hand = table.kinds[stone], table.sides[player][stone], table.hands[player]
    lacking = table.lacking[player][stone]
    if not lacking:
        return complete_worth(kind, mask)[1]
    to_beat, unseen, held = table.to_beat(player, stone), table.unseen, sum(hand)
    if lacking == 1:
        return odds.expected(kind, mask, unseen, held, to_beat)[0]
    value = odds.hope(kind, mask, lacking, to_beat)
    if lacking == 2:
        for card in hand:
            if not mask & card:
                after = odds.expected(kind, mask | card, unseen, held ^ card, to_beat)[0]
                value = max(value, _PATIENCE * after)
    return value


CANDIDATES: Final = 20
GAMES: Final = 300
"""Games played on for one decision."""
TURNS: Final = 6
"""The turns of each of these games."""
PRIOR: Final = 20.0
"""The number of games that the steward's judgement counts as."""
SLOPE: Final = 0.3
"""The change in the chance of winning for one point of the steward's judgement."""


def choose(view: View, rng: random.Random) -> str:
    """Return the action to take, in action text: always one that `view` lists as legal."""
    rated = steward.rated(view, rng)
    if not isinstance(parse(rated[0][1]), (Play, Move, Banish)):
        return rated[0][1]
    plays = [
        (value, text) for value, text in rated if isinstance(parse(text), (Play, Move, Banish))
    ]
    return _halving(view, plays[:CANDIDATES], rng)


def _halving(view: View, rated: list[tuple[float, str]], rng: random.Random) -> str:
    position = position_in(view)
    after = {text: position.after(parse(text)) for _, text in rated}
    scores = first_scores(rated, PRIOR)
    hidden = Hidden(view, position)

    def play_all(alive: Sequence[str]) -> list[float]:
        deal, seed = hidden.deal(rng), rng.random()
        return [hidden.play_on(hidden.table(after[text], deal), seed) for text in alive]

    return best_of(_unbeaten(hidden, after), scores, GAMES, 1, play_all)[0]


def first_scores(rated: list[tuple[float, str]], games: float) -> dict[str, float]:
    """The scores of plays by the steward's judgement, the best first, which counts as so many
    games."""
    best = rated[0][0]
    return {text: games * (0.5 + SLOPE * (value - best)) for value, text in rated}


def best_of(
    alive: list[str],
    scores: dict[str, float],
    games: int,
    most: int,
    play_all: Callable[[Sequence[str]], list[float]],
) -> list[str]:
    """The best plays, `most` at most, by some `games` in all: sequential halving.

    `play_all` plays one deal after each of these plays, and returns the chances of winning, which
    are added to the `scores`.
    """
    rounds = max(1, (len(alive) - 1).bit_length())
    while len(alive) > most:
        for _ in range(max(1, games // (rounds * len(alive)))):
            for text, result in zip(alive, play_all(alive), strict=True):
                scores[text] += result
        alive.sort(key=scores.__getitem__, reverse=True)
        alive = alive[: max(most, (len(alive) + 1) // 2)]
    return alive


def _unbeaten(hidden: "Hidden", after: Mapping[str, Position]) -> list[str]:
    """Return the plays to choose from: once both hands are known, one that is proved to win, else
    those that are not proved to lose; all plays if all lose, or as long as hands are unknown."""
    if not hidden.is_known:
        return list(after)
    endgame, alive = Endgame(hidden.odds), []
    for text, position in after.items():
        try:
            result = endgame.result(hidden.table(position, hidden.cards), 1)
        except TooLarge:
            result = 0
        if result < 0:
            return [text]
        if result == 0:
            alive.append(text)
    return alive or list(after)


class Hidden:
    """The cards that this seat cannot see: the other hand and the Clan deck.

    `is_known`: the deck is empty, and no Tactic cards are in the game, so all these `cards` are in
    the other hand.
    """

    def __init__(self, view: View, position: Position) -> None:
        seat = view.seat
        assert seat is not None, "a bot plays"
        self.cards = [BIT[card] for card in CLAN_CARDS if position.unseen & BIT[card]]
        self._deck = view.decks["clan"]
        hand = sum(BIT[card] for card in position.hand if card in BIT)
        share = self._deck / 2 / len(self.cards) if self.cards else 0.0
        self.odds = Odds(position.unseen | hand, share)
        self.is_known = not self._deck and not view.tactics

    def deal(self, rng: random.Random) -> list[int]:
        """The unseen Clan cards in an order: the deck, then the other hand."""
        cards = self.cards[:]
        rng.shuffle(cards)
        return cards

    def play_on(self, table: Table, seed: float) -> float:
        """The chance of winning that this table leads to in a few turns, the other player's
        first. Changes `table`."""
        winner = play_on(table, 1, TURNS, self.odds, random.Random(seed))
        return chance(table, winner, 1 - TURNS % 2, self.odds)

    def table(self, position: Position, deal: list[int]) -> Table:
        """The position after this deal, once this seat has drawn."""
        stones = position.stones
        hand = [BIT_OF[card] for card in position.hand if card in BIT_OF]
        deck, theirs = deal[: self._deck], deal[self._deck :]
        if deck:
            hand.append(deck.pop())
        return Table(
            (
                [mask_of(stone.mine) for stone in stones],
                [mask_of(stone.theirs) for stone in stones],
            ),
            (
                [stone.size - len(stone.mine) for stone in stones],
                [stone.size - len(stone.theirs) for stone in stones],
            ),
            [kind_of(stone.modes) for stone in stones],
            [-1 if stone.owner is None else int(stone.owner != "mine") for stone in stones],
            [_first(stone) for stone in stones],
            (hand, theirs),
            deck,
            position.unseen | sum(BIT[card] for card in position.hand if card in BIT),
        )


def _first(stone: StoneSides) -> int:
    if stone.mine_first:
        return 0
    if len(stone.theirs) == stone.size:
        return 1
    return 0 if len(stone.mine) == stone.size else -1
