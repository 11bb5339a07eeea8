"""The naive model against positions worked out by hand from the rulings, by number."""

import random

import pytest

from tests.engine.naive.model import NaiveGame, NaiveMatch, Options, other
from tests.engine.naive.proof import (
    CLAN,
    TACTIC,
    claim,
    look_through_ranked,
    rank_name,
    strength,
    strength_with_shared_colour,
    try_each_completion,
)

PLAIN = Options()
TACTICS = Options(hand=7, tactics=True)
FULL_OF_SUMS = "R1 G5 B9"


def cards(text: str) -> list[str]:
    return text.split()


def position(
    hand: str = "R9 O9",
    theirs: str = "B1 P1",
    options: Options = TACTICS,
    clan: str = "Y1 Y2 Y3 Y4",
    tactic: str = "",
) -> NaiveGame:
    """North to play, with these hands and decks and an empty border."""
    game = NaiveGame(options, "north", CLAN, TACTIC)
    game.hands = {"north": cards(hand), "south": cards(theirs)}
    game.clan_deck, game.tactic_deck = cards(clan), cards(tactic)
    return game


def lay(game: NaiveGame, number: int, seat: str, text: str) -> None:
    """Lay cards on a side, after all that lies there already."""
    game.stones[number - 1][seat] += cards(text)
    game.note_completions()


def give(game: NaiveGame, seat: str, *numbers: int) -> None:
    for number in numbers:
        game.stones[number - 1]["owner"] = seat


def fill(game: NaiveGame, seat: str, *numbers: int) -> None:
    """Leave a seat no room on these Stones (the cards are repeated: only the room matters)."""
    for number in numbers:
        lay(game, number, seat, FULL_OF_SUMS)


def claims(game: NaiveGame) -> set[str]:
    return {text for text in game.legal() if text.startswith("!")}


def starting(game: NaiveGame, prefix: str) -> set[str]:
    return {text for text in game.legal() if text.startswith(prefix)}


# -- setup and the turn ----------------------------------------------------------------------


def test_ruling_1_cards_are_dealt_one_at_a_time_beginning_with_the_first_player():
    game = NaiveGame(PLAIN, "south", CLAN)
    assert game.hands["south"] == cards("R1 R3 R5 R7 R9 O2")
    assert game.hands["north"] == cards("R2 R4 R6 R8 O1 O3")
    assert game.clan_deck[0] == "O4"


def test_ruling_1_with_tactics_each_has_seven_clan_cards_and_no_tactic_card():
    game = NaiveGame(TACTICS, "north", CLAN, TACTIC)
    assert len(game.hands["north"]) == len(game.hands["south"]) == 7
    assert len(game.clan_deck) == 40
    assert game.tactic_deck == TACTIC


def test_ruling_2_the_winner_of_a_round_begins_the_next():
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 2)
    match.resign("north")
    assert (match.round, match.game.turn) == (2, "south")


@pytest.mark.parametrize(
    ("timing", "before", "after"),
    [("after_play", False, True), ("before_play", True, False), ("any_time", True, True)],
)
def test_ruling_3_claims_are_open_before_or_after_the_play(timing, before, after):
    game = position(options=Options(claim_timing=timing))
    lay(game, 1, "north", "R7 R8 R9")
    assert ("!1" in game.legal()) is before
    game.hands["north"] = ["O9"]
    game.tactic_deck = ["JOK"]
    game.do("O9@2")
    assert (game.turn == "north" and "!1" in game.legal()) is after


def test_ruling_3_no_claim_after_the_draw_at_any_time():
    game = position(options=Options(claim_timing="any_time"))
    lay(game, 1, "north", "R7 R8 R9")
    game.do("O9@2")
    assert game.legal() == {"!1", "+C"}
    game.do("+C")
    assert game.turn == "south"


def test_ruling_4_a_side_has_room_for_three_and_for_four_in_a_mud_fight():
    game = position(hand="R9")
    lay(game, 1, "north", "G1 G2 G4")
    assert "R9@1" not in game.legal()
    game.stones[0]["modes"] = ["MUD"]
    assert "R9@1" in game.legal()
    lay(game, 1, "north", "G5")
    assert "R9@1" not in game.legal()


def test_ruling_5_the_player_chooses_the_deck_and_draws_exactly_one_card():
    game = position(hand="R9 O9", tactic="SPY REC")
    game.do("R9@1")
    assert game.legal() == {"+C", "+T"}
    game.do("+T")
    assert game.hands["north"] == ["O9", "SPY"]
    assert (game.turn, game.phase) == ("south", "play")


def test_ruling_5_when_one_deck_is_left_the_draw_is_taken_by_itself():
    game = position(tactic="SPY", clan="")
    game.do("R9@1")
    assert game.hands["north"] == ["O9", "SPY"]
    assert game.turn == "south"


def test_ruling_5_with_empty_decks_play_goes_on():
    game = position(clan="")
    game.do("R9@1")
    assert game.hands["north"] == ["O9"]
    assert game.turn == "south"


def test_ruling_5_a_full_hand_draws_nothing():
    game = position(hand="JOK SPY SHB BMB MUD STR BAN", tactic="JOK")
    game.do("pass")
    assert len(game.hands["north"]) == 7
    assert game.turn == "south"


def test_ruling_6_no_pass_while_a_clan_card_can_be_placed():
    assert "pass" not in position().legal()


def test_ruling_6_pass_with_no_clan_card_though_a_tactic_card_may_be_played_instead():
    game = position(hand="SPY")
    assert game.legal() == {"pass"} | {f"SPY@{n}" for n in range(1, 10)}


def test_ruling_6_pass_with_no_room():
    game = position(hand="R9 MUD")
    fill(game, "north", *range(1, 10))
    assert game.legal() == {"pass"} | {f"MUD@{n}" for n in range(1, 10)}


def test_ruling_6_a_pass_may_be_followed_by_a_claim():
    game = position(hand="SPY")
    lay(game, 1, "north", "R7 R8 R9")
    game.do("pass")
    assert game.legal() == {"!1", "+C"}


def test_ruling_7_a_claim_may_be_left_out():
    game = position(hand="R9 O9", clan="")
    lay(game, 1, "north", "R7 R8 R9")
    game.do("O9@2")
    game.do("end")
    assert game.stones[0]["owner"] is None
    assert game.turn == "south"


# -- formations ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rank", "total"),
    [
        ("R3 R1 R2", "color-run", 6),
        ("R9 O9 Y9", "three-of-a-kind", 27),
        ("R9 R8 R6", "color", 23),
        ("R9 O8 Y7", "run", 24),
        ("R9 O9 Y8", "sum", 26),
        ("R9 O1 Y2", "sum", 12),
        ("R9 R1 R2", "color", 12),
    ],
)
def test_ruling_8_ranks(text, rank, total):
    index, found = strength(cards(text), [])
    assert (rank_name(index), found) == (rank, total)


def test_ruling_8_each_rank_beats_the_next_whatever_the_totals():
    sides = ["R1 R2 R3", "R1 O1 Y1", "R1 R2 R4", "R1 R2 O3", "R9 O9 Y8"]
    strengths = [strength(cards(side), []) for side in sides]
    assert strengths == sorted(strengths, reverse=True)


def test_ruling_9_the_higher_total_and_then_who_was_first():
    assert claim(cards("R2 O3 Y4"), cards("R1 O2 Y3"), [], "theirs", [])[0]
    assert claim(cards("R2 O3 Y4"), cards("G2 B3 P4"), [], "mine", [])[0]
    assert not claim(cards("R2 O3 Y4"), cards("G2 B3 P4"), [], "theirs", [])[0]


def test_ruling_10_completing_a_side_again_sets_a_new_moment():
    game = position(hand="BAN R2", theirs="G1 G2")
    lay(game, 1, "south", "B3 P4 Y5")
    lay(game, 1, "north", "R3 O4 G5")
    assert game.stones[0]["completed_first"] == "south"
    game.do("BAN:Y5@1")
    assert game.stones[0]["completed_first"] == "north"
    lay(game, 1, "south", "P5")
    assert game.stones[0]["completed_first"] == "north"


def test_ruling_10_a_mud_fight_makes_complete_sides_incomplete():
    game = position(hand="MUD R2")
    lay(game, 1, "south", "B3 P4 Y5")
    lay(game, 1, "north", "R3 O4 G5")
    game.do("MUD@1")
    assert game.stones[0]["completed_first"] is None
    lay(game, 1, "north", "R7")
    lay(game, 1, "south", "P1")
    assert game.stones[0]["completed_first"] == "north"


@pytest.mark.parametrize(
    ("text", "modes", "rank", "total"),
    [
        ("R4 R1 R2 R3", ["MUD"], "color-run", 10),
        ("R9 O9 Y9 G9", ["MUD"], "three-of-a-kind", 36),
        ("R9 O9 Y9 G8", ["MUD"], "sum", 35),
        ("R1 R2 R3 R5", ["MUD"], "color", 11),
        ("R1 R2 R3 O4", ["MUD"], "run", 10),
        ("R1 R2 R3", ["BMB"], "sum", 6),
        ("R1 R2 R3 R4", ["BMB", "MUD"], "sum", 10),
        ("JOK JOK SPY SHB", ["MUD", "BMB"], "sum", 28),
    ],
)
def test_ruling_11_combat_modes(text, modes, rank, total):
    index, found = strength(cards(text), modes)
    assert (rank_name(index), found) == (rank, total)


def test_ruling_11_a_combat_mode_lies_on_the_stone_and_no_ruse_touches_it():
    game = position(hand="BMB STR R1", theirs="BAN G1")
    fill(game, "north", 2)
    game.do("BMB@2")
    assert game.stones[1]["modes"] == ["BMB"]
    assert starting(game, "BAN:") == {"BAN:R1@2", "BAN:G5@2", "BAN:B9@2"}


# -- claiming --------------------------------------------------------------------------------


def test_ruling_12_two_cards_claim_nothing_even_if_nothing_can_beat_them():
    assert claim(cards("R9 R8"), [], CLAN, None, []) == (False, None)


def test_ruling_13_the_stronger_of_two_complete_sides_claims():
    game = position(options=Options(claim_timing="any_time"))
    lay(game, 1, "south", "O9 Y9 G8")
    lay(game, 1, "north", "R1 O2 Y3")
    lay(game, 2, "south", "R7 O8 Y9")
    lay(game, 2, "north", "O9 Y9 G8")
    assert claims(game) == {"!1"}


def test_ruling_14_no_completion_may_be_stronger():
    seen = ["G7", "G8"]
    stands, witness = claim(cards("R4 R5 R6"), ["G9"], seen, None, [])
    assert (stands, witness) == (True, None)
    stands, witness = claim(cards("R4 R5 R6"), ["G9"], ["G7"], None, [])
    assert stands
    stands, witness = claim(cards("R4 R5 R6"), ["G9"], [], None, [])
    assert not stands
    assert sorted(witness) == ["G7", "G8"]


def test_ruling_14_an_equal_completion_loses():
    assert claim(cards("R7 R8 R9"), [], [], None, []) == (True, None)


def test_ruling_14_the_claim_stands_when_too_few_unseen_cards_are_left():
    unseen = {"G8", "G9"}
    seen = [card for card in CLAN if card not in unseen]
    assert claim(cards("R1 O1 Y3"), [], seen, None, [])[0]
    assert not claim(cards("R1 O1 Y3"), ["B9"], seen, None, [])[0]


def test_ruling_15_cards_on_claimed_stones_and_in_the_discard_are_seen():
    game = position(options=Options(claim_timing="any_time"))
    lay(game, 1, "north", "R6 R7 R8")
    lay(game, 1, "south", "G9")
    assert claims(game) == set()
    lay(game, 2, "south", "G8")
    give(game, "south", 2)
    assert claims(game) == {"!1"}
    game.stones[1]["south"].clear()
    game.discard.append("G8")
    assert claims(game) == {"!1"}


def test_ruling_15_the_claimers_own_hand_is_unseen():
    game = position(hand="G7 G8", options=Options(claim_timing="any_time"))
    lay(game, 1, "north", "R6 R7 R8")
    lay(game, 1, "south", "G9")
    assert claims(game) == set()


def test_ruling_16_unplayed_elite_troops_are_left_out_and_those_lying_there_count():
    assert claim(cards("R6 R7 R8"), ["G9"], ["G8"], None, [])[0]
    assert not claim(cards("R6 R7 R8"), cards("G9 JOK"), ["G8"], None, [])[0]


@pytest.mark.parametrize(
    ("text", "rank", "total"),
    [
        ("JOK R8 R9", "color-run", 24),
        ("JOK R8 O8", "three-of-a-kind", 24),
        ("JOK R1 R9", "color", 19),
        ("JOK R1 O9", "sum", 19),
        ("SPY R8 R9", "color-run", 24),
        ("SPY R9 R9", "color", 25),
        ("SPY O7 Y7", "three-of-a-kind", 21),
        ("SHB R4 R5", "color-run", 12),
        ("SHB R4 R2", "color-run", 9),
        ("SHB O2 Y2", "three-of-a-kind", 6),
        ("SHB R8 O9", "sum", 20),
        ("JOK SPY SHB", "color", 19),
        ("JOK JOK R9", "color-run", 24),
        ("JOK JOK SHB", "color-run", 12),
    ],
)
def test_ruling_17_elite_troops_take_their_best_value(text, rank, total):
    index, found = strength(cards(text), [])
    assert (rank_name(index), found) == (rank, total)


def test_ruling_17_a_value_may_equal_a_card_that_lies_elsewhere():
    assert claim(cards("JOK R8 R9"), cards("G9 G8"), ["R7"], None, [])[0]


def test_ruling_18_a_refused_claim_changes_nothing_and_has_a_counter_example():
    game = position(options=Options(claim_timing="any_time"))
    lay(game, 1, "north", "R6 R7 R8")
    lay(game, 1, "south", "G9")
    with pytest.raises(ValueError, match="not legal now: !1"):
        game.do("!1")
    assert (game.turn, game.phase, game.claimed) == ("north", "play", False)
    assert sorted(game.judge(1)[1]) == ["G7", "G8"]


def test_ruling_19_a_claimed_stone_is_closed():
    game = position(hand="R9 STR BAN TRA BMB SPY")
    lay(game, 1, "north", "R1")
    lay(game, 1, "south", "G1")
    give(game, "south", 1)
    open_stones = range(2, 10)
    assert game.legal() == {f"{card}@{n}" for card in ("R9", "BMB", "SPY") for n in open_stones}


def test_ruling_20_several_stones_in_one_turn():
    game = position()
    lay(game, 1, "north", "R7 R8 R9")
    lay(game, 3, "north", "G7 G8 G9")
    game.do("O9@5")
    game.do("!3")
    assert game.legal() == {"!1", "+C"}
    game.do("!1")
    assert game.held("north") == [1, 3]
    assert game.turn == "south"


def test_ruling_20_the_winning_claim_is_the_last():
    game = position()
    give(game, "north", 2, 3)
    lay(game, 1, "north", "R7 R8 R9")
    lay(game, 5, "north", "G7 G8 G9")
    game.do("O9@6")
    game.do("!1")
    assert game.over
    assert game.legal() == set()


# -- tactic cards ----------------------------------------------------------------------------


def test_ruling_21_a_player_may_be_one_tactic_card_ahead():
    game = position(hand="SPY SHB R1", theirs="MUD G1")
    game.do("SPY@1")
    game.do("G1@1")
    assert starting(game, "SHB") == set()
    game.tactics_played["south"] = 1
    assert "SHB@1" in game.legal()


def test_ruling_22_one_joker_per_game():
    game = position(hand="JOK JOK STR R1", theirs="G1")
    game.tactics_played["south"] = 9
    game.do("JOK@1")
    game.do("G1@2")
    assert "STR:JOK@1>x" in game.legal()
    game.do("STR:JOK@1>x")
    game.turn = "north"
    assert starting(game, "JOK") == set()


def test_ruling_22_one_joker_on_the_table():
    options = Options(hand=7, tactics=True, joker_limit="one_on_table")
    game = position(hand="JOK R1", options=options)
    lay(game, 1, "north", "JOK")
    assert starting(game, "JOK") == set()
    give(game, "north", 1)
    assert starting(game, "JOK") == set()
    game.stones[0]["north"].clear()
    assert "JOK@2" in game.legal()


def test_ruling_22_the_opponents_joker_is_no_bar():
    options = Options(hand=7, tactics=True, joker_limit="one_on_table")
    game = position(hand="JOK R1", options=options)
    lay(game, 1, "south", "JOK")
    assert "JOK@1" in game.legal()


def test_ruling_23_the_recruiter_draws_three_and_returns_two():
    game = position(hand="REC R9", tactic="JOK SPY", clan="Y1 Y2 Y3")
    assert starting(game, "REC") == {"REC:CCC", "REC:CCT", "REC:CTT"}
    game.do("REC:TCC")
    assert sorted(game.hands["north"]) == ["JOK", "R9", "Y1", "Y2"]
    assert game.phase == "return"
    assert game.legal() == {"-R9,Y1", "-R9,Y2", "-R9,JOK", "-Y1,Y2", "-Y1,JOK", "-Y2,JOK"}
    game.do("-Y2,R9")
    assert game.clan_deck == ["Y3", "Y2", "R9"]
    assert game.discard == ["REC"]


def test_ruling_23_each_card_goes_under_its_own_deck():
    game = position(hand="REC R9 SPY", tactic="JOK", clan="Y1 Y2 Y3")
    game.do("REC:CCC")
    game.do("-R9,SPY")
    assert game.clan_deck == ["R9"]
    assert game.tactic_deck == ["JOK", "SPY"]


@pytest.mark.parametrize(
    ("clan", "tactic", "draws"),
    [("Y1", "SPY", {"REC:CT"}), ("", "SPY", {"REC:T"}), ("", "", set())],
)
def test_ruling_23_fewer_are_drawn_when_fewer_are_left(clan, tactic, draws):
    game = position(hand="REC R9", clan=clan, tactic=tactic)
    assert starting(game, "REC") == draws


def test_ruling_23_all_are_returned_when_the_hand_holds_fewer_than_two():
    game = position(hand="REC", clan="Y1")
    game.do("REC:C")
    assert game.legal() == {"-Y1"}


def test_ruling_23_a_hand_still_short_after_the_return_draws_one_card():
    game = position(hand="REC R9 O9", clan="Y1")
    game.do("REC:C")
    game.do("-O9,R9")
    assert game.hands["north"] == ["Y1", "O9"]
    assert game.turn == "south"


def test_ruling_24_the_strategist_moves_or_discards_an_own_card():
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


def test_ruling_25_the_banshee_discards_an_opposing_clan_or_elite_card():
    game = position(hand="BAN R9")
    lay(game, 1, "south", "G4 SHB")
    lay(game, 2, "south", "G5")
    give(game, "south", 2)
    assert starting(game, "BAN") == {"BAN:G4@1", "BAN:SHB@1"}
    game.do("BAN:SHB@1")
    assert game.stones[0]["south"] == ["G4"]
    assert game.discard == ["BAN", "SHB"]


def test_ruling_26_the_traitor_takes_a_clan_card_to_the_same_stone_or_another():
    game = position(hand="TRA R9")
    lay(game, 1, "south", "G4 SHB")
    fill(game, "north", 2)
    give(game, "south", *range(4, 10))
    assert starting(game, "TRA") == {"TRA:G4@1>1", "TRA:G4@1>3"}
    game.do("TRA:G4@1>1")
    assert (game.stones[0]["north"], game.stones[0]["south"]) == (["G4"], ["SHB"])


def test_ruling_27_a_ruse_without_a_target_cannot_be_played():
    game = position(hand="REC STR BAN TRA", clan="", tactic="")
    lay(game, 1, "south", "SPY")
    assert game.legal() == {"BAN:SPY@1", "pass"}


def test_ruling_28_hands_and_decks_are_counted_by_kind():
    game = NaiveGame(TACTICS, "north", CLAN, TACTIC)
    game.do("R1@1")
    game.do("+T")
    assert game.hands["north"].count("JOK") == 1
    assert (len(game.clan_deck), len(game.tactic_deck)) == (40, 9)


# -- the end ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "reason"),
    [((2, 3), "three-adjacent"), ((3, 5, 7, 9), "five-stones"), ((2, 3, 5, 7), "three-adjacent")],
)
def test_ruling_29_three_adjacent_stones_or_any_five_win_at_once(held, reason):
    game = position()
    give(game, "north", *held)
    give(game, "south", 8)
    lay(game, 1, "north", "R7 R8 R9")
    game.do("O9@4" if 4 not in held else "O9@6")
    game.do("!1")
    assert (game.over, game.winner, game.reason) == (True, "north", reason)
    assert game.scores == {"north": 5, "south": 1}
    assert (game.turn, game.phase) == (None, None)


def test_ruling_29_four_scattered_stones_do_not_win():
    game = position()
    give(game, "north", 3, 5, 7)
    lay(game, 1, "north", "R7 R8 R9")
    game.do("O9@4")
    game.do("!1")
    assert not game.over


def test_ruling_30_four_passes_in_a_row_end_the_round_drawn():
    game = position(hand="", theirs="", clan="")
    give(game, "south", 4)
    for _ in range(4):
        assert not game.over
        game.do("pass")
    assert (game.over, game.winner, game.reason) == (True, None, "stalemate")
    assert game.scores == {"north": 0, "south": 1}


def test_ruling_30_a_claim_in_a_turn_of_passing_starts_the_count_again():
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


def test_ruling_30_a_draw_in_a_turn_of_passing_starts_the_count_again():
    game = position(hand="SPY", theirs="SHB", clan="")
    for _ in range(3):
        game.do("pass")
    game.tactic_deck = ["REC"]
    game.do("pass")
    assert game.hands["south"] == ["SHB", "REC"]
    assert not game.over


def test_ruling_31_the_winner_scores_five_and_the_loser_one_a_stone():
    game = position()
    give(game, "north", 1, 4)
    give(game, "south", 2, 6, 8)
    game.time_out("north")
    assert (game.winner, game.reason) == ("south", "time-out")
    assert game.scores == {"north": 2, "south": 5}


def test_ruling_31_the_higher_total_wins_the_match():
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 3)
    give(match.game, "south", 1, 9)
    match.resign("south")
    match.time_out("north")
    assert not match.over
    assert match.scores == {"north": 5, "south": 7}
    match.resign("south")
    assert (match.over, match.winner, match.reason) == (True, "north", "resignation")
    assert match.scores == {"north": 10, "south": 7}


def test_ruling_31_equal_totals_draw_the_match():
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 2)
    match.resign("north")
    match.resign("south")
    assert (match.over, match.winner) == (True, None)


def stall(match: NaiveMatch) -> None:
    match.game.hands = {"north": [], "south": []}
    match.game.clan_deck = []
    for _ in range(4):
        match.do("pass")


def test_ruling_31_after_a_drawn_round_the_player_who_did_not_begin_it_begins():
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 2)
    give(match.game, "north", 1, 5)
    stall(match)
    assert (match.round, match.game.first) == (2, "south")
    assert match.scores == {"north": 2, "south": 0}


def test_ruling_31_a_single_drawn_round_has_no_winner():
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])])
    give(match.game, "north", 1, 5)
    stall(match)
    assert (match.over, match.winner, match.reason) == (True, None, "stalemate")


def test_ruling_31_an_abandoned_round_ends_the_match():
    match = NaiveMatch(PLAIN, "north", [(CLAN, [])] * 2)
    match.abandon()
    assert (match.over, match.winner, match.reason) == (True, None, "agreement")


# -- the shortcuts against trying everything ---------------------------------------------------


def test_choosing_only_values_finds_the_same_strength_as_trying_every_identity():
    rng = random.Random(17)
    for _ in range(60):
        troops = rng.sample(["JOK", "SPY", "SHB"], rng.randint(1, 2))
        modes = rng.sample(["MUD", "BMB"], rng.randint(0, 2))
        side = troops + rng.sample(CLAN, (4 if "MUD" in modes else 3) - len(troops))
        assert strength_with_shared_colour(side, modes) == strength(side, modes)


@pytest.mark.parametrize("modes", [[], ["BMB"], ["MUD"], ["MUD", "BMB"]])
def test_the_ranked_list_and_trying_each_completion_agree(modes):
    rng = random.Random(14)
    size = 4 if "MUD" in modes else 3
    for _ in range(25):
        shuffled = rng.sample(CLAN, 54)
        mine = [shuffled.pop() for _ in range(size)]
        theirs = [shuffled.pop() for _ in range(rng.randint(0, size - 1))]
        theirs[:1] = rng.choice([theirs[:1], ["JOK"][: len(theirs)], ["SHB"][: len(theirs)]])
        unseen = shuffled[: rng.randint(0, 22)]
        arguments = (strength(mine, modes), theirs, unseen, modes)
        fast, slow = look_through_ranked(*arguments), try_each_completion(*arguments)
        assert (fast is None) == (slow is None)
        if fast is not None:
            assert set(fast) <= set(unseen)
            assert strength((*theirs, *fast), modes) > strength(mine, modes)


@pytest.mark.parametrize("timing", ["after_play", "before_play", "any_time"])
@pytest.mark.parametrize("joker_limit", ["one_per_game", "one_on_table"])
def test_random_rounds_keep_every_card_and_come_to_an_end(timing, joker_limit):
    rng = random.Random(timing + joker_limit)
    for _ in range(5):
        decks = rng.sample(CLAN, 54), rng.sample(TACTIC, 10)
        game = NaiveGame(Options(7, True, timing, joker_limit), "north", *decks)
        while not game.over:
            assert all_cards(game) == sorted(CLAN + TACTIC)
            game.do(rng.choice(sorted(claims(game) or game.legal())))
        assert game.reason in {"three-adjacent", "five-stones", "stalemate"}
        assert game.winner is None or game.scores[game.winner] == 5
        assert game.winner is None or game.scores[other(game.winner)] < 5


def all_cards(game: NaiveGame) -> list[str]:
    lying = [s[where] for s in game.stones for where in ("north", "south", "modes")]
    piles = [*lying, *game.hands.values(), game.discard, game.clan_deck, game.tactic_deck]
    return sorted(card for pile in piles for card in pile)
