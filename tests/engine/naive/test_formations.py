"""The naive model against positions worked out by hand: formations, rulings 8 to 11."""

import pytest

from tests.engine.naive.proof import claim, rank_name, strength
from tests.engine.naive.tables import cards, fill, lay, position, starting


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
def test_ruling_8_ranks(text: str, rank: str, total: int) -> None:
    index, found = strength(cards(text), [])
    assert (rank_name(index), found) == (rank, total)


def test_ruling_8_each_rank_beats_the_next_whatever_the_totals() -> None:
    sides = ["R1 R2 R3", "R1 O1 Y1", "R1 R2 R4", "R1 R2 O3", "R9 O9 Y8"]
    strengths = [strength(cards(side), []) for side in sides]
    assert strengths == sorted(strengths, reverse=True)


def test_ruling_9_the_higher_total_and_then_who_was_first() -> None:
    assert claim(cards("R2 O3 Y4"), cards("R1 O2 Y3"), [], "theirs", [])[0]
    assert claim(cards("R2 O3 Y4"), cards("G2 B3 P4"), [], "mine", [])[0]
    assert not claim(cards("R2 O3 Y4"), cards("G2 B3 P4"), [], "theirs", [])[0]


def test_ruling_10_completing_a_side_again_sets_a_new_moment() -> None:
    game = position(hand="BAN R2", theirs="G1 G2")
    lay(game, 1, "south", "B3 P4 Y5")
    lay(game, 1, "north", "R3 O4 G5")
    assert game.stones[0]["completed_first"] == "south"
    game.do("BAN:Y5@1")
    assert game.stones[0]["completed_first"] == "north"
    lay(game, 1, "south", "P5")
    assert game.stones[0]["completed_first"] == "north"


def test_ruling_10_a_mud_fight_makes_complete_sides_incomplete() -> None:
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
def test_ruling_11_combat_modes(text: str, modes: list[str], rank: str, total: int) -> None:
    index, found = strength(cards(text), modes)
    assert (rank_name(index), found) == (rank, total)


def test_ruling_11_a_combat_mode_lies_on_the_stone_and_no_ruse_touches_it() -> None:
    game = position(hand="BMB STR R1", theirs="BAN G1")
    fill(game, "north", 2)
    game.do("BMB@2")
    assert game.stones[1]["modes"] == ["BMB"]
    assert starting(game, "BAN:") == {"BAN:R1@2", "BAN:G5@2", "BAN:B9@2"}
