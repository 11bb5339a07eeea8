"""Who may challenge whom, and where a result leads, against a second count from the log alone."""

from collections import Counter
from random import Random

import pytest

from service.seasons.events import PlayerWithdrew
from service.seasons.ladder import OBSTACLES
from service.seasons.verify import verify
from tests.service.seasons.ladders import Climbing, climbed, faults_of, order_of
from tests.service.seasons.leagues import player


@pytest.mark.parametrize(("players", "steps"), [(6, 2000), (25, 2000), (600, 3000)])
def test_the_order_is_that_of_a_count_from_the_log(players: int, steps: int) -> None:
    ladder = climbed(players, steps, Random(players))
    found = verify(ladder.lines).season
    assert found.ladder is not None
    assert found.ladder.order == order_of(ladder.lines)
    reasons = Counter(one.reason for one in ladder.season.results.values())
    assert min(reasons["time-out"], reasons["stalemate"], reasons["removed"]) > 3
    assert {"left", "gone", "time-outs"} <= {
        line["data"]["reason"] for line in ladder.lines if line["type"] == "withdrawn"
    }


def test_no_challenge_was_forbidden() -> None:
    assert faults_of(climbed(12, 400, Random(1)).lines) == []


@pytest.mark.parametrize("place", [*range(1, 12), 20, 21, 100])
def test_one_reaches_three_places_or_thirty_per_cent_up(place: int) -> None:
    ladder = Climbing().enter(*range(place))
    reach = max(3, int(0.3 * place + 1e-9))
    for other in range(place):
        up = place - 1 - other
        found = ladder.obstacle(place - 1, other)
        assert found == ("yourself" if up == 0 else None if up <= reach else "too-far-up")
        assert ladder.obstacle(other, place - 1) == ("yourself" if up == 0 else "below-you")


def test_whoever_is_not_on_it_neither_challenges_nor_is_challenged() -> None:
    ladder = Climbing().enter(0, 1, 2).add(PlayerWithdrew(player(1), "left"))
    assert ladder.obstacle(1, 0) == ladder.obstacle(9, 0) == "not-on-ladder"
    assert ladder.obstacle(2, 1) == ladder.obstacle(2, 9) == "off-ladder"
    assert ladder.obstacle(2, 0) is None


def test_two_games_out_and_two_in_and_one_between_two() -> None:
    ladder = Climbing().enter(*range(6))
    first = ladder.challenge(3, 1)
    assert ladder.obstacle(3, 1) == "already-playing"
    ladder.challenge(3, 2)
    assert ladder.obstacle(3, 0) == "two-of-yours"
    ladder.challenge(4, 1)
    assert ladder.obstacle(2, 1) == "two-against-them"
    ladder.end(first, 1)
    assert ladder.obstacle(3, 0) is ladder.obstacle(2, 1) is None


def test_a_rematch_waits_seven_days_whoever_asks() -> None:
    ladder = Climbing().enter(0, 1)
    ladder.end(ladder.challenge(1, 0), 1)
    assert ladder.order == [player(1), player(0)]
    assert ladder.obstacle(0, 1) == "rematch"
    assert ladder.wait(days=7, seconds=-1).obstacle(0, 1) == "rematch"
    assert ladder.wait(seconds=1).obstacle(0, 1) is None


def test_a_removed_game_counts_for_nobody() -> None:
    ladder = Climbing().enter(0, 1)
    before = ladder.order
    ladder.remove(ladder.challenge(1, 0))
    assert ladder.order == before
    assert ladder.obstacle(1, 0) is None


@pytest.mark.parametrize(
    ("winner", "reason", "after"),
    [
        (3, "five-stones", [0, 3, 1, 2, 4]),
        (1, "five-stones", [0, 1, 2, 3, 4]),
        (None, "stalemate", [0, 1, 2, 3, 4]),
        (3, "resignation", [0, 3, 1, 2, 4]),
        (3, "time-out", [0, 2, 3, 1, 4]),
        (1, "time-out", [0, 1, 2, 4, 3]),
    ],
)
def test_a_result_moves_them(winner: int | None, reason: str, after: list[int]) -> None:
    ladder = Climbing().enter(*range(5))
    ladder.end(ladder.challenge(3, 1), winner, reason)
    assert ladder.order == [*map(player, after)]
    verify(ladder.lines)


@pytest.mark.parametrize("reason", ["five-stones", "time-out"])
def test_whoever_has_climbed_meanwhile_stays_there(reason: str) -> None:
    ladder = Climbing().enter(*range(5))
    slow, quick = ladder.challenge(3, 2), ladder.challenge(3, 1)
    ladder.end(quick, 3)
    before = ladder.order
    ladder.end(slow, 3, reason)
    assert ladder.order == before


def test_whoever_is_off_leaves_a_place_and_moves_nobody_else() -> None:
    ladder = Climbing().enter(*range(4))
    game = ladder.challenge(3, 1)
    ladder.add(PlayerWithdrew(player(1), "left"))
    ladder.end(game, 3, "resignation")
    assert ladder.order == [player(0), player(2), player(3)]
    verify(ladder.lines)


def test_only_two_time_outs_in_a_row_take_a_player_off() -> None:
    ladder = Climbing().enter(*range(4))
    assert ladder.season.ladder is not None
    ladder.end(ladder.challenge(3, 2), 2, "time-out")
    ladder.end(ladder.challenge(3, 1), 1)  # another finished game between them
    ladder.wait(days=7).end(ladder.challenge(3, 2), 2, "time-out")
    assert ladder.season.ladder.overdue() is None
    ladder.end(ladder.challenge(3, 1), 1, "time-out")
    assert ladder.season.ladder is not None
    assert ladder.season.ladder.overdue() == player(3)
    ladder.add(PlayerWithdrew(player(3), "time-outs"))
    verify(ladder.lines)


@pytest.mark.parametrize(
    ("winner", "reason", "is_off"),
    [
        (2, "resignation", True),  # a game that one begins and gives up shows nothing
        (4, "resignation", False),
        (2, "five-stones", False),
        (None, "stalemate", False),
    ],
)
def test_between_two_time_outs_a_game_given_up_is_none(
    winner: int | None, reason: str, is_off: bool
) -> None:
    ladder = Climbing().enter(*range(5))
    ladder.end(ladder.challenge(4, 3), 3, "time-out")
    ladder.end(ladder.challenge(4, 2), winner, reason)
    ladder.wait(days=7).end(ladder.challenge(4, 3), 3, "time-out")
    found = ladder.season.ladder
    assert found is not None
    assert found.overdue() == (player(4) if is_off else None)


def test_every_obstacle_has_a_sentence_of_its_own() -> None:
    assert len({*OBSTACLES.values()}) == len(OBSTACLES) == 10
