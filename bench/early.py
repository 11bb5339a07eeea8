"""What it is worth to give up the games that begin badly, were such games not to count.

    python -m bench.early [--games N] [--seed N]

The steward plays itself, and judges the position of the second player at each of its first turns.
Prints, were games to count from a number of turns on, the share of games that this player wins of
those that remain if the worst tenth, quarter or half is given up in time; ± two errors.
"""

import argparse
import random
from statistics import fmean
from typing import Final

from bench.bots import KINDS
from engine import OTHER, TakeTurn, advance, view
from service.bots import BOTS
from service.bots.position import position_in
from service.bots.steward import evaluate
from tests.engine.games import Kind, begin

TURNS: Final = (1, 2, 3, 5)
GIVEN_UP: Final = (0.0, 0.1, 0.25, 0.5)


def judged(kind: Kind, seed: int) -> tuple[list[float], float]:
    """The second player's judgements at the beginning of their first turns, and their score."""
    rng, choose, judgements = random.Random(seed), BOTS["steward"].choose, list[float]()
    game, _ = begin(kind, rng)
    assert game.turn is not None, "a new game has a first player"
    second, before = OTHER[game.turn], game.turn
    while game.turn is not None:
        seen = view(game, game.turn)
        if game.turn == second != before and len(judgements) < max(TURNS):
            judgements.append(evaluate(position_in(seen)))
        before = game.turn
        game, _ = advance(game, TakeTurn(game.turn, [choose(seen, rng)]))
    return judgements, 0.5 if game.winner is None else float(game.winner == second)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    print(f"{'kind':15}{'turns':>6}" + "".join(f"{f'{share:.0%}':>12}" for share in GIVEN_UP))
    for name, kind in KINDS.items():
        games = [judged(kind, given.seed + number) for number in range(given.games)]
        for turns in TURNS:
            ordered = sorted(games, key=lambda game: game[0][turns - 1])
            kept = [ordered[round(share * len(games)) :] for share in GIVEN_UP]
            shares = [(100 * fmean(score for _, score in each), len(each)) for each in kept]
            row = (f"{share:5.1f} ±{100 / count**0.5:4.1f}" for share, count in shares)
            print(f"{name:15}{turns:6}" + "".join(f"{each:>12}" for each in row), flush=True)


if __name__ == "__main__":
    main()
