"""The end of a round is solved exactly once both hands are known."""

import random
from copy import deepcopy
from pathlib import Path

import pytest

from engine.cards import CLAN_CARDS, bits
from engine.chain import to_event
from engine.record import from_text
from service.bots.analysis import turns_of, weigh
from service.bots.playout import Odds, Table, lay, mask_of, settle
from service.bots.strategist import Endgame, TooLarge
from tests.service.bots.tables import Sides, odds_of, table_of


def at_the_end(sides: Sides, hands: tuple[list[str], list[str]]) -> Table:
    """A table whose deck is empty: nothing is unseen but the hands."""
    table = table_of(sides, hands)
    table.unseen = bits([*hands[0], *hands[1]])
    return table


def by_trying_all(table: Table, player: int, odds: Odds, passed: bool = False) -> int:
    """The result by plain minimax."""
    winner = settle(table, odds)
    if winner >= 0:
        return 1 if winner == player else -1
    results = []
    for card in table.hands[player]:
        for stone in range(9):
            if table.lacking[player][stone] and table.owners[stone] < 0:
                after = deepcopy(table)
                lay(after, player, card, stone)
                results.append(-by_trying_all(after, 1 - player, odds))
    if not results:
        return 0 if passed else -by_trying_all(table, 1 - player, odds, True)
    return max(results)


def some_table(rng: random.Random) -> Table:
    """Three Stones are open, and six cards are left."""
    cards = rng.sample(CLAN_CARDS, 54)
    sides = {
        stone: ([cards.pop() for _ in range(3)], [cards.pop() for _ in range(3)])
        for stone in range(1, 7)
    }
    for stone in (7, 8, 9):
        sides[stone] = (
            [cards.pop() for _ in range(rng.choice((1, 2)))],
            [cards.pop() for _ in range(rng.choice((1, 2)))],
        )
    hands = [cards.pop() for _ in range(3)], [cards.pop() for _ in range(3)]
    return at_the_end(sides, hands)


@pytest.mark.parametrize("seed", range(12))
def test_it_is_what_trying_all_gives(seed: int) -> None:
    table = some_table(random.Random(seed))
    odds = odds_of(table)
    settled = deepcopy(table)
    assert Endgame(odds).result(table, 0) == by_trying_all(settled, 0, odds)


def test_the_table_stays() -> None:
    table = some_table(random.Random(1))
    before = deepcopy(table)
    Endgame(odds_of(table)).result(table, 0)
    assert table == before


def test_a_large_one_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.bots.strategist.POSITIONS", 3)
    table = some_table(random.Random(6))
    with pytest.raises(TooLarge):
        Endgame(odds_of(table)).result(table, 0)


def test_whoever_waits_loses_to_a_stone_that_the_other_can_prove() -> None:
    sides = {
        2: (["G1", "B4", "P2"], ["R1", "R2", "R3"]),
        3: (["Y1", "O5", "G2"], ["P1", "P3", "P4"]),
        4: (["O9", "G9"], ["O8", "P9"]),
        6: (["B1"], []),
    }
    table = at_the_end(sides, (["R5"], ["Y9"]))
    assert table.sides[1][3] == mask_of(["O8", "P9"])
    assert Endgame(odds_of(table)).result(table, 1) == 1


def test_a_win_that_was_thrown_away_at_the_end_costs_all_of_it() -> None:
    """A game against the shepherd: its player passed over the winning card, and so did the bot."""
    text = Path(__file__).with_name("thrown_win.txt").read_text()
    turns = {turn.seq: turn for turn in turns_of(map(to_event, from_text(text)))}
    for seq, played, better in ((136, "R7@6", "P1@7"), (138, "O3@6", "Y9@4")):
        weighed = weigh(turns[seq])
        assert weighed.played == played
        assert better in weighed.best
        assert weighed.chance == (0, 0)
        assert weighed.loss == (1, 0)
