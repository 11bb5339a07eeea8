"""The deadline from intervals is the one that counting minute by minute leads to."""

import random
from dataclasses import replace

from engine import Event
from engine.clock_events import ClockAdjusted
from engine.events import RoundStarted, TurnEnded
from service.games.clock import folding
from service.games.clock.state import ClockState
from tests.engine.games import THOROUGHNESS
from tests.service.games.clock.simulation import (
    FIRST,
    Round,
    Turn,
    minute,
    random_round,
    random_turn,
    simulated,
    simulated_round,
)

TURNS = 1_000 * THOROUGHNESS
ROUNDS = 150 * THOROUGHNESS
SEED = 20261121


def folded(turn: Turn | Round) -> ClockState:
    def unix(at: int) -> int:
        return (FIRST + at) * 60

    started = RoundStarted(1, "north", None, None)
    state = folding.after(ClockState(turn.terms), started, unix(turn.start))
    for at, event in turn.events:
        state = folding.after(state, event, unix(at))
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


def test_banks_get_back_outages_that_become_known_after_a_turn() -> None:
    rng, credited, known = random.Random(SEED), 0, 0
    for number in range(ROUNDS):
        told = random_round(rng)
        state, without = folded(told), folded(replace(told, events=on_time(told)))
        banks, turn, mover = simulated_round(told)
        assert (state.turn, state.turn_since) == (mover, (FIRST + turn.start) * 60)
        assert banks == {seat: state.side(seat).bank for seat in banks}, (SEED, number, told)
        credited += (state.north.bank, state.south.bank) != (without.north.bank, without.south.bank)
        expected, deadline = simulated(turn, mover, banks[mover]).deadline(), state.deadline()
        if expected is not None:
            known += 1
            assert deadline == (FIRST + expected) * 60, (SEED, number, told)
    assert credited > 0.3 * ROUNDS
    assert known > 0.8 * ROUNDS


def on_time(told: Round) -> list[tuple[int, Event]]:
    """What happened, with none but the outages that lie in the turn in which they became known."""
    events, since = [], told.start
    for at, event in told.events:
        since = at if isinstance(event, TurnEnded) else since
        if not isinstance(event, ClockAdjusted) or minute(event.since) >= since:
            events.append((at, event))
    return events


def _check_bank(state: ClockState, turn: Turn, counted: int) -> None:
    """A turn that ends half way takes the minutes that count from the bank."""
    deadline = state.deadline()
    assert deadline is not None
    ends = (FIRST + turn.start + (deadline // 60 - FIRST) // 2 - turn.start // 2) * 60
    after = folding.after(state, TurnEnded("north", "south"), ends)
    assert after.north.bank == state.north.bank - 60 * counted
