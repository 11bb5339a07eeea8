"""How well the bots play against each other. Each deal is played twice, with seats swapped.

    python -m bench.bots [BOT BOT] [--kind base|tactics] [--deals N] [--seed N]

Prints a line for each pair, with the 95 % interval after Wilson, and how long the first bot thinks;
without BOTs a line for each two neighbours of the ladder, and the ratings that follow.
"""

import argparse
import math
import random
import time
from collections.abc import Callable, Mapping
from itertools import pairwise

from engine import Game, Seat, TakeTurn, View, advance, view
from service.bots import BOTS
from tests.engine.games import Kind, begin

Choose = Callable[[View, random.Random], str]

KINDS = {"base": Kind("iello"), "tactics": Kind("iello", tactics=True)}


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


def interval(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of games, after Wilson."""
    z = 1.96
    middle = (share + z * z / 2 / games) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + (z / 2 / games) ** 2) / (1 + z * z / games)
    return middle - half, middle + half


def in_percent(share: float, games: int) -> str:
    """The share and its interval, as two columns of 7 and 10 characters."""
    low, high = interval(share, games)
    return f"{100 * share:>7.1f}{f'{100 * low:.0f} to {100 * high:.0f}':>10}"


def elo(share: float) -> float:
    """The difference in rating at which this share is won."""
    share = min(0.99, max(0.01, share))
    return 400 * math.log10(share / (1 - share))


def _row(name: str, other: str, kind: str, deals: range) -> float:
    times: list[float] = []

    def timed(seen: View, rng: random.Random) -> str:
        start = time.process_time()
        action = BOTS[name].choose(seen, rng)
        times.append(time.process_time() - start)
        return action

    share = won(KINDS[kind], timed, BOTS[other].choose, deals)
    times.sort()
    print(
        f"{name:12}{other:12}{kind:10}{2 * len(deals):>6}{in_percent(share, 2 * len(deals))}"
        f"{1000 * sum(times) / len(times):>9.1f}{1000 * times[int(0.99 * len(times))]:>9.1f}",
        flush=True,
    )
    return share


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("bots", nargs="*", metavar="BOT")
    arguments.add_argument("--kind", choices=KINDS)
    arguments.add_argument("--deals", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=1, help="the first deal's seed")
    given = arguments.parse_args()
    deals = range(given.seed, given.seed + given.deals)
    print(f"{'bot':12}{'against':12}{'kind':10}{'games':>6}{'won %':>7}{'95 %':>10}", end="")
    print(f"{'ms, mean':>9}{'ms, p99':>9}")
    if given.bots:
        for kind in [given.kind] if given.kind else KINDS:
            _row(given.bots[0], given.bots[1], kind, deals)
        return
    rating = 0.0
    ratings = {next(iter(BOTS)): rating}
    for weaker, name in pairwise(BOTS):
        for kind in KINDS:
            share = _row(name, weaker, kind, deals)
            rating += elo(share) / len(KINDS)
        ratings[name] = rating
    for name, rating in ratings.items():
        print(f"{name:12}{1500 + rating - ratings['steward']:8.0f}")


if __name__ == "__main__":
    main()
