"""The deadline from intervals is the one that counting minute by minute leads to."""

import random

from engine.events import RoundStarted, TurnEnded
from service.games.clock import state as clocks
from service.games.clock.state import ClockState
from tests.service.games.clock.simulation import FIRST, Turn, random_turn, simulated

TURNS = 10_000
SEED = 20261121


def folded(turn: Turn) -> ClockState:
    def unix(at: int) -> int:
        return (FIRST + at) * 60

    started = RoundStarted(1, "north", None, None)
    state = clocks.after(ClockState(turn.terms), started, unix(turn.start))
    for at, event in turn.events:
        state = clocks.after(state, event, unix(at))
    return state


def test_the_deadline_is_that_of_a_simulation_minute_by_minute() -> None:
    rng, known = random.Random(SEED), 0
    for number in range(TURNS):
        turn = random_turn(rng)
        state, told = folded(turn), simulated(turn, "north", turn.terms.bank or 0)
        expected, deadline = told.deadline(), state.deadline()
        at = None if deadline is None else deadline / 60 - FIRST
        if expected is None:
            assert at is None or at > turn.start + len(told.paused), (SEED, number)
        else:
            known += 1
            assert at == expected, (SEED, number, turn)
            assert state.counted((FIRST + turn.start) * 60, deadline or 0) == told.seconds
            _check_bank(state, turn, told.paused.count(0, 0, expected // 2 - turn.start // 2))
    assert known > 0.9 * TURNS


def _check_bank(state: ClockState, turn: Turn, counted: int) -> None:
    """A turn that ends half way takes the minutes that count from the bank."""
    deadline = state.deadline()
    assert deadline is not None
    ends = (FIRST + turn.start + (deadline // 60 - FIRST) // 2 - turn.start // 2) * 60
    after = clocks.after(state, TurnEnded("north", "south"), ends)
    assert after.north.bank == state.north.bank - 60 * counted
