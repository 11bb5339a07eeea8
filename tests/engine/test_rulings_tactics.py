"""Rulings 21 to 28: the Tactic cards."""

from typing import Any

import pytest

from engine import legal, view
from engine.view import SeenHand
from tests.engine.positions import events_of, options, play, position, refusal, stone


def tactical(stones: Any = None, **table: Any) -> Any:
    return position(stones, tactics=True, **table)


def test_ruling_21_a_player_may_be_one_tactic_card_ahead() -> None:
    assert "SPY@1" in legal(tactical(north="SPY", tactics_played=(0, 0)))
    assert "SPY@1" in legal(tactical(north="SPY", tactics_played=(1, 1)))


def test_ruling_21_but_not_two() -> None:
    game = tactical(north="SPY BMB STR REC", tactics_played=(1, 0))
    assert legal(game) == ["pass"]
    assert refusal(game, "SPY@1").ruling == 21


def test_ruling_21_every_kind_of_tactic_card_counts() -> None:
    for card, turn in {"BMB": "BMB@1", "BAN": "BAN:G1@2", "SHB": "SHB@1"}.items():
        game = play(tactical({2: "| G1"}, north=card, clan=""), turn)
        assert game.tactics_played == {"north": 1, "south": 0}


def test_ruling_22_one_per_game_keeps_the_second_joker_in_hand_for_ever() -> None:
    game = tactical(north="JOK", jokers_played=(1, 0), tactics_played=(1, 1), discard="JOK")
    assert "JOK@1" not in legal(game)
    assert refusal(game, "JOK@1").ruling == 22


def test_ruling_22_the_second_joker_is_not_returned_by_a_recruiter() -> None:
    game = tactical(north="REC JOK R1 R2", clan="B1 B2 B3", jokers_played=(1, 0))
    game = play(game, "REC:CCC")
    assert not [text for text in legal(game) if "JOK" in text]
    refused = refusal(game, "-R1,JOK")
    assert (refused.refusal, refused.ruling) == ("joker-limit", 22)
    assert play(game, "-R1,R2").hands["north"][:4] == ("JOK", "B1", "B2", "B3")


def test_ruling_22_where_that_leaves_one_other_card_only_that_one_is_returned() -> None:
    game = play(tactical(north="REC JOK", clan="B1", jokers_played=(1, 0)), "REC:C")
    assert legal(game) == ["-B1"]
    assert refusal(game, "-B1,JOK").ruling == 22
    assert play(game, "-B1 +C").hands["north"] == ("JOK", "B1")


def test_ruling_22_where_that_leaves_no_card_nothing_is_returned() -> None:
    game = tactical(north="REC", tactic="JOK", clan="", jokers_played=(1, 0))
    assert events_of(game, "REC:T") == ["ruse_played", "cards_recruited", "turn_ended"]
    assert play(game, "REC:T").turn == "south"


def test_ruling_22_under_the_first_rules_it_could_be_returned() -> None:
    table = {"clan": "B1", "jokers_played": (1, 0), "rules_version": 1}
    game = play(tactical(north="REC JOK", **table), "REC:C")
    assert legal(game) == ["-B1,JOK"]
    assert play(game, "-B1,JOK").decks == {"clan": ("B1",), "tactic": ("JOK",)}


def test_ruling_22_one_on_table_returns_any_joker() -> None:
    table = {"clan": "B1", "jokers_played": (1, 0), "edition": "bga"}
    assert legal(play(tactical(north="REC JOK", **table), "REC:C")) == ["-B1,JOK"]


def test_ruling_22_one_on_table_lets_the_second_follow_once_the_first_has_left() -> None:
    left = tactical(north="JOK", jokers_played=(1, 0), edition="bga", discard="JOK")
    assert "JOK@1" in legal(left)
    lies = tactical({5: "JOK |"}, north="JOK", jokers_played=(1, 0), edition="bga")
    assert refusal(lies, "JOK@1").ruling == 22


def test_ruling_22_a_joker_on_a_claimed_stone_still_lies_on_your_side() -> None:
    claimed = stone("JOK R8 R9 |", owner="north")
    assert "JOK@1" not in legal(tactical({5: claimed}, north="JOK", edition="bga"))


def test_ruling_22_the_opponents_joker_is_no_hindrance() -> None:
    assert "JOK@1" in legal(tactical({5: "| JOK"}, north="JOK", edition="bga"))


def test_ruling_23_the_recruiter_names_the_decks_clan_first() -> None:
    game = tactical(north="REC", clan="B1 B2 B3", tactic="SPY JOK STR")
    assert options(game, "REC") == {"REC:CCC", "REC:CCT", "REC:CTT", "REC:TTT"}
    assert play(game, "REC:TCC").hands["north"] == ("B1", "B2", "SPY")


def test_ruling_23_three_are_drawn_of_decks_however_large() -> None:
    game = tactical(north="REC", tactic="JOK SPY SHB STR BAN TRA")
    assert options(game, "REC") == {"REC:CCC", "REC:CCT", "REC:CTT", "REC:TTT"}
    assert refusal(game, "REC:TT").ruling == 23


def test_ruling_23_fewer_are_drawn_where_fewer_are_left() -> None:
    assert options(tactical(north="REC", clan="B1", tactic="SPY"), "REC") == {"REC:CT"}
    assert refusal(tactical(north="REC", clan="B1", tactic="SPY"), "REC:CCT").ruling == 23
    assert options(tactical(north="REC", clan=""), "REC") == set()
    assert refusal(tactical(north="REC", clan=""), "REC:C").ruling == 27


def test_ruling_23_two_cards_of_the_whole_hand_go_under_their_decks() -> None:
    game = tactical(north="REC R1 R2", clan="B1 B2 B3 B4", tactic="SPY")
    game = play(game, "REC:CCC")
    assert (game.turn, game.phase) == ("north", "return")
    assert len(legal(game)) == 10
    game = play(game, "-R2,B1 +C")
    assert game.decks["clan"] == ("R2", "B1")
    assert sorted(game.hands["north"]) == ["B2", "B3", "B4", "R1"]


def test_ruling_23_the_last_named_ends_lowest() -> None:
    game = play(tactical(north="REC R1 R2", clan="B1 B2 B3 B4"), "REC:CCC")
    assert play(game, "-R1,R2").decks["clan"][-2:] == ("R1", "R2")
    assert play(game, "-R2,R1").decks["clan"][-2:] == ("R2", "R1")


def test_ruling_23_each_card_goes_under_its_own_deck() -> None:
    game = play(tactical(north="REC JOK R2 R3 R4 R5 R6", clan="B1 B2 B3 B4"), "REC:CCC -JOK,R2")
    assert game.decks == {"clan": ("B4", "R2"), "tactic": ("JOK",)}


def test_ruling_23_all_cards_go_where_the_hand_is_smaller() -> None:
    assert legal(play(tactical(north="REC", clan="B1"), "REC:C")) == ["-B1"]


def test_ruling_23_two_jokers_can_go_back_together() -> None:
    game = play(tactical(north="REC JOK", clan="B1 B2", tactic="JOK"), "REC:CCT")
    assert "-JOK,JOK" in legal(game)
    assert play(game, "-JOK,JOK +T").hands["north"] == ("B1", "B2", "JOK")


@pytest.mark.parametrize("wrong", ["-R1", "-R1,G9", "-R1,R1", "R1@1", "+C", "pass"])
def test_ruling_23_nothing_else_may_come_between(wrong: str) -> None:
    game = play(tactical(north="REC R1 R2", clan="B1 B2 B3 B4"), "REC:CCC")
    assert refusal(game, wrong).code == "illegal-action"


def test_ruling_23_a_recruiter_leaves_the_hand_full_and_draws_nothing() -> None:
    game = tactical(north="REC R1 R2 R3 R4 R5 R6", clan="B1 B2 B3 B4")
    game = play(game, "REC:CCC -R1,R2")
    assert len(game.hands["north"]) == 7
    assert game.turn == "south"


def test_ruling_24_the_strategist_moves_an_own_card_or_discards_it() -> None:
    game = tactical({3: "R7 SPY | G1", 5: "R1 |"}, north="STR", clan="")
    assert {"STR:R7@3>5", "STR:SPY@3>1", "STR:R1@5>x"} <= options(game, "STR")
    assert not options(game, "STR:G1")
    moved = play(game, "STR:R7@3>5")
    assert moved.stone(5).sides["north"] == ("R1", "R7")
    assert moved.discard == ("STR",)
    assert play(game, "STR:SPY@3>x").discard == ("STR", "SPY")


def test_ruling_24_another_stone_with_room() -> None:
    game = tactical({3: "R7 |", 5: "R1 O1 G1 |"}, north="STR")
    assert refusal(game, "STR:R7@3>3").ruling == 24
    assert refusal(game, "STR:R7@3>5").ruling == 4
    assert {"STR:R7@3>3", "STR:R7@3>5"}.isdisjoint(legal(game))


def test_ruling_25_the_banshee_discards_a_card_of_the_opponent() -> None:
    game = tactical({3: "R7 | G1 JOK"}, north="BAN", clan="")
    assert options(game, "BAN") == {"BAN:G1@3", "BAN:JOK@3"}
    assert play(game, "BAN:JOK@3").discard == ("BAN", "JOK")
    assert refusal(game, "BAN:R7@3").ruling == 25


def test_ruling_26_the_traitor_takes_a_clan_card_to_the_same_stone_or_another() -> None:
    game = tactical({3: "R7 | G1 SPY"}, north="TRA", clan="")
    assert options(game, "TRA") == {f"TRA:G1@3>{to}" for to in range(1, 10)}
    assert play(game, "TRA:G1@3>3").stone(3).sides["north"] == ("R7", "G1")
    assert refusal(game, "TRA:SPY@3>4").ruling == 26


def test_ruling_26_another_stone_only_where_the_edition_says_so() -> None:
    game = tactical({2: "| G4"}, north="TRA", edition="bga")
    assert options(game, "TRA") == {f"TRA:G4@2>{to}" for to in (1, 3, 4, 5, 6, 7, 8, 9)}
    refused = refusal(game, "TRA:G4@2>2")
    assert (refused.refusal, refused.ruling) == ("same-stone", 26)
    assert "TRA:G4@2>2" in legal(tactical({2: "| G4"}, north="TRA"))
    first_rules = tactical({2: "| G4"}, north="TRA", edition="bga", rules_version=1)
    assert "TRA:G4@2>2" in legal(first_rules)


def test_ruling_26_only_where_your_side_has_room() -> None:
    game = tactical({3: "| G1", 4: "R1 R2 R4 |"}, north="TRA")
    assert "TRA:G1@3>4" not in legal(game)
    assert refusal(game, "TRA:G1@3>4").ruling == 4


@pytest.mark.parametrize("ruse", ["STR", "BAN", "TRA"])
def test_ruling_27_a_ruse_without_a_target_cannot_be_played(ruse: str) -> None:
    assert options(tactical(north=ruse), ruse) == set()


def test_ruling_27_ruse_and_what_it_discards_lie_face_up_for_anyone() -> None:
    game = play(tactical({3: "| G1"}, north="BAN", clan=""), "BAN:G1@3")
    assert view(game, None).discard == ("BAN", "G1")


def test_ruling_28_how_many_of_each_deck_is_public_which_ones_is_not() -> None:
    game = tactical(north="R1 JOK STR", south="G1 SPY", clan="B1 B2", tactic="BMB")
    seen = view(game, "south")
    assert seen.hands["north"] == SeenHand(None, clan=1, tactic=2)
    assert seen.hands["south"] == SeenHand(["G1", "SPY"], clan=1, tactic=1)
    assert seen.decks == {"clan": 2, "tactic": 1}


def test_a_ruse_may_be_followed_by_claims_before_the_draw() -> None:
    game = tactical({3: "R7 R8 R9 | G9 G8 G7"}, north="BAN", tactic="SPY", clan="B1")
    kinds = events_of(game, "BAN:G9@3 !3 +T")
    assert kinds == ["ruse_played", "stone_claimed", "card_drawn", "turn_ended"]
