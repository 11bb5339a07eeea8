"""The cross table: what a program of another author is asked, and the ratings of a table."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bench.bots import KINDS, play
from bench.others.outsiders import Outsider
from bench.others.ratings import fit
from engine import View
from service.bots import BOTS

ADAPTER = """
import json, sys
for line in sys.stdin:
    position = json.loads(line)
    sys.stderr.write(line)
    plays = [f"{card}@{stone}" for card in position["hand"] for stone in range(1, 11)]
    print(json.dumps({"plays": plays[9:], "deck": "T"}), flush=True)
"""
"""Its first play is on Stone 10, which no table has."""


@pytest.fixture
def outsider() -> Iterator[Outsider]:
    command, pipe = [sys.executable, "-c", ADAPTER], subprocess.PIPE
    process = subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe, stderr=pipe)
    asked = Outsider(process)
    yield asked
    asked.close()
    process.stderr.close()
    process.stdout.close()


def test_a_program_that_errs_plays_its_best_legal_play_to_the_end(outsider: Outsider) -> None:
    steward = BOTS["steward"].choose
    assert play(KINDS["base"], 1, {"north": outsider.choose, "south": steward}).over
    asked = outsider.counts["asked"]
    assert asked > 10
    assert outsider.counts == {"asked": asked, "illegal": asked, "none legal": 0}


def test_a_program_is_asked_with_what_its_seat_may_see(outsider: Outsider) -> None:
    views = []

    def watched(view: View, rng: random.Random) -> str:
        views.append(view)
        return BOTS["random"].choose(view, rng)

    play(KINDS["tactics"], 2, {"north": watched, "south": watched})
    drawing = [view for view in views if "+T" in view.legal]
    playing = next(view for view in views if "@" in view.legal[0])
    assert outsider.choose(playing, random.Random(3)) in playing.legal
    position = json.loads(outsider.process.stderr.readline())
    assert position["hand"] == list(playing.own_cards)
    assert [stone["mine"] for stone in position["stones"]] == [
        list(stone.side(playing.seat)) for stone in playing.stones
    ]
    assert set(position) == {
        *("stones", "hand", "discard", "decks", "tactics_played", "joker_barred"),
        *("pending", "seed"),
    }
    assert {outsider.choose(view, random.Random(3)) for view in drawing} == {"+T"}


def test_ratings_of_a_table_give_the_shares_that_it_holds() -> None:
    table = {("a", "b"): 750.0, ("b", "a"): 250.0, ("b", "c"): 750.0, ("c", "b"): 250.0}
    ratings = fit(table | {("a", "c"): 900.0, ("c", "a"): 100.0}, "b")
    assert ratings["b"] == 1500
    assert ratings["a"] == pytest.approx(1691, abs=2)  # 400 log10(3) more
    assert ratings["c"] == pytest.approx(1309, abs=2)


def test_a_bot_that_lost_all_its_games_has_a_rating() -> None:
    assert 500 < fit({("a", "b"): 40.0, ("b", "a"): 0.0}, "a")["b"] < 1000
