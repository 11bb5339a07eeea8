"""The naive model against positions worked out by hand: the end, rulings 29 to 31."""

import pytest

from tests.engine.naive.model import NaiveMatch
from tests.engine.naive.proof import CLAN
from tests.engine.naive.tables import PLAIN, give, lay, position


@pytest.mark.parametrize(
    ("held", "reason"),
    [((2, 3), "three-adjacent"), ((3, 5, 7, 9), "five-stones"), ((2, 3, 5, 7), "three-adjacent")],
)
def test_ruling_29_three_adjacent_stones_or_any_five_win_at_once(
    held: tuple[int, ...], reason: str
) -> None:
    game = position()
    give(game, "north", *held)
    give(game, "south", 8)
    lay(game, 1, "north", "R7 R8 R9")
    game.do("O9@4" if 4 not in held else "O9@6")
    game.do("!1")
    assert (game.over, game.winner, game.reason) == (True, "north", reason)
    assert game.scores == {"north": 5, "south": 1}
    assert (game.turn, game.phase) == (None, None)


def test_ruling_29_four_scattered_stones_do_not_win() -> None:
    game = position()
    give(game, "north", 3, 5, 7)
    lay(game, 1, "north", "R7 R8 R9")
    game.do("O9@4")
    game.do("!1")
    assert not game.over


def test_ruling_30_four_passes_in_a_row_end_the_round_drawn() -> None:
    game = position(hand="", theirs="", clan="")
    give(game, "south", 4)
    for _ in range(4):
        assert not game.over
        game.do("pass")
    assert (game.over, game.winner, game.reason) == (True, None, "stalemate")
    assert game.scores == {"north": 0, "south": 1}


def test_ruling_30_a_claim_in_a_turn_of_passing_starts_the_count_again() -> None:
    game = position(hand="", theirs="", clan="")
    for _ in range(3):
        game.do("pass")
    lay(game, 1, "south", "R7 R8 R9")
    game.do("pass")
    game.do("!1")
    for _ in range(3):
        game.do("pass")
        assert not game.over
    game.do("pass")
    assert game.reason == "stalemate"


def test_ruling_30_a_draw_in_a_turn_of_passing_starts_the_count_again() -> None:
    game = position(hand="SPY", theirs="SHB", clan="")
    for _ in range(3):
        game.do("pass")
    game.tactic_deck = ["REC"]
    game.do("pass")
    assert game.hands["south"] == ["SHB", "REC"]
    assert not game.over


def test_ruling_31_the_winner_scores_five_and_the_loser_one_a_stone() -> None:
    game = position()
    give(game, "north", 1, 4)
    give(game, "south", 2, 6, 8)
    game.time_out("north")
    assert (game.winner, game.reason) == ("south", "time-out")
    assert game.scores == {"north": 2, "south": 5}


def test_ruling_31_the_higher_total_wins_the_match() -> None:
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 3)
    give(match.game, "south", 1, 9)
    match.resign("south")
    match.time_out("north")
    assert not match.over
    assert match.scores == {"north": 5, "south": 7}
    match.resign("south")
    assert (match.over, match.winner, match.reason) == (True, "north", "resignation")
    assert match.scores == {"north": 10, "south": 7}


def test_ruling_31_equal_totals_draw_the_match() -> None:
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 2)
    match.resign("north")
    match.resign("south")
    assert (match.over, match.winner) == (True, None)


def stall(match: NaiveMatch) -> None:
    match.game.hands = {"north": [], "south": []}
    match.game.clan_deck = []
    for _ in range(4):
        match.do("pass")


def test_ruling_31_after_a_drawn_round_the_player_who_did_not_begin_it_begins() -> None:
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 2)
    give(match.game, "north", 1, 5)
    stall(match)
    assert (match.round, match.game.first) == (2, "south")
    assert match.scores == {"north": 2, "south": 0}


def test_ruling_31_a_single_drawn_round_has_no_winner() -> None:
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])])
    give(match.game, "north", 1, 5)
    stall(match)
    assert (match.over, match.winner, match.reason) == (True, None, "stalemate")


def test_ruling_31_an_abandoned_round_ends_the_match() -> None:
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 2)
    match.abandon()
    assert (match.over, match.winner, match.reason) == (True, None, "agreement")
