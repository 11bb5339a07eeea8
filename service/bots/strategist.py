"""The bot `strategist`: plays each candidate on for a few turns, with hidden cards dealt by guess.

The steward's judgement picks the candidates. Each is tried with the same deals of the cards that
this seat cannot see; after each round of games the better half stays (sequential halving). Once
the deck is empty, plays are proved instead (`endgame`).
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine import View
from engine.cards import BIT, CLAN_CARDS
from engine.notation import Banish, Move, Play, parse
from service.bots import steward
from service.bots.endgame import Endgame, TooLarge
from service.bots.outlook import chance
from service.bots.playout import Table, play_on
from service.bots.position import Position, StoneSides, position_in
from service.bots.sides import BIT_OF, Odds, kind_of, mask_of

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
