"""Why a claim stands, in words."""

from service.core.words import ENGLISH
from service.text.claim_words import claim_states
from tests.engine.positions import position


def test_a_proven_claim_says_of_each_stronger_formation_why_it_cannot_come() -> None:
    found = claim_states(ENGLISH, position({1: "G4 B4 P4 | R7 R9", 2: "R8 Y1"}), "north")[1]
    assert found.claimable
    assert found.because == (
        "No colour run: Red 8 lies on Stone 2.",
        "No three of a kind: the other side’s cards cannot be part of one.",
    )


def test_of_the_claimers_own_rank_the_best_still_possible_is_named() -> None:
    game = position({1: "G1 G2 G4 | R1 B9", 2: "O2 P3"})
    assert claim_states(ENGLISH, game, "north")[1].because[-1] == (
        "No colour: the other side’s cards cannot be part of one."
    )
    game = position({1: "R1 G9 B9 | R2 B8"}, discard="R9 O9 Y9 P9")
    assert claim_states(ENGLISH, game, "north")[1].because[-1] == (
        "No sum above 19: 18 is the best still possible with Clan cards."
    )


def test_an_equal_formation_would_come_later() -> None:
    game = position({1: "G7 G8 G9 | R7 R8"})
    assert claim_states(ENGLISH, game, "north")[1].because == (
        "No colour run above 24: 24 is the best still possible with Clan cards,"
        " and it would be complete later.",
    )


def test_cards_are_named_by_where_they_lie_and_many_are_counted() -> None:
    few = position({1: "G4 B4 P4 | R7", 2: "R6 R8 O7 | Y7"}, discard="B7 R5 G7")
    assert (
        claim_states(ENGLISH, few, "north")[1]
        .because[0]
        .startswith("No colour run: Red 6 and Red 8 lie")
    )
    assert "Blue 7" in claim_states(ENGLISH, few, "north")[1].because[1]
    assert "in the discard" in claim_states(ENGLISH, few, "north")[1].because[1]
    assert claim_states(ENGLISH, position({1: "G4 B4 | R7 R9"}), "north")[1].because == ()


def test_a_counterexample_names_the_formation_that_would_beat_the_claim() -> None:
    found = claim_states(ENGLISH, position({1: "G3 B4 P5 | R6"}), "north")[1]
    assert found.words == (
        "Red 7 and Red 8 would make a colour run of 21 and beat your run of 12: not proven yet."
    )


def test_a_counterexample_in_the_own_hand_says_that_the_hand_proves_nothing() -> None:
    game = position({1: "G3 B4 P5 | R6"}, north="R8", south="R7")
    assert claim_states(ENGLISH, game, "north")[1].words == (
        "Red 7 and Red 8 would make a colour run of 21 and beat your run of 12: not proven yet."
        " Your own hand proves nothing: only cards that lie face-up do."
    )


def test_where_only_sums_count_the_counterexample_is_a_sum() -> None:
    game = position({1: "G9 B8 P1 | R9 G8 | BMB"})
    assert claim_states(ENGLISH, game, "north")[1].words == (
        "Orange 9 would make a sum of 26 and beat your sum of 18: not proven yet."
    )


def test_the_other_player_is_called_by_name_throughout() -> None:
    game = position({1: "G4 B4 P4 | R7 R9", 2: "R8 Y1", 3: "R1 R2 G5 | O5 O6 O4"})
    proven, beaten = (claim_states(ENGLISH, game, "north", "Bob")[stone] for stone in (1, 3))
    assert "can make Bob beat your three of a kind" in proven.words
    assert proven.because[-1] == "No three of a kind: Bob’s cards cannot be part of one."
    assert beaten.words == "Your sum of 8 loses to Bob’s colour run of 15."
