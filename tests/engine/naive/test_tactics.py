"""The naive model against positions worked out by hand: Tactic cards, rulings 21 to 28."""

from typing import Any

import pytest

from tests.engine.naive.model import NaiveGame, Options
from tests.engine.naive.proof import CLAN, TACTIC
from tests.engine.naive.tables import (
    FULL_OF_SUMS,
    TACTICS,
    cards,
    fill,
    give,
    lay,
    position,
    starting,
)


def test_ruling_21_a_player_may_be_one_tactic_card_ahead() -> None:
    game = position(hand="SPY SHB R1", theirs="MUD G1")
    game.do("SPY@1")
    game.do("G1@1")
    assert starting(game, "SHB") == set()
    game.tactics_played["south"] = 1
    assert "SHB@1" in game.legal()


def test_ruling_22_one_joker_per_game() -> None:
    game = position(hand="JOK JOK STR R1", theirs="G1")
    game.tactics_played["south"] = 9
    game.do("JOK@1")
    game.do("G1@2")
    assert "STR:JOK@1>x" in game.legal()
    game.do("STR:JOK@1>x")
    game.turn = "north"
    assert starting(game, "JOK") == set()


def test_ruling_22_the_joker_that_stays_is_not_returned() -> None:
    game = position(hand="REC JOK R9", tactic="", clan="Y1 Y2 Y3")
    game.jokers_played["north"] = 1
    game.do("REC:CCC")
    assert game.legal() == {"-R9,Y1", "-R9,Y2", "-R9,Y3", "-Y1,Y2", "-Y1,Y3", "-Y2,Y3"}


def test_ruling_22_where_one_other_card_is_left_only_that_one_is_returned() -> None:
    game = position(hand="REC JOK", tactic="", clan="Y1")
    game.jokers_played["north"] = 1
    game.do("REC:C")
    assert game.legal() == {"-Y1"}


def test_ruling_22_it_was_returned_under_the_first_rules() -> None:
    options = Options(hand=7, tactics=True, joker_may_return=True)
    game = position(hand="REC JOK", options=options, clan="Y1")
    game.jokers_played["north"] = 1
    game.do("REC:C")
    assert game.legal() == {"-Y1,JOK"}


def test_ruling_26_another_stone_where_the_edition_says_so() -> None:
    game = position(hand="TRA", options=Options(hand=7, tactics=True, traitor_to="another"))
    lay(game, 2, "south", "B5")
    assert "TRA:B5@2>2" not in game.legal()
    assert "TRA:B5@2>3" in game.legal()


def test_ruling_22_one_joker_on_the_table() -> None:
    options = Options(hand=7, tactics=True, joker_limit="one_on_table")
    game = position(hand="JOK R1", options=options)
    lay(game, 1, "north", "JOK")
    assert starting(game, "JOK") == set()
    give(game, "north", 1)
    assert starting(game, "JOK") == set()
    game.stones[0]["north"].clear()
    assert "JOK@2" in game.legal()


def test_ruling_22_the_opponents_joker_is_no_bar() -> None:
    options = Options(hand=7, tactics=True, joker_limit="one_on_table")
    game = position(hand="JOK R1", options=options)
    lay(game, 1, "south", "JOK")
    assert "JOK@1" in game.legal()


def test_ruling_23_the_recruiter_draws_three_and_returns_two() -> None:
    game = position(hand="REC R9", tactic="JOK SPY", clan="Y1 Y2 Y3")
    assert starting(game, "REC") == {"REC:CCC", "REC:CCT", "REC:CTT"}
    game.do("REC:TCC")
    assert sorted(game.hands["north"]) == ["JOK", "R9", "Y1", "Y2"]
    assert game.phase == "return"
    assert game.legal() == {"-R9,Y1", "-R9,Y2", "-R9,JOK", "-Y1,Y2", "-Y1,JOK", "-Y2,JOK"}
    game.do("-Y2,R9")
    assert game.clan_deck == ["Y3", "Y2", "R9"]
    assert game.discard == ["REC"]


def test_ruling_23_each_card_goes_under_its_own_deck() -> None:
    game = position(hand="REC R9 SPY", tactic="JOK", clan="Y1 Y2 Y3")
    game.do("REC:CCC")
    game.do("-R9,SPY")
    assert game.clan_deck == ["R9"]
    assert game.tactic_deck == ["JOK", "SPY"]


@pytest.mark.parametrize(
    ("clan", "tactic", "draws"),
    [("Y1", "SPY", {"REC:CT"}), ("", "SPY", {"REC:T"}), ("", "", set())],
)
def test_ruling_23_fewer_are_drawn_when_fewer_are_left(clan: str, tactic: str, draws: Any) -> None:
    assert starting(position(hand="REC R9", clan=clan, tactic=tactic), "REC") == draws


def test_ruling_23_all_are_returned_when_the_hand_holds_fewer_than_two() -> None:
    game = position(hand="REC", clan="Y1")
    game.do("REC:C")
    assert game.legal() == {"-Y1"}


def test_ruling_23_a_hand_still_short_after_the_return_draws_one_card() -> None:
    game = position(hand="REC R9 O9", clan="Y1")
    game.do("REC:C")
    game.do("-O9,R9")
    assert game.hands["north"] == ["Y1", "O9"]
    assert game.turn == "south"


def test_ruling_24_the_strategist_moves_or_discards_an_own_card() -> None:
    game = position(hand="STR R9")
    lay(game, 1, "north", "R1 SPY")
    fill(game, "north", 2)
    give(game, "north", 2)
    fill(game, "north", 3)
    give(game, "south", *range(5, 10))
    assert starting(game, "STR") == (
        {f"STR:{card}@1>{target}" for card in ("R1", "SPY") for target in ("4", "x")}
        | {f"STR:{card}@3>{t}" for card in cards(FULL_OF_SUMS) for t in ("1", "4", "x")}
    )
    game.do("STR:SPY@1>4")
    assert (game.stones[0]["north"], game.stones[3]["north"]) == (["R1"], ["SPY"])


def test_ruling_25_the_banshee_discards_an_opposing_clan_or_elite_card() -> None:
    game = position(hand="BAN R9")
    lay(game, 1, "south", "G4 SHB")
    lay(game, 2, "south", "G5")
    give(game, "south", 2)
    assert starting(game, "BAN") == {"BAN:G4@1", "BAN:SHB@1"}
    game.do("BAN:SHB@1")
    assert game.stones[0]["south"] == ["G4"]
    assert game.discard == ["BAN", "SHB"]


def test_ruling_26_the_traitor_takes_a_clan_card_to_the_same_stone_or_another() -> None:
    game = position(hand="TRA R9")
    lay(game, 1, "south", "G4 SHB")
    fill(game, "north", 2)
    give(game, "south", *range(4, 10))
    assert starting(game, "TRA") == {"TRA:G4@1>1", "TRA:G4@1>3"}
    game.do("TRA:G4@1>1")
    assert (game.stones[0]["north"], game.stones[0]["south"]) == (["G4"], ["SHB"])


def test_ruling_27_a_ruse_without_a_target_cannot_be_played() -> None:
    game = position(hand="REC STR BAN TRA", clan="", tactic="")
    lay(game, 1, "south", "SPY")
    assert game.legal() == {"BAN:SPY@1", "pass"}


def test_ruling_28_hands_and_decks_are_counted_by_kind() -> None:
    game = NaiveGame(TACTICS, "north", CLAN, TACTIC)
    game.do("R1@1")
    game.do("+T")
    assert game.hands["north"].count("JOK") == 1
    assert (len(game.clan_deck), len(game.tactic_deck)) == (40, 9)
