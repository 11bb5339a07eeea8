"""Slow bots think in a process of their own."""

import json
import random
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine import view
from service.bots import BOTS
from service.bots.analysis import turns_of, weigh
from tests.engine.games import Kind, begin, whole_game
from workers.thinking import Thinker

SEEN = view(begin(Kind("iello"), random.Random(1), first_player="creator")[0], "north")
PIPER = BOTS["piper"]


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    made = Thinker()
    yield made
    made.close()


def test_the_choice_is_the_same_there_as_here(thinker: Thinker) -> None:
    for seed in range(3):
        here = PIPER.choose(SEEN, random.Random(seed))
        assert thinker.choose(PIPER, SEEN, random.Random(seed)) == here


def test_one_that_was_killed_thinks_again(thinker: Thinker) -> None:
    before = thinker.choose(PIPER, SEEN, random.Random(1))
    assert thinker.process is not None
    thinker.process.kill()
    thinker.process.wait()
    assert thinker.choose(PIPER, SEEN, random.Random(1)) == before


def test_one_that_is_killed_while_it_thinks_thinks_again(thinker: Thinker) -> None:
    before = thinker.choose(PIPER, SEEN, random.Random(1))
    assert thinker.process is not None
    thinker.process.send_signal(signal.SIGSTOP)  # it takes its time
    with ThreadPoolExecutor(1) as pool:
        choice = pool.submit(thinker.choose, PIPER, SEEN, random.Random(1))
        thinker.process.kill()
        assert choice.result() == before


def test_a_turn_is_weighed_there_as_here(thinker: Thinker) -> None:
    _, events = whole_game(Kind("iello"), 1)
    *_, last, _ = turns_of(events)
    assert json.loads(thinker.weigh(last)) == json.loads(json.dumps(weigh(last).to_data()))
