"""Ratings from a table of results: the model of Bradley and Terry, fitted by Hunter's iteration."""

import math
from collections.abc import Mapping


def fit(points: Mapping[tuple[str, str], float], middle: str) -> dict[str, float]:
    """The Elo ratings that make these results most likely, with `middle` at 1500.

    `points`: of one bot against another. Each bot is given half a draw more against each opponent,
    so that one that lost all its games has a rating as well.
    """
    names = {name for pair in points for name in pair}
    more = {pair: won + 0.25 for pair, won in points.items()}
    strength = dict.fromkeys(names, 1.0)
    for _ in range(2000):
        strength = {name: _stronger(name, more, strength) for name in names}
        whole = math.fsum(map(math.log, strength.values())) / len(names)
        strength = {name: value / math.exp(whole) for name, value in strength.items()}
    elo = {name: 400 * math.log10(value) for name, value in strength.items()}
    return {name: 1500 + rating - elo[middle] for name, rating in elo.items()}


def _stronger(
    name: str, points: Mapping[tuple[str, str], float], strength: Mapping[str, float]
) -> float:
    """The strength that this bot's results ask for, were the others' right."""
    won = math.fsum(won for (winner, _), won in points.items() if winner == name)
    played = math.fsum(
        (points[name, other] + points[other, name]) / (strength[name] + strength[other])
        for winner, other in points
        if winner == name
    )
    return won / played
