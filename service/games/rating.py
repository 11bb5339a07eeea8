"""The rule by which games count, and their effect on ratings. docs/ratings.md explains it.

Glicko-2, after Mark Glickman's "Example of the Glicko-2 system" (2022).

The steps and letters are those of the paper. Two things are added to it: a number of rating periods
that need not be 1, so that a game can be rated when it ends, and the advantage of a seat.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

from engine import OTHER
from engine.events import TurnEnded
from service.accounts.player import is_bot
from service.bots import bot_at
from service.core.times import DAY, unix
from service.games.stored_game import StoredGame

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


PERIOD: Final = 5 * DAY
"""Seconds of a rating period. In a year without games a deviation of 60 grows to 107."""
FIRST_PLAYERS_ADVANTAGE: Final = {False: 0.0, True: 35.0}
"""Points by which the first turn makes a player stronger, without and with Tactic cards: the
steward against itself won 49 ± 2.5 % of 1500 games and 55 ± 3.5 % of 800."""
TURNS: Final = 5
"""The turns that each player must have ended for a game to count."""
SMALLEST_DEVIATION: Final = 45.0
"""The smallest deviation: with it, the rating of a player who plays very often can still change."""
BOTS_DEVIATION: Final = 30.0
"""The deviation of this server's bots, whose ratings were measured and do not change: about the
largest error of them."""
_EARLY_ENDS: Final = ("resignation", "time-out")
"""The reasons of endings that can come before a player's fifth turn. Any other takes nine cards."""
_TURN_ENDED: Final = f'"type":"{TurnEnded.TYPE}"'


class Result(NamedTuple):
    """A game that counts: its end (unix seconds), its players, and the score of the first.

    `first` began a single game, which made them stronger by `advantage` points; in a match it is
    north. A game that is not `rated` counts between the two only. `tactics`: the kind of game.
    """

    ended: int
    game: str
    first: str
    second: str
    score: float
    advantage: float
    rated: bool
    tactics: bool = False

    @property
    def fields(self) -> tuple[str, str]:
        """The fields of both players' forms, the first player's first."""
        return field_of(self.first, self.tactics), field_of(self.second, self.tactics)


class Form(NamedTuple):
    """A player's rating in a kind of game after the latest rated one, which ended at the moment
    `at` (unix seconds). `games` is the number of their rated games of this kind."""

    rating: Rating = Rating()
    at: int = 0
    games: int = 0

    def periods(self, now: float) -> float:
        """The number of rating periods since that game."""
        return max(0.0, now - self.at) / PERIOD if self.games else 0.0

    def current(self, now: float) -> Rating:
        """The rating at this moment: each day since makes it less certain."""
        return self.rating.after(self.periods(now))


class Rated(NamedTuple):
    """A result, and the forms of its two players before and after it, the first player's first;
    None for a bot of this server, and if the game is not rated."""

    result: Result
    before: Sequence[Form | None] = (None, None)
    after: Sequence[Form | None] = (None, None)


def field_of(player: str, tactics: bool) -> str:
    """The field that holds a player's form in the games with Tactic cards, or in those without."""
    return f"{player} tactics" if tactics else player


def is_for_ratings(
    wanted: bool | None, private: bool, clock: object, players: Iterable[str | None]
) -> bool:
    """Whether a game between these players is rated; `wanted` is their choice, None without one.

    A private game never is: its rating would reveal the result. Nor is one without a clock: whoever
    is losing it could leave it as it stands. By default, games between people and between bots are
    rated.
    """
    if private or clock is None:
        return False
    if wanted is None:
        return len({is_bot(player) for player in players if player}) == 1
    return wanted


def is_rated(stored: StoredGame) -> bool:
    """Whether the result of a game changes ratings, if it counts."""
    wanted, clock = stored.game.terms.get("rated"), stored.terms.clock
    return is_for_ratings(wanted, stored.private, clock, stored.players) and not stored.imported


def bot_declines(stored: StoredGame) -> bool:
    """Whether a bot of the server agrees to nothing: else a game that is being lost would never
    count, for ratings or in the table of a season."""
    return stored.has_bot and (is_rated(stored) or stored.terms.season is not None)


def result_of(stored: StoredGame, texts: Sequence[str] = ()) -> Result | None:
    """The result of a game; None if it does not count.

    `texts` are the lines of its log, if `ended_early`.
    """
    game = stored.game
    if not is_decided(stored) or (ended_early(stored) and min(_turns(texts)) < TURNS):
        return None
    first = game.first if game.rounds == 1 and game.first else "north"
    score = 0.5 if game.winner is None else float(game.winner == first)
    return Result(
        end_of(stored),
        stored.id,
        game.players[first] or "",
        game.players[OTHER[first]] or "",
        score,
        FIRST_PLAYERS_ADVANTAGE[game.tactics] if game.rounds == 1 else 0.0,
        is_rated(stored),
        game.tactics,
    )


def is_decided(stored: StoredGame) -> bool:
    """Whether a real game was played here, and not given up by agreement."""
    game = stored.game
    is_real = not stored.imported and stored.is_real
    return game.status == "finished" and game.reason != "agreement" and is_real


def end_of(stored: StoredGame) -> int:
    """The moment (unix seconds) at which a game that is over ended."""
    return unix(stored.ended or stored.latest)


def ended_early(stored: StoredGame) -> bool:
    """Whether the game may have ended before both players ended enough turns: then its log must be
    read."""
    return stored.game.reason in _EARLY_ENDS


def was_too_short(stored: StoredGame, rated: Rated | None) -> bool:
    """Whether a game does not count, which had the effect `rated`, because it ended before both
    players had ended enough turns."""
    return rated is None and is_decided(stored) and ended_early(stored)


def fold(forms: MutableMapping[str, Form], results: Iterable[Result]) -> Iterator[Rated]:
    """Rate these results, in the order in which the games ended, and update `forms`."""
    for result in results:
        if not result.rated:
            yield Rated(result)
            continue
        players = [*zip((result.first, result.second), result.fields, strict=True)]
        before = [None if bot_at(player) else forms.get(field, Form()) for player, field in players]
        first, second = (
            rating_of(player, form, result.ended, tactics=result.tactics)
            for (player, _), form in zip(players, before, strict=True)
        )
        scores = (
            GameScore(second, result.score, result.advantage),
            GameScore(first, 1 - result.score, -result.advantage),
        )
        after = [
            form and _next(form, score, result.ended)
            for form, score in zip(before, scores, strict=True)
        ]
        forms.update(
            (field, form) for field, form in zip(result.fields, after, strict=True) if form
        )
        yield Rated(result, before, after)


def rating_of(player: str, form: Form | None, now: float, *, tactics: bool) -> Rating:
    """A player's rating at this moment, whose form in this kind of game is `form`. A bot of this
    server has a fixed, measured one."""
    if (bot := bot_at(player)) is not None:
        return Rating(bot.ratings[tactics], BOTS_DEVIATION)
    return (form or Form()).current(now)


def _next(form: Form, outcome: GameScore, ended: int) -> Form:
    rating = updated(form.rating, [outcome], form.periods(ended))
    deviation = max(rating.deviation, SMALLEST_DEVIATION)
    return Form(rating._replace(deviation=deviation), ended, form.games + 1)


def _turns(texts: Sequence[str]) -> tuple[int, int]:
    """The number of turns that each player has ended."""
    by: Counter[object] = Counter(json.loads(text)["by"] for text in texts if _TURN_ENDED in text)
    return by["north"], by["south"]
