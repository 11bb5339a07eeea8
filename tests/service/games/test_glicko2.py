"""Ratings as the paper computes them, and what is added to it."""

import pytest

from service.games.rating import GameScore, Rating, updated

PLAYER = Rating(1500, 200, 0.06)
OUTCOMES = [
    GameScore(Rating(1400, 30), 1),
    GameScore(Rating(1550, 100), 0),
    GameScore(Rating(1700, 300), 0),
]


def test_the_example_of_the_paper() -> None:
    points, deviation, volatility = updated(PLAYER, OUTCOMES)
    assert points == pytest.approx(1464.06, abs=0.01)
    assert deviation == pytest.approx(151.52, abs=0.01)
    assert volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_player_without_games_becomes_less_certain() -> None:
    """The paper's step 6 alone."""
    phi = PLAYER.deviation / 173.7178
    assert PLAYER.after(1).deviation == pytest.approx((phi**2 + 0.06**2) ** 0.5 * 173.7178)
    assert PLAYER.after(1) == (1500, PLAYER.after(1).deviation, 0.06)
    assert PLAYER.after(1_000_000).deviation == 350


def test_a_settled_player_is_as_uncertain_as_many_after_a_year_away() -> None:
    assert Rating(deviation=60).after(365 / 5).deviation == pytest.approx(107, abs=1)


def test_two_halves_of_a_period_are_a_period() -> None:
    assert PLAYER.after(0.5).after(0.5) == pytest.approx(PLAYER.after(1))


@pytest.mark.parametrize("deviation", [50, 200, 350])
@pytest.mark.parametrize("opponent", [600, 1500, 2400])
def test_a_win_raises_a_rating_and_a_loss_lowers_it(deviation: float, opponent: float) -> None:
    player, other = Rating(1500, deviation), Rating(opponent, 80)
    won, lost = (updated(player, [GameScore(other, score)], 0.1) for score in (1, 0))
    assert lost.points < 1500 < won.points


def test_whoever_has_the_advantage_wins_less_by_a_win_and_loses_more_by_a_loss() -> None:
    def points(score: float, advantage: float) -> float:
        return updated(PLAYER, [GameScore(Rating(), score, advantage)]).points

    assert points(1, 50) < points(1, 0) < points(1, -50)
    assert points(0, 50) < points(0, 0) < points(0, -50)


def test_an_advantage_is_as_if_the_opponent_were_weaker_by_as_much() -> None:
    with_advantage = updated(PLAYER, [GameScore(Rating(1550, 80), 0.5, 50)])
    assert with_advantage == updated(PLAYER, [GameScore(Rating(1500, 80), 0.5)])
