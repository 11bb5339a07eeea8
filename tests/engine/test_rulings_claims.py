"""Rulings 8 to 20: formations, who completed first, and claims."""

from itertools import pairwise
from typing import Any

import pytest

from engine import legal, proofs
from engine.cards import ALL_CLAN, CLAN_CARDS, bits
from engine.claims import judge
from engine.formations import RANKS, formation
from tests.engine.positions import options, play, position, refusal, stone


def rank(cards: str, bluff: bool = False) -> tuple[str, int]:
    found = formation(tuple(cards.split()), bluff)
    return RANKS[found.rank], found.total


def verdict(
    mine: str, theirs: str, seen: str = "", first: str | None = None, modes: str = ""
) -> Any:
    here = tuple(mine.split()), tuple(theirs.split())
    unseen = ALL_CLAN & ~bits((*here[0], *here[1], *seen.split()))
    return judge(*here, unseen, first, tuple(modes.split()))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("R7 R9 R8", ("color-run", 24)),
        ("R7 G7 B7", ("three-of-a-kind", 21)),
        ("P1 P5 P9", ("color", 15)),
        ("R3 G1 B2", ("run", 6)),
        ("R9 G8 B6", ("sum", 23)),
        ("R9 G1 B2", ("sum", 12)),
    ],
)
def test_ruling_8_formations_in_any_order_of_playing(cards: str, expected: tuple[str, int]) -> None:
    assert rank(cards) == expected


def test_ruling_8_each_rank_beats_the_best_of_the_next() -> None:
    ladder = ["R1 R2 R3", "R1 G1 B1", "R1 R2 R4", "R1 G2 B3", "R9 G9 B8"]
    for stronger, weaker in pairwise(ladder):
        assert verdict(stronger, weaker).reason == "stronger"
        assert verdict(weaker, stronger).reason == "weaker"


def test_ruling_9_the_higher_total_wins_within_a_rank() -> None:
    assert verdict("R4 R5 R6", "G3 G4 G5").stands
    assert not verdict("G3 G4 G5", "R4 R5 R6").stands


def test_ruling_9_of_equal_totals_the_side_completed_first_wins() -> None:
    assert verdict("R1 R2 R3", "G1 G2 G3", first="mine").reason == "completed-first"
    later = verdict("R1 R2 R3", "G1 G2 G3", first="theirs")
    assert (later.stands, later.reason) == (False, "completed-later")


def test_ruling_10_a_side_is_completed_when_it_last_reached_its_full_size() -> None:
    game = position(
        {1: "R1 R2 R3 | G1 G2 G3"}, south="BAN", north="R4 B5", turn="south", tactics=True, clan=""
    )
    assert game.stone(1).completed_first == "north"
    game = play(game, "BAN:R2@1 end")
    assert game.stone(1).completed_first == "south"
    assert play(game, "R4@1").stone(1).completed_first == "south"


def test_ruling_10_a_mud_fight_makes_complete_sides_incomplete() -> None:
    game = position({1: "R1 R2 R3 | G1 G2 G3"}, north="MUD", tactics=True, clan="")
    game = play(game, "MUD@1")
    assert game.stone(1).completed_first is None
    assert proofs(game, "north") == []


def test_ruling_11_formations_of_a_mud_fight_are_of_four_cards() -> None:
    assert rank("R4 R5 R6 R7") == ("color-run", 22)
    assert rank("R4 G4 B4 P4") == ("three-of-a-kind", 16)
    assert rank("R1 R2 R3 R5") == ("color", 11)
    assert rank("R1 G2 B3 P4") == ("run", 10)
    assert rank("R4 R5 R6 G6") == ("sum", 21)


def test_ruling_11_blind_mans_bluff_counts_the_total_alone() -> None:
    assert rank("R1 R2 R3", bluff=True) == ("sum", 6)
    assert verdict("R9 G8 B1", "R1 R2 R3", modes="BMB").stands


def test_ruling_11_both_modes_together_ask_for_the_total_of_four() -> None:
    assert verdict("R9 G8 B1 P1", "R1 R2 R3 R4", modes="BMB MUD").stands
    assert verdict("R9 G8 B1", "R1 R2 R3 R4", modes="BMB MUD").reason == "incomplete"


def test_ruling_11_a_combat_mode_takes_no_room_and_may_lie_on_full_sides() -> None:
    full = {1: "R1 R2 R3 | G1 G2 G3"}
    game = play(position(full, north="BMB", tactics=True, clan=""), "BMB@1")
    assert game.stone(1).modes == ("BMB",)
    assert game.stone(1).completed_first == "north"


def test_ruling_11_no_ruse_touches_a_combat_mode() -> None:
    game = position({1: "| | MUD"}, north="STR BAN TRA", tactics=True)
    assert not any(text[:3] in ("STR", "BAN", "TRA") for text in legal(game))


def test_ruling_12_the_claimers_side_has_to_be_complete() -> None:
    refused = refusal(position({1: "R9 R8 | G1"}, north="B1", edition="community"), "!1")
    assert (refused.refusal, refused.ruling) == ("incomplete", 12)


def test_ruling_13_against_a_complete_side_the_stronger_formation_decides() -> None:
    assert verdict("R9 R8 R7", "G9 B9 P9").reason == "stronger"


def test_ruling_14_a_claim_stands_when_no_completion_is_stronger() -> None:
    assert verdict("R9 R8 R7", "G1").reason == "unbeatable"
    assert verdict("G7 G8 G6", "R9").counterexample == ("R8", "R7")


def test_ruling_14_an_equal_completion_is_completed_later_and_loses() -> None:
    assert verdict("R9 R8 R7", "").stands


def test_ruling_14_too_few_unseen_cards_to_complete_the_side() -> None:
    seen = " ".join(
        f"{c}{s}"
        for c in "ROYGBP"
        for s in range(1, 10)
        if f"{c}{s}" not in ("R1", "G3", "B6", "P9", "P8")
    )
    found = verdict("R1 G3 B6", "P9", seen=seen)
    assert (found.stands, found.reason) == (True, "cannot-be-completed")


def test_ruling_14_just_enough_unseen_cards_to_complete_the_side() -> None:
    face_up = " ".join(card for card in CLAN_CARDS if card not in ("R1", "R2", "R3", "O1", "Y2"))
    found = verdict("SHB O1 Y2", "R2 R3", face_up)
    assert (found.reason, found.counterexample) == ("beatable", ("R1",))


def test_ruling_15_only_face_up_cards_count_as_seen_the_claimers_hand_does_not() -> None:
    stones = {1: "G6 G7 G8 | R9"}
    assert refusal(position(stones, north="R8", edition="community"), "!1").counterexample == [
        "R8",
        "R7",
    ]


def test_ruling_15_claimed_stones_and_the_discard_are_seen() -> None:
    lies = stone("R8 B1 B2 | O1 O2 O3", owner="south")
    assert options(position({1: "G6 G7 G8 | R9", 2: lies}, edition="community"), "!1") == {"!1"}
    assert options(position({1: "G6 G7 G8 | R9"}, discard="R7", edition="community"), "!1") == {
        "!1"
    }


def test_ruling_16_unplayed_tactic_cards_are_left_out_of_the_proof() -> None:
    game = position(
        {1: "G6 G7 G8 | R9", 2: "R8 | R7"}, south="JOK TRA", tactics=True, edition="community"
    )
    assert options(game, "!1") == {"!1"}


def test_ruling_16_elite_troops_on_the_stone_count_at_their_best() -> None:
    assert verdict("G7 G8 G6", "R9 JOK", seen="R8").counterexample == ("R7",)


def test_ruling_17_the_joker_takes_any_identity() -> None:
    assert formation(("R7", "R8", "JOK"), False).values == ("R7", "R8", "R9")
    assert rank("R7 G7 JOK") == ("three-of-a-kind", 21)


def test_ruling_17_the_spy_is_a_seven_of_any_colour() -> None:
    assert formation(("R8", "SPY", "R9"), False).values == ("R8", "R7", "R9")
    assert rank("R1 R2 SPY") == ("color", 10)


def test_ruling_17_the_shield_bearer_is_a_one_two_or_three() -> None:
    assert formation(("G4", "G2", "SHB"), False).values == ("G4", "G2", "G3")
    assert formation(("G3", "G2", "SHB"), False).total == 6
    assert rank("G9 B9 SHB") == ("sum", 21)


def test_ruling_17_a_value_may_equal_a_card_that_lies_elsewhere() -> None:
    assert verdict("R7 R8 JOK", "R9 G9 B8").mine.values == ("R7", "R8", "R9")


def test_ruling_18_a_refused_claim_costs_nothing_and_shows_what_beats_it() -> None:
    game = position({1: "G6 G7 G8 | R9"}, north="B1", edition="community")
    refused = refusal(game, "!1")
    assert refused.code == "claim-not-proven"
    assert refused.counterexample == ["R8", "R7"]
    assert "!1" not in legal(game)
    assert game.turn == "north"


def test_ruling_18_the_opponents_better_formation_is_the_counter_example() -> None:
    game = position({1: "G6 G7 B8 | R9 JOK R8"}, edition="community")
    assert refusal(game, "!1").counterexample == ["R9", "R7", "R8"]


CLAIMED = stone("R9 R8 R7 | G1", owner="north")


def test_ruling_19_no_card_is_played_to_a_claimed_stone() -> None:
    game = position({1: CLAIMED}, south="G2 MUD", turn="south", tactics=True)
    assert {"G2@1", "MUD@1"}.isdisjoint(legal(game))
    assert refusal(game, "G2@1").ruling == 19
    assert refusal(game, "MUD@1").ruling == 19


def test_ruling_19_no_ruse_reaches_a_claimed_stone() -> None:
    game = position({1: CLAIMED, 2: "| G5"}, south="BAN TRA STR", turn="south", tactics=True)
    assert {text for text in legal(game) if "@1" in text or ">1" in text} == set()
    assert refusal(game, "BAN:R9@1").ruling == 19
    assert refusal(game, "STR:G5@2>1").ruling == 19


def test_ruling_19_a_claimed_stone_is_not_claimed_again() -> None:
    assert refusal(position({1: CLAIMED}, edition="community"), "!1").ruling == 19


def test_ruling_20_several_stones_in_one_turn_one_after_the_other() -> None:
    stones = {1: "R9 R8 R7 | G1", 5: "O9 O8 O7 | G2"}
    assert play(position(stones, edition="community"), "!1 !5").stones_of("north") == [1, 5]


def test_ruling_20_the_winning_claim_ends_the_game_and_nothing_follows_it() -> None:
    stones = {n: f"{c}9 {c}8 {c}7 |" for n, c in zip((1, 2, 3, 7), "ROYG", strict=True)}
    game = position(stones, edition="community")
    assert refusal(game, "!1 !2 !3 !7").ruling == 20
    game = play(game, "!1 !2 !3")
    assert (game.over, game.stones_of("north")) == (True, [1, 2, 3])
