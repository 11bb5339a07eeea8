"""One rating for both kinds of game, or one for each? Seasons of made-up players answer it.

    python -m bench.seasons [--seasons N] [--share S] [--spread POINTS] [--seed N]

The two strengths of each player, without and with Tactic cards, are normal around 1500 and
correlate. Games are rated as here (`service.games.rating`) and foretold before they are played.
Prints the mean log loss of each way to rate, in thousandths, beyond that of who knows the
strengths: less is better. Games are counted by how many the one of the two who has played fewer
had played. `gain` is what `two` loses less than `one`, ± two errors from what the seasons show.
"""

import argparse
import math
import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from statistics import fmean, stdev
from typing import Final

from service.games.rating import LARGEST_DEVIATION, PERIOD, Form, Rating, Result, field_of, fold

PLAYERS: Final = 100
GAMES: Final = 120
"""The games that each player plays, one in each rating period."""
CORRELATIONS: Final = (1.0, 0.95, 0.9, 0.8, 0.6, 0.3, 0.0)
AFTER: Final = (0, 5, 10, 20, 40, 80)
"""The numbers of games from which on games are counted together."""
WAYS: Final = ("one", "two", "linked")
"""One rating for both kinds; two; two, of which the second begins where the first stands, less
certain by 100 points."""
_SCALE: Final = 400 / math.log(10)


def foretold(first: Rating, second: Rating) -> float:
    """The chance of the first player, as Glicko-2 sees it."""
    spread = math.hypot(first.deviation, second.deviation) / _SCALE
    g = 1 / math.sqrt(1 + 3 * (spread / math.pi) ** 2)
    return 1 / (1 + math.exp(-g * (first.points - second.points) / _SCALE))


def loss(true: float, said: float) -> float:
    """The expected log loss of a forecast, beyond that of the truth."""
    return true * math.log(true / said) + (1 - true) * math.log((1 - true) / (1 - said))


def season(
    chance: random.Random, correlation: float, share: float, spread: float
) -> dict[tuple[str, int], float]:
    """The mean loss of each way by number of games, in thousandths."""
    strengths: dict[str, float] = {}
    names = [f"{number:016}" for number in range(PLAYERS)]
    for name in names:
        base, other = chance.gauss(), chance.gauss()
        strengths[name] = spread * base
        mixed = correlation * base + math.sqrt(1 - correlation**2) * other
        strengths[field_of(name, True)] = spread * mixed
    forms: dict[str, dict[str, Form]] = {way: {} for way in WAYS}
    played = dict.fromkeys(names, 0)
    losses: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for number in range(PLAYERS * GAMES // 2):
        ended = 1 + number * 2 * PERIOD // PLAYERS
        first, second = chance.sample(names, 2)
        tactics = chance.random() < share
        edge = strengths[field_of(first, tactics)] - strengths[field_of(second, tactics)]
        true = 1 / (1 + math.exp(-edge / _SCALE))
        score = float(chance.random() < true)
        least = max(count for count in AFTER if count <= min(played[first], played[second]))
        for way in WAYS:
            kind = tactics and way != "one"
            result = Result(ended, "", first, second, score, 0.0, True, kind)
            if way == "linked":
                forms[way] |= dict(_linked(forms[way], result))
            one, two = (forms[way].get(field, Form()).current(ended) for field in result.fields)
            losses[way, least].append(1000 * loss(true, foretold(one, two)))
            list(fold(forms[way], [result]))
        played[first] += 1
        played[second] += 1
    return {key: fmean(each) for key, each in losses.items()}


def _linked(forms: dict[str, Form], result: Result) -> Iterator[tuple[str, Form]]:
    for player, field in zip((result.first, result.second), result.fields, strict=True):
        other = forms.get(field_of(player, not result.tactics))
        if field not in forms and other is not None:
            points, deviation, volatility = other.current(result.ended)
            less_certain = min(LARGEST_DEVIATION, math.hypot(deviation, 100))
            yield field, Form(Rating(points, less_certain, volatility))


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seasons", type=int, default=8)
    arguments.add_argument("--share", type=float, default=0.5, help="of games with Tactic cards")
    arguments.add_argument("--spread", type=float, default=200, help="of strengths, one deviation")
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    if given.seasons < 2:
        arguments.error("an error takes two seasons or more")
    print(f"{'alike':>6} {'way':8}" + "".join(f"{f'from {n}':>12}" for n in AFTER))
    for correlation in CORRELATIONS:
        seasons = [
            season(random.Random(given.seed + n), correlation, given.share, given.spread)
            for n in range(given.seasons)
        ]
        means = {key: [each[key] for each in seasons] for key in product(WAYS, AFTER)}
        for way in WAYS:
            row = (f"{fmean(means[way, n]):12.1f}" for n in AFTER)
            print(f"{correlation:6} {way:8}" + "".join(row))
        gains = (
            [one - two for one, two in zip(means["one", n], means["two", n], strict=True)]
            for n in AFTER
        )
        row = (f"{fmean(g):+7.1f} ±{2 * stdev(g) / len(g) ** 0.5:3.1f}" for g in gains)
        print(f"{'':6} {'gain':8}" + "".join(f"{each:>12}" for each in row), flush=True)


if __name__ == "__main__":
    main()
