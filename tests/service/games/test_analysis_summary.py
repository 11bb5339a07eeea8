"""What an analysis says of each player, and which plays and draws mattered."""

from dataclasses import replace
from typing import Any

import pytest

from service.bots.analysis import Estimate, WeighedTurn
from service.games.analysis import Balance, balances, key_moments, late_claims, turning_point


def turn(seq: int, **worth: Any) -> WeighedTurn:
    plain = {"seat": "north", "round": 1, "played": "R1@1", "chance": Estimate(0.5, 0.04)}
    rest = {"best": (), "loss": None, "drawn": None, "drawn_at": None, "luck": None, "missed": ()}
    return WeighedTurn(seq=seq, **{**plain, **rest, **worth})


def test_a_player_s_loss_is_the_mean_of_the_turns_and_luck_the_sum_of_the_draws() -> None:
    turns = [
        turn(4, loss=Estimate(0.1, 0.03), luck=Estimate(0.06, 0.03)),
        turn(8, loss=Estimate(0.0, 0.0), luck=Estimate(-0.02, 0.04)),
        turn(12),
        turn(14, seat="south", luck=Estimate(-0.3, 0.01)),
    ]
    of = balances(turns)
    assert of["north"].loss == pytest.approx(Estimate(0.05, 0.015))
    assert of["north"].luck == pytest.approx(Estimate(0.04, 0.05))
    assert (of["north"].turns, of["north"].draws) == (2, 2)
    assert of["south"] == Balance(0, None, 1, Estimate(-0.3, 0.01))


def test_losses_below_0_count_in_the_mean_as_the_table_shows_them() -> None:
    losses = [Estimate(-0.04, 0.03), Estimate(0.02, 0.04)]
    loss = balances([turn(4, loss=losses[0]), turn(8, loss=losses[1])])["north"].loss
    assert loss == pytest.approx(Estimate(-0.01, 0.025))


def chances(seat: str, *values: float, error: float = 0.01, start: int = 4) -> list[WeighedTurn]:
    return [
        turn(seq, seat=seat, chance=Estimate(value, error))
        for seq, value in zip(range(start, 1000, 8), values, strict=False)
    ]


def test_the_turning_point_is_the_largest_fall_that_was_not_made_up_for() -> None:
    north = chances("north", 0.5, 0.9, 0.4, 0.95, 0.6, 0.7)
    found = turning_point([*north, *chances("south", 0.5, 0.2, 0.1, 0.3, start=8)])
    assert found is not None
    assert (found.before, found.after) == (north[3], north[4])
    assert found.change == pytest.approx(Estimate(-0.35, 0.01 * 2**0.5))


def test_without_a_fall_beyond_its_error_there_is_no_turning_point() -> None:
    assert turning_point(chances("north", 0.5, 0.6, 0.7)) is None
    assert turning_point(chances("north", 0.5, 0.3, error=0.1)) is None
    assert turning_point([]) is None


def test_a_new_round_is_no_fall() -> None:
    won, next_round = chances("north", 0.5, 1.0), chances("north", 0.5, 0.6, start=40)
    assert turning_point([*won, *(replace(each, round=2) for each in next_round)]) is None


def test_the_three_that_mattered_most_come_in_their_order() -> None:
    turns = [
        turn(4, loss=Estimate(0.2, 0.11)),  # too uncertain
        turn(7, luck=Estimate(-0.12, 0.02)),
        turn(10, loss=Estimate(0.3, 0.04), luck=Estimate(0.01, 0.001)),
        turn(13, luck=Estimate(0.25, 0.05)),
        turn(16, loss=Estimate(-0.2, 0.02)),  # no loss at all
    ]
    found = [(each.what, each.turn.seq, each.worth.value) for each in key_moments(turns)]
    assert found == [("draw", 7, -0.12), ("play", 10, -0.3), ("draw", 13, 0.25)]


def test_each_player_s_worst_play_is_among_them() -> None:
    turns = [
        turn(4, loss=Estimate(0.4, 0.02)),
        turn(5, seat="south", loss=Estimate(0.05, 0.01)),
        turn(7, loss=Estimate(0.3, 0.02)),
        turn(8, seat="south", loss=Estimate(0.1, 0.02)),
        turn(10, luck=Estimate(0.2, 0.02)),
        turn(13, loss=Estimate(0.15, 0.02)),
    ]
    assert [each.turn.seq for each in key_moments(turns)] == [4, 7, 8, 10]


def test_a_claim_that_waits_is_named_once() -> None:
    turns = [turn(4, missed=(3,)), turn(8, missed=(3, 5)), turn(12, missed=(3,), seat="south")]
    assert late_claims(turns) == [("north", 3, 4), ("north", 5, 8), ("south", 3, 12)]
