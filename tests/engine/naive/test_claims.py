"""The naive model against positions worked out by hand: claims, rulings 12 to 20."""

import pytest

from tests.engine.naive.model import Options
from tests.engine.naive.proof import CLAN, claim, rank_name, strength
from tests.engine.naive.tables import cards, claims, give, lay, position


def test_ruling_12_two_cards_claim_nothing_even_if_nothing_can_beat_them() -> None:
    assert claim(cards("R9 R8"), [], CLAN, None, []) == (False, None)


def test_ruling_13_the_stronger_of_two_complete_sides_claims() -> None:
    game = position(options=Options(claim_timing="any_time"))
    lay(game, 1, "south", "O9 Y9 G8")
    lay(game, 1, "north", "R1 O2 Y3")
    lay(game, 2, "south", "R7 O8 Y9")
    lay(game, 2, "north", "O9 Y9 G8")
    assert claims(game) == {"!1"}


def test_ruling_14_no_completion_may_be_stronger() -> None:
    seen = ["G7", "G8"]
    stands, witness = claim(cards("R4 R5 R6"), ["G9"], seen, None, [])
    assert (stands, witness) == (True, None)
    stands, witness = claim(cards("R4 R5 R6"), ["G9"], ["G7"], None, [])
    assert stands
    stands, witness = claim(cards("R4 R5 R6"), ["G9"], [], None, [])
    assert not stands
    assert sorted(witness) == ["G7", "G8"]


def test_ruling_14_an_equal_completion_loses() -> None:
    assert claim(cards("R7 R8 R9"), [], [], None, []) == (True, None)


def test_ruling_14_the_claim_stands_when_too_few_unseen_cards_are_left() -> None:
    unseen = {"G8", "G9"}
    seen = [card for card in CLAN if card not in unseen]
    assert claim(cards("R1 O1 Y3"), [], seen, None, [])[0]
    assert not claim(cards("R1 O1 Y3"), ["B9"], seen, None, [])[0]


def test_ruling_15_cards_on_claimed_stones_and_in_the_discard_are_seen() -> None:
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


def test_ruling_15_the_claimers_own_hand_is_unseen() -> None:
    game = position(hand="G7 G8", options=Options(claim_timing="any_time"))
    lay(game, 1, "north", "R6 R7 R8")
    lay(game, 1, "south", "G9")
    assert claims(game) == set()


def test_ruling_16_unplayed_elite_troops_are_left_out_and_those_lying_there_count() -> None:
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
def test_ruling_17_elite_troops_take_their_best_value(text: str, rank: str, total: int) -> None:
    index, found = strength(cards(text), [])
    assert (rank_name(index), found) == (rank, total)


def test_ruling_17_a_value_may_equal_a_card_that_lies_elsewhere() -> None:
    assert claim(cards("JOK R8 R9"), cards("G9 G8"), ["R7"], None, [])[0]


def test_ruling_18_a_refused_claim_changes_nothing_and_has_a_counter_example() -> None:
    game = position(options=Options(claim_timing="any_time"))
    lay(game, 1, "north", "R6 R7 R8")
    lay(game, 1, "south", "G9")
    with pytest.raises(ValueError, match="not legal now: !1"):
        game.do("!1")
    assert (game.turn, game.phase, game.claimed) == ("north", "play", False)
    assert sorted(game.judge(1)[1]) == ["G7", "G8"]


def test_ruling_19_a_claimed_stone_is_closed() -> None:
    game = position(hand="R9 STR BAN TRA BMB SPY")
    lay(game, 1, "north", "R1")
    lay(game, 1, "south", "G1")
    give(game, "south", 1)
    open_stones = range(2, 10)
    assert game.legal() == {f"{card}@{n}" for card in ("R9", "BMB", "SPY") for n in open_stones}


def test_ruling_20_several_stones_in_one_turn() -> None:
    game = position()
    lay(game, 1, "north", "R7 R8 R9")
    lay(game, 3, "north", "G7 G8 G9")
    game.do("O9@5")
    game.do("!3")
    assert game.legal() == {"!1", "+C"}
    game.do("!1")
    assert game.held("north") == [1, 3]
    assert game.turn == "south"


def test_ruling_20_the_winning_claim_is_the_last() -> None:
    game = position()
    give(game, "north", 2, 3)
    lay(game, 1, "north", "R7 R8 R9")
    lay(game, 5, "north", "G7 G8 G9")
    game.do("O9@6")
    game.do("!1")
    assert game.over
    assert game.legal() == set()
