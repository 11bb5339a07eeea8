"""The rule by which a table is played on, and the chance of winning that it leads to."""

import random

import pytest

from engine.cards import bits
from service.bots.playout import mask_of, play_on, settle
from service.bots.strategist import chance
from tests.service.bots.tables import odds_of, table_of


def test_a_player_completes_what_wins_a_stone_at_once() -> None:
    table = table_of({5: (["R7", "R8"], ["G1", "B4"])}, (["P2", "R9", "O4"], ["Y1"]))
    play_on(table, 0, 1, odds_of(table), random.Random(1))
    assert table.sides[0][4] == mask_of(["R7", "R8", "R9"])
    assert table.owners[4] == 0


def test_a_player_wins_the_round_whatever_else_a_card_is_worth() -> None:
    won = (["R1", "R2", "R3"], ["G1", "B4"])
    sides = {
        2: won,
        3: (["P1", "P2", "P3"], ["Y1", "O5"]),
        4: (["O8", "P9"], ["O9", "G9"]),
        6: (["G5", "G6"], ["B1", "P4"]),
    }
    table = table_of(sides, (["Y9", "G7"], ["B2"]))
    table.unseen = bits(["Y9", "G7", "B2", "Y2"])
    settle(table, odds_of(table))
    assert play_on(table, 0, 1, odds_of(table), random.Random(1)) == 0
    assert table.owners[3] == 0


def test_a_player_keeps_a_card_for_the_side_that_counts_on_it() -> None:
    sides = {4: (["R7", "R8"], []), 6: (["B9", "G9"], [])}
    table = table_of(sides, (["R9", "O9"], ["Y1"]))
    play_on(table, 0, 3, odds_of(table), random.Random(1))
    assert table.sides[0][3] == mask_of(["R7", "R8", "R9"])
    assert table.sides[0][5] == mask_of(["B9", "G9", "O9"])


def test_whoever_has_played_draws_the_next_card() -> None:
    table = table_of({}, (["R1"], ["G1"]), deck=["B7", "B8"])
    play_on(table, 0, 2, odds_of(table), random.Random(1))
    assert table.hands == ([mask_of(["B8"])], [mask_of(["B7"])])


def test_three_adjacent_stones_win() -> None:
    won = (["R7", "R8", "R9"], ["G1", "B4"])
    sides = {3: won, 4: (["G7", "G8", "G9"], ["P1", "O4"]), 5: (["B7", "B8", "B9"], ["Y1", "O5"])}
    table = table_of(sides, ([], []))
    assert settle(table, odds_of(table)) == 0


@pytest.mark.parametrize("seed", range(5))
def test_a_mirrored_table_gives_the_mirrored_chance(seed: int) -> None:
    sides = {2: (["R7"], ["G1", "G2"]), 5: (["B5", "P5", "Y5"], ["O4"]), 7: (["G8", "B8"], [])}
    hands = (["R8", "O9", "Y2"], ["P8", "R1", "O5"])
    table, mirrored = (
        table_of(sides, hands),
        table_of({stone: (theirs, mine) for stone, (mine, theirs) in sides.items()}, hands[::-1]),
    )
    winner = play_on(table, 0, 2, odds_of(table), random.Random(seed))
    mirror = play_on(mirrored, 1, 2, odds_of(mirrored), random.Random(seed))
    assert winner == mirror == -1
    share = chance(table, winner, 0, odds_of(table))
    assert share == pytest.approx(1 - chance(mirrored, mirror, 1, odds_of(mirrored)))
