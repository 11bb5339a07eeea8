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
from collections.abc import Callable, Mapping
from itertools import product
from statistics import fmean, stdev
from typing import Final

from service.games.rating.glicko2 import GameScore, Rating, updated
from service.games.rating.rule import PERIOD, SMALLEST_DEVIATION

PLAYERS: Final = 100
GAMES: Final = 120
"""The games that each player plays."""
CORRELATIONS: Final = (1.0, 0.95, 0.9, 0.8, 0.6, 0.3, 0.0)
AFTER: Final = (0, 5, 10, 20, 40, 80)
"""The numbers of games from which on games are counted together."""
DAYS_PER_GAME: Final = 5
_SCALE: Final = 400 / math.log(10)

Who = tuple[int, bool]
Ratings = dict[Who, Rating]
Start = Callable[[Ratings, Who], Rating]


def at_other_kind(ratings: Ratings, who: Who) -> Rating:
    """A beginner's rating in a kind: that in the other kind, less certain by 100 points."""
    other = ratings.get((who[0], not who[1]), Rating())
    return other._replace(deviation=min(350.0, math.hypot(other.deviation, 100)))


WAYS: Final[Mapping[str, tuple[bool, Start]]] = {
    "one": (False, lambda ratings, who: Rating()),
    "two": (True, lambda ratings, who: Rating()),
    "linked": (True, at_other_kind),
}
"""By name: whether the kinds have ratings of their own, and what a player begins with."""


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
    strengths: dict[Who, float] = {}
    for player in range(PLAYERS):
        base, other = chance.gauss(), chance.gauss()
        tactics = correlation * base + math.sqrt(1 - correlation**2) * other
        strengths |= {(player, False): spread * base, (player, True): spread * tactics}
    ratings: dict[str, Ratings] = {way: {} for way in WAYS}
    played = [0] * PLAYERS
    losses: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for _ in range(PLAYERS * GAMES // 2):
        first, second = chance.sample(range(PLAYERS), 2)
        tactics = chance.random() < share
        edge = strengths[first, tactics] - strengths[second, tactics]
        true = 1 / (1 + math.exp(-edge / _SCALE))
        score = float(chance.random() < true)
        least = max(count for count in AFTER if count <= min(played[first], played[second]))
        for way, (apart, start) in WAYS.items():
            forms = ratings[way]
            pair = [(player, tactics and apart) for player in (first, second)]
            one, two = (forms.get(who) or start(forms, who) for who in pair)
            losses[way, least].append(1000 * loss(true, foretold(one, two)))
            forms[pair[0]] = _after(one, two, score)
            forms[pair[1]] = _after(two, one, 1 - score)
        played[first] += 1
        played[second] += 1
    return {key: fmean(each) for key, each in losses.items()}


def _after(rating: Rating, opponent: Rating, score: float) -> Rating:
    after = updated(rating, [GameScore(opponent, score)], DAYS_PER_GAME * 86_400 / PERIOD)
    return after._replace(deviation=max(after.deviation, SMALLEST_DEVIATION))


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seasons", type=int, default=8)
    arguments.add_argument("--share", type=float, default=0.5, help="of games with Tactic cards")
    arguments.add_argument("--spread", type=float, default=200, help="of strengths, one deviation")
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
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
