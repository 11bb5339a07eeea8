"""The bot `strategist`: plays its best cards out to the end, with hidden cards dealt by guess.

The steward's judgement picks the candidates. Each is tried with the same deals of the cards that
this seat cannot see; after each round of games the better half stays (sequential halving).
"""

import random
from typing import Final

from engine import OTHER, View
from engine.cards import BIT, CLAN_CARDS
from engine.notation import Banish, Move, Play, parse
from service.bots import steward
from service.bots.playout import BIT_OF, Promises, Table, kind_of, mask_of, play_out
from service.bots.position import Position, StoneSides, position_in

CANDIDATES: Final = 8
GAMES: Final = 200
"""Games played out for one decision."""
PRIOR: Final = 100.0
"""The steward's judgement counts as much as this many games played out."""
SLOPE: Final = 0.3
"""The chance of winning that a point of the steward's judgement is worth."""


def choose(view: View, rng: random.Random) -> str:
    """The action to take, in action text: always one that `view` lists as legal."""
    rated = steward.rated(view, rng)
    if not isinstance(parse(rated[0][1]), (Play, Move, Banish)):
        return rated[0][1]
    plays = [
        (value, text) for value, text in rated if isinstance(parse(text), (Play, Move, Banish))
    ]
    return _halving(view, plays[:CANDIDATES], rng)


def _halving(view: View, rated: list[tuple[float, str]], rng: random.Random) -> str:
    position = position_in(view)
    tables = {text: position.after(parse(text)) for _, text in rated}
    best = rated[0][0]
    scores = {text: PRIOR * (0.5 + SLOPE * (value - best)) for value, text in rated}
    rounds = max(1, (len(rated) - 1).bit_length())
    alive = list(scores)
    far: Promises = {}
    hidden = Hidden(view, position)
    while len(alive) > 1:
        for _ in range(max(1, GAMES // (rounds * len(alive)))):
            deal, seed = hidden.deal(rng), rng.random()
            for text in alive:
                table, unseen = hidden.table(tables[text], deal)
                scores[text] += play_out(table, 1, unseen, random.Random(seed), far)
        alive.sort(key=scores.__getitem__, reverse=True)
        alive = alive[: (len(alive) + 1) // 2]
    return alive[0]


class Hidden:
    """The cards that this seat cannot see: the other hand and the Clan deck."""

    def __init__(self, view: View, position: Position) -> None:
        seat = view.seat
        assert seat is not None, "a bot plays"
        self._unseen = [card for card in CLAN_CARDS if position.unseen & BIT[card]]
        self._theirs = view.hands[OTHER[seat]].clan
        self._deck = view.decks["clan"]

    def deal(self, rng: random.Random) -> list[int]:
        """The unseen Clan cards in an order: the deck, then the other hand."""
        cards = [BIT[card] for card in self._unseen]
        rng.shuffle(cards)
        return cards

    def table(self, position: Position, deal: list[int]) -> tuple[Table, int]:
        """The position after this deal, and the Clan cards that lie face-up nowhere."""
        stones = position.stones
        hand = [BIT_OF[card] for card in position.hand if card in BIT_OF]
        deck, theirs = deal[: self._deck], deal[self._deck :]
        if deck:
            hand.append(deck.pop())
        sides = (
            [mask_of(stone.mine) for stone in stones],
            [mask_of(stone.theirs) for stone in stones],
        )
        table = Table(
            sides,
            ([len(stone.mine) for stone in stones], [len(stone.theirs) for stone in stones]),
            [kind_of(stone.modes) for stone in stones],
            [-1 if stone.owner is None else int(stone.owner != "mine") for stone in stones],
            [_first(stone) for stone in stones],
            (hand, theirs),
            deck,
        )
        return table, position.unseen | sum(BIT[card] for card in position.hand if card in BIT)


def _first(stone: StoneSides) -> int:
    if stone.mine_first:
        return 0
    if len(stone.theirs) == stone.size:
        return 1
    return 0 if len(stone.mine) == stone.size else -1
