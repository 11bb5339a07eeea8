"""How well the bots play against a ten-line rule. Each deal is played twice, with seats swapped.

    python -m bench.bots [--deals N] [--seed N]

The rule: claim what stands, then play where the best formation still possible is strongest. A bot
worth playing against wins at least 60 of 100 games against it.
"""

import argparse
import math
import random
from collections.abc import Callable, Mapping

from engine import Game, Seat, TakeTurn, View, advance, view
from engine.cards import ALL_CLAN, BIT, bits
from engine.formations import strongest
from engine.notation import Claim, Play, parse
from service.bots import BOTS
from tests.engine.games import Kind, begin

Choose = Callable[[View, random.Random], str]

KINDS = {"base": Kind("iello"), "tactics": Kind("iello", tactics=True)}


def rule(seen: View, rng: random.Random) -> str:
    """Play where the best formation still possible is strongest."""
    actions = [(text, parse(text)) for text in seen.legal]
    if claims := [text for text, action in actions if isinstance(action, Claim)]:
        return claims[0]
    seat = seen.seat
    assert seat is not None, "a bot plays"
    shown = [card for stone in seen.stones for card in (*stone.north, *stone.south)]
    free = ALL_CLAN & ~bits([*shown, *seen.discard])

    def promise(action: object) -> tuple[int, int]:
        if not (isinstance(action, Play) and action.card in BIT):
            return (-1, 0)
        stone = seen.stones[action.stone - 1]
        size, bluff = 3 + ("MUD" in stone.modes), "BMB" in stone.modes
        best = strongest((*stone.side(seat), action.card), size, free & ~BIT[action.card], bluff)
        return (-1, 0) if best is None else (best.rank, best.total)

    return max((promise(action), rng.random(), text) for text, action in actions)[2]


def play(kind: Kind, seed: int, players: Mapping[Seat, Choose]) -> Game:
    """A whole game, the same for the same seed."""
    rng = random.Random(seed)
    game, _ = begin(kind, rng)
    while game.turn is not None:
        action = players[game.turn](view(game, game.turn), rng)
        game, _ = advance(game, TakeTurn(game.turn, [action]))
    return game


def won(kind: Kind, choose: Choose, against: Choose, deals: range) -> float:
    """The share of games that `choose` wins; a draw is half a win. Each deal is played twice."""
    points = 0.0
    for seed in deals:
        for seat, other in (("north", "south"), ("south", "north")):
            winner = play(kind, seed, {seat: choose, other: against}).winner
            points += 0.5 if winner is None else winner == seat
    return points / (2 * len(deals))


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--deals", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=1, help="the first deal's seed")
    given = arguments.parse_args()
    deals = range(given.seed, given.seed + given.deals)
    print(f"{'won against the rule, of 100':34}{'':>8}{'95 %':>9}   deals from seed {given.seed}")
    for name, bot in BOTS.items():
        for kind_name, kind in KINDS.items():
            share = won(kind, bot.choose, rule, deals)
            margin = 1.96 * math.sqrt(share * (1 - share) / (2 * len(deals)))
            print(
                f"{name + ', ' + kind_name:34}{100 * share:>8.1f}{'±' + f'{100 * margin:.1f}':>9}"
            )


if __name__ == "__main__":
    main()
