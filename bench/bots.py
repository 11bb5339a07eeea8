"""How well the bots play against each other. Each deal is played twice, with seats swapped.

    python -m bench.bots [BOT BOT] [--kind KIND] [--deals N] [--slow N] [--seed N]

Prints a line for each pair, with the 95 % interval after Wilson, and how long the first bot thinks.
Without BOTs a line for each two of the ladder with at most one between them, and in each kind of
game the ratings that fit best, the steward at 1500; ± two errors, by drawing the deals again.
"""

import argparse
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from statistics import fmean, stdev

from bench.others.ratings import fit
from engine import Game, Seat, TakeTurn, View, advance, view
from service.bots import BOTS
from tests.engine.games import Kind, begin

Choose = Callable[[View, random.Random], str]

KINDS = {
    "base": Kind("iello"),
    "expert": Kind("iello", expert=True),
    "tactics": Kind("iello", tactics=True),
    "tactics-expert": Kind("iello", tactics=True, expert=True),
}
_AGAIN = 100
"""How often the deals are drawn again for the errors of ratings."""


def play(kind: Kind, seed: int, players: Mapping[Seat, Choose]) -> Game:
    """A whole game, the same for the same seed."""
    rng = random.Random(seed)
    game, _ = begin(kind, rng)
    while game.turn is not None:
        action = players[game.turn](view(game, game.turn), rng)
        game, _ = advance(game, TakeTurn(game.turn, [action]))
    return game


def scores(kind: Kind, choose: Choose, against: Choose, deals: range) -> list[float]:
    """The points of `choose` in each deal, which is played twice; a draw is half a win."""
    points = [0.0] * len(deals)
    for place, seed in enumerate(deals):
        for seat, other in (("north", "south"), ("south", "north")):
            winner = play(kind, seed, {seat: choose, other: against}).winner
            points[place] += 0.5 if winner is None else winner == seat
    return points


def won(kind: Kind, choose: Choose, against: Choose, deals: range) -> float:
    """The share of games that `choose` wins."""
    return fmean(scores(kind, choose, against, deals)) / 2


def rated(results: Mapping[tuple[str, str], Sequence[float]]) -> dict[str, float]:
    """The ratings that fit the points by deal of each first against each second bot best."""
    points = dict[tuple[str, str], float]()
    for (name, other), each in results.items():
        points[name, other] = sum(each)
        points[other, name] = 2 * len(each) - sum(each)
    return fit(points, "steward")


def errors(results: Mapping[tuple[str, str], Sequence[float]]) -> dict[str, float]:
    """Two errors of these ratings."""
    chance = random.Random(1)
    again = [
        rated({pair: chance.choices(each, k=len(each)) for pair, each in results.items()})
        for _ in range(_AGAIN)
    ]
    return {name: 2 * stdev(each[name] for each in again) for name in again[0]}


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


def _row(name: str, other: str, kind: str, deals: range) -> list[float]:
    times: list[float] = []

    def timed(seen: View, rng: random.Random) -> str:
        start = time.process_time()
        action = BOTS[name].choose(seen, rng)
        times.append(time.process_time() - start)
        return action

    points = scores(KINDS[kind], timed, BOTS[other].choose, deals)
    share = fmean(points) / 2
    times.sort()
    print(
        f"{name:12}{other:12}{kind:10}{2 * len(deals):>6}{in_percent(share, 2 * len(deals))}"
        f"{1000 * sum(times) / len(times):>9.1f}{1000 * times[int(0.99 * len(times))]:>9.1f}",
        flush=True,
    )
    return points


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("bots", nargs="*", metavar="BOT")
    arguments.add_argument("--kind", choices=KINDS)
    arguments.add_argument("--deals", type=int, default=50)
    arguments.add_argument("--slow", type=int, default=10, help="as --deals, of the strategist")
    arguments.add_argument("--seed", type=int, default=1, help="the first deal's seed")
    given = arguments.parse_args()
    deals = range(given.seed, given.seed + given.deals)
    print(f"{'bot':12}{'against':12}{'kind':10}{'games':>6}{'won %':>7}{'95 %':>10}", end="")
    print(f"{'ms, mean':>9}{'ms, p99':>9}")
    kinds = [given.kind] if given.kind else KINDS
    if given.bots:
        for kind in kinds:
            _row(given.bots[0], given.bots[1], kind, deals)
        return
    for kind in kinds:
        results = {
            (name, weaker): _row(name, weaker, kind, deals[: given.slow] if slow else deals)
            for (at, weaker), (above, name) in combinations(enumerate(BOTS), 2)
            if above - at <= 2
            for slow in [BOTS[name].is_slow]
        }
        uncertain = errors(results)
        for name, rating in rated(results).items():
            print(f"{kind:15}{name:12}{rating:8.0f} ± {uncertain[name]:.0f}")


if __name__ == "__main__":
    main()
