"""Glicko-2, after Mark Glickman's "Example of the Glicko-2 system" (2022).

The steps and letters are those of the paper. Two things are added to it: a number of rating periods
that need not be 1, so that a game can be rated when it ends, and the advantage of a seat.
"""

from collections.abc import Callable, Sequence
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

TAU: Final = 0.5
"""The system constant of the paper: it limits how much the volatility changes."""
LARGEST_DEVIATION: Final = 350.0
"""The deviation of a player about whom nothing is certain."""
_BASE: Final = 1500.0
_SCALE: Final = 173.7178
_CLOSE_ENOUGH: Final = 1e-6


class Rating(NamedTuple):
    """A strength in points, its standard deviation, and its volatility: how much it tends to
    change."""

    points: float = _BASE
    deviation: float = LARGEST_DEVIATION
    volatility: float = 0.06

    def after(self, periods: float) -> "Rating":
        """The rating after so many periods without a game, which makes it less certain."""
        deviation = _SCALE * _grown(self.deviation / _SCALE, self.volatility, periods)
        return self._replace(deviation=min(deviation, LARGEST_DEVIATION))


class GameScore(NamedTuple):
    """A game of a player: the opponent, the player's score from 0 to 1, and the points by which the
    seat made the player stronger."""

    opponent: Rating
    score: float
    advantage: float = 0.0


def updated(player: Rating, outcomes: Sequence[GameScore], periods: float = 1.0) -> Rating:
    """The rating after these games, `periods` after the last update."""
    mu, phi = (player.points - _BASE) / _SCALE, player.deviation / _SCALE
    information = gain = 0.0
    for opponent, score, advantage in outcomes:
        g = 1 / sqrt(1 + 3 * (opponent.deviation / _SCALE / pi) ** 2)
        mu_j = (opponent.points - advantage - _BASE) / _SCALE
        expected = 1 / (1 + exp(-g * (mu - mu_j)))
        information += g * g * expected * (1 - expected)
        gain += g * (score - expected)
    v = 1 / information
    sigma = _new_volatility(phi, player.volatility, v, v * gain)
    phi_star = min(_grown(phi, sigma, periods), LARGEST_DEVIATION / _SCALE)
    new_phi = 1 / sqrt(1 / phi_star**2 + 1 / v)
    return Rating(_BASE + _SCALE * (mu + new_phi**2 * gain), _SCALE * new_phi, sigma)


def _grown(phi: float, sigma: float, periods: float) -> float:
    """The deviation `phi` after so many periods with the volatility `sigma` (step 6)."""
    return sqrt(phi * phi + periods * sigma * sigma)


def _new_volatility(phi: float, sigma: float, v: float, delta: float) -> float:
    """The volatility after games that promise an improvement of `delta` (step 5)."""
    a = log(sigma**2)

    def f(x: float) -> float:
        e = exp(x)
        spread = phi**2 + v + e
        return e * (delta**2 - spread) / (2 * spread**2) - (x - a) / TAU**2

    return exp(_root(f, a, _other_bound(f, a, phi, v, delta)) / 2)


def _other_bound(
    f: Callable[[float], float], a: float, phi: float, v: float, delta: float
) -> float:
    if delta**2 > phi**2 + v:
        return log(delta**2 - phi**2 - v)
    k = 1
    while f(a - k * TAU) < 0:
        k += 1
    return a - k * TAU


def _root(f: Callable[[float], float], a: float, b: float) -> float:
    """The root of `f` between these bounds, by the Illinois algorithm."""
    f_a, f_b = f(a), f(b)
    while abs(b - a) > _CLOSE_ENOUGH:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        b, f_b = c, f_c
    return a
