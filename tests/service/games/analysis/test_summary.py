"""What an analysis says of each player, and which plays and draws mattered."""

from typing import Any

import pytest

from service.bots.analysis import Estimate, WeighedTurn
from service.games.analysis.summary import Balance, balances, key_moments, late_claims


def turn(seq: int, **worth: Any) -> WeighedTurn:
    plain = {"seat": "north", "round": 1, "played": "R1@1", "chance": Estimate(0.5, 0.04)}
    rest = {"best": None, "loss": None, "drawn": None, "drawn_at": None, "luck": None, "missed": ()}
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


def test_nobody_plays_better_than_the_best_play() -> None:
    loss = balances([turn(4, loss=Estimate(-0.04, 0.05))])["north"].loss
    assert loss == Estimate(0.0, 0.05)


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


def test_a_claim_that_waits_is_named_once() -> None:
    turns = [turn(4, missed=(3,)), turn(8, missed=(3, 5)), turn(12, missed=(3,), seat="south")]
    assert late_claims(turns) == [("north", 3, 4), ("north", 5, 8), ("south", 3, 12)]
