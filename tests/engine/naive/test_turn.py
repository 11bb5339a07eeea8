"""The naive model against positions worked out by hand: the turn, rulings 1 to 7."""

import pytest

from tests.engine.naive.model import NaiveGame, NaiveMatch, Options
from tests.engine.naive.proof import CLAN, TACTIC
from tests.engine.naive.tables import PLAIN, TACTICS, cards, fill, lay, position


def test_ruling_1_cards_are_dealt_one_at_a_time_beginning_with_the_first_player() -> None:
    game = NaiveGame(PLAIN, "south", CLAN)
    assert game.hands["south"] == cards("R1 R3 R5 R7 R9 O2")
    assert game.hands["north"] == cards("R2 R4 R6 R8 O1 O3")
    assert game.clan_deck[0] == "O4"


def test_ruling_1_with_tactics_each_has_seven_clan_cards_and_no_tactic_card() -> None:
    game = NaiveGame(TACTICS, "north", CLAN, TACTIC)
    assert len(game.hands["north"]) == len(game.hands["south"]) == 7
    assert len(game.clan_deck) == 40
    assert game.tactic_deck == TACTIC


def test_ruling_2_the_winner_of_a_round_begins_the_next() -> None:
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 2)
    match.resign("north")
    assert (match.round, match.game.turn) == (2, "south")


@pytest.mark.parametrize(
    ("timing", "before", "after"),
    [("after_play", False, True), ("before_play", True, False), ("any_time", True, True)],
)
def test_ruling_3_claims_are_open_before_or_after_the_play(
    timing: str, before: bool, after: bool
) -> None:
    game = position(options=Options(claim_timing=timing))
    lay(game, 1, "north", "R7 R8 R9")
    assert ("!1" in game.legal()) is before
    game.hands["north"] = ["O9"]
    game.tactic_deck = ["JOK"]
    game.do("O9@2")
    assert (game.turn == "north" and "!1" in game.legal()) is after


def test_ruling_3_no_claim_after_the_draw_at_any_time() -> None:
    game = position(options=Options(claim_timing="any_time"))
    lay(game, 1, "north", "R7 R8 R9")
    game.do("O9@2")
    assert game.legal() == {"!1", "+C"}
    game.do("+C")
    assert game.turn == "south"


def test_ruling_4_a_side_has_room_for_three_and_for_four_in_a_mud_fight() -> None:
    game = position(hand="R9")
    lay(game, 1, "north", "G1 G2 G4")
    assert "R9@1" not in game.legal()
    game.stones[0]["modes"] = ["MUD"]
    assert "R9@1" in game.legal()
    lay(game, 1, "north", "G5")
    assert "R9@1" not in game.legal()


def test_ruling_5_the_player_chooses_the_deck_and_draws_exactly_one_card() -> None:
    game = position(hand="R9 O9", tactic="SPY REC")
    game.do("R9@1")
    assert game.legal() == {"+C", "+T"}
    game.do("+T")
    assert game.hands["north"] == ["O9", "SPY"]
    assert (game.turn, game.phase) == ("south", "play")


def test_ruling_5_when_one_deck_is_left_the_draw_is_taken_by_itself() -> None:
    game = position(tactic="SPY", clan="")
    game.do("R9@1")
    assert game.hands["north"] == ["O9", "SPY"]
    assert game.turn == "south"


def test_ruling_5_with_empty_decks_play_goes_on() -> None:
    game = position(clan="")
    game.do("R9@1")
    assert game.hands["north"] == ["O9"]
    assert game.turn == "south"


def test_ruling_5_a_full_hand_draws_nothing() -> None:
    game = position(hand="JOK SPY SHB BMB MUD STR BAN", tactic="JOK")
    game.do("pass")
    assert len(game.hands["north"]) == 7
    assert game.turn == "south"


def test_ruling_6_no_pass_while_a_clan_card_can_be_placed() -> None:
    assert "pass" not in position().legal()


def test_ruling_6_pass_with_no_clan_card_though_a_tactic_card_may_be_played_instead() -> None:
    assert position(hand="SPY").legal() == {"pass"} | {f"SPY@{n}" for n in range(1, 10)}


def test_ruling_6_pass_with_no_room() -> None:
    game = position(hand="R9 MUD")
    fill(game, "north", *range(1, 10))
    assert game.legal() == {"pass"} | {f"MUD@{n}" for n in range(1, 10)}


def test_ruling_6_a_pass_may_be_followed_by_a_claim() -> None:
    game = position(hand="SPY")
    lay(game, 1, "north", "R7 R8 R9")
    game.do("pass")
    assert game.legal() == {"!1", "+C"}


def test_ruling_7_a_claim_may_be_left_out() -> None:
    game = position(hand="R9 O9", clan="")
    lay(game, 1, "north", "R7 R8 R9")
    game.do("O9@2")
    game.do("end")
    assert game.stones[0]["owner"] is None
    assert game.turn == "south"
