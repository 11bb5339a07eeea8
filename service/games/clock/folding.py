"""A game's clock, folded from its events.

Only an outage can change turns that have ended. It counts as if it had been recorded in time: its
share of a turn is refunded to the bank of that turn's player.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import engine
from engine import Seat
from engine.clock_events import (
    AgreedClock,
    CalendarChanged,
    ClockAdjusted,
    ClockMoved,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from engine.events import (
    CLOCK_EVENTS,
    GameAborted,
    GameEnded,
    RoundEnded,
    RoundStarted,
    TurnEnded,
)
from service.core.times import unix
from service.games.clock.calendar import Interval, calendar_of, gaps
from service.games.clock.state import (
    SINCE_EVER,
    AgreedPause,
    ClockState,
    InForce,
    Pause,
    PlayerClock,
    Terms,
    lasts,
    read_terms,
)

OUTAGE: Final = "outage"
MOST_OUTAGES: Final = 100
"""The most outages of a round that are remembered and refunded, as many as the server stores.

It keeps a record cheap, however many outages were forged into it.
"""


def follow(
    state: ClockState | None, game: engine.Game, event: engine.Event, at: int, turn_since: int
) -> ClockState | None:
    """Return the clock of `game` after an event of the moment `at`.

    None for a game without a clock. Also None for days per move while nothing has changed the
    clock: `terms` and `turn_since` then determine it.
    """
    clock = game.terms.get("clock")
    if clock is None:
        return None
    if isinstance(event, RoundStarted):
        terms = read_terms(clock)
        return None if terms.is_plain else after(ClockState(terms), event, at)
    if state is None and isinstance(event, CLOCK_EVENTS):
        state = plain(clock, game.turn, turn_since)
    return None if state is None else after(state, event, at)


def plain(clock: AgreedClock, turn: Seat | None, turn_since: int | None) -> ClockState:
    """The clock of a turn in which nothing has changed it."""
    since = None if turn is None else turn_since
    return ClockState(read_terms(clock), turn=turn, turn_since=since)


def after(state: ClockState, event: engine.Event, at: int) -> ClockState:
    """The clock after an event of the moment `at`."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event, at)


def _round_started(state: ClockState, event: RoundStarted, at: int) -> ClockState:
    side = PlayerClock(bank=state.terms.bank or 0)
    return ClockState(state.terms, at, event.first, at, north=side, south=side)


def _turn_ended(state: ClockState, event: TurnEnded, at: int) -> ClockState:
    before, banked = state, state.terms.bank is not None
    spent = state.counted(state.turn_since or at, at) if banked else 0
    state = _with_side(state, event.by, _after_turn(state, event.by, spent))
    for seat in engine.SEATS:
        side = state.side(seat)
        if side.coming is not None:
            coming = (InForce(SINCE_EVER, side.coming),)
            state = _with_side(state, seat, side._replace(calendars=coming, coming=None))
        elif len(side.calendars) > 1:
            state = _with_side(state, seat, side._replace(calendars=side.calendars[-1:]))
    if state.terms.until is None:  # all pauses of the round move a fixed end
        agreed = tuple(pause for pause in state.agreed if lasts(pause, at))
        adjusted = tuple(pause for pause in state.adjusted if lasts(pause, at))
        if banked:
            ended = (pause for pause in _outages(state) if not lasts(pause, at))
            adjusted = (*deque(ended, maxlen=MOST_OUTAGES), *adjusted)
        state = replace(state, agreed=agreed, adjusted=adjusted)
    kept = before if banked else None
    return replace(state, turn=event.next, turn_since=at, held=None, spent=spent, before=kept)


def _with_side(state: ClockState, seat: Seat, side: PlayerClock) -> ClockState:
    return replace(state, north=side) if seat == "north" else replace(state, south=side)


def _after_turn(state: ClockState, seat: Seat, spent: int) -> PlayerClock:
    """The clock of the player whose turn ends after `spent` counted seconds."""
    side, terms = state.side(seat), state.terms
    if terms.per_move is not None:
        return side._replace(given=0)
    return side if terms.bank is None else side._replace(bank=_filled(terms, side.bank, spent))


def _filled(terms: Terms, bank: int, spent: int) -> int:
    """A bank after a turn of `spent` seconds. The increment never fills it beyond its cap."""
    left = max(bank - spent, 0)
    filled = left + terms.increment
    return filled if terms.cap is None else min(filled, max(left, terms.cap))


def _calendar_changed(state: ClockState, event: CalendarChanged, at: int) -> ClockState:
    seat, side = event.by, state.side(event.by)
    calendar, coming = calendar_of(event), None
    if event.next_turn and seat == state.turn:
        # Otherwise changing zones in the middle of a turn would prolong it.
        coming, current = calendar, state.calendar(seat)
        calendar = replace(calendar, zone=current.zone, sleep=current.sleep)
    running = seat == state.turn and at != state.turn_since
    # If none of the turn's time has passed, the calendar before this one had no effect.
    before = side.calendars if running else ()
    while before and before[-1].since >= at:
        before = before[:-1]
    following = InForce(at if before else SINCE_EVER, calendar)
    side = side._replace(calendars=(*before, following), coming=coming)
    return _with_side(state, seat, side)


def _time_given(state: ClockState, event: TimeGiven, at: int) -> ClockState:
    side = state.side(event.seat)
    if state.terms.bank is not None:
        side = side._replace(bank=side.bank + event.seconds)
    else:
        side = side._replace(given=side.given + event.seconds)
    return _with_side(state, event.seat, side)


def _moved(state: ClockState, event: ClockMoved, at: int) -> ClockState:
    if state.terms.until is not None and state.turn is not None:
        side = state.side(state.turn)
        return _with_side(state, state.turn, side._replace(given=side.given - event.seconds))
    return replace(state, turn_since=state.turn_since and state.turn_since - event.seconds)


def _paused(state: ClockState, event: ClockPaused, at: int) -> ClockState:
    end = None if event.until is None else unix(event.until)
    return replace(state, agreed=(*_ended(state, at), AgreedPause(at, end, event.by)))


def _ended(state: ClockState, at: int) -> tuple[AgreedPause, ...]:
    """Return the agreed pauses, the last one cut off at the moment `at`: no other can end later."""
    if not state.agreed:
        return ()
    last, others = state.agreed[-1], state.agreed[:-1]
    if last.start >= at:
        return others
    return (*others, last._replace(end=at)) if lasts(last, at) else state.agreed


def _adjusted(state: ClockState, event: ClockAdjusted, at: int) -> ClockState:
    pause = Pause(unix(event.since), unix(event.until), event.reason, event.seat)
    if event.reason == OUTAGE and state.before is not None and len(state.adjusted) < MOST_OUTAGES:
        covered = [outage.interval for outage in _outages(state)]
        for part in gaps(covered, *pause.interval):  # past turns' share goes back to the banks
            state = _credited(state, part)
    state = replace(state, adjusted=(*state.adjusted, pause))
    if event.reason != "untold" or event.seat not in (None, state.turn):
        return state
    if event.seat is not None:
        side = state.side(event.seat)
        waited = side.waited + pause.interval[1] - pause.start
        state = _with_side(state, event.seat, side._replace(waited=waited))
    return replace(state, held=None)


def _outages(state: ClockState) -> Iterator[Pause]:
    return (pause for pause in state.adjusted if pause.reason == OUTAGE)


def _credited(state: ClockState, part: Interval) -> ClockState:
    """The clock as it would be if this part of an outage had been recorded in time.

    No other outage covers this part.
    """
    later = list[ClockState]()
    clock = state
    while clock.before is not None and (clock.turn_since or 0) > part[0]:
        later.append(clock)
        clock = clock.before
    changed = clock
    for following in reversed(later):
        changed = replace(changed, adjusted=(*clock.adjusted, Pause(*part, OUTAGE, None)))
        clock, changed = following, _after_other(following, clock, changed, part)
    return changed


def _after_other(
    following: ClockState, clock: ClockState, changed: ClockState, part: Interval
) -> ClockState:
    """Recompute the clock of a turn after a refund changed the clock of the turn before it.

    `following` is the turn's clock so far; `part` of an outage turned the clock before it, `clock`,
    into `changed`. Other changes to the banks, such as gifts, are applied again.
    """
    start, end = max(part[0], clock.turn_since or 0), min(part[1], following.turn_since or 0)
    spent = following.spent - (clock.counted(start, end) if start < end else 0)
    for seat in engine.SEATS:
        was, now = clock.side(seat).bank, changed.side(seat).bank
        if seat == clock.turn:
            was, now = _filled(clock.terms, was, following.spent), _filled(clock.terms, now, spent)
        side = following.side(seat)
        following = _with_side(following, seat, side._replace(bank=side.bank + now - was))
    return replace(following, spent=spent, before=changed)


_CHANGES: Final[Mapping[type[engine.Event], Callable[[ClockState, Any, int], ClockState]]] = {
    RoundStarted: _round_started,
    TurnEnded: _turn_ended,
    **dict.fromkeys(
        (RoundEnded, GameEnded, GameAborted),
        lambda state, event, at: replace(state, turn=None, turn_since=None, held=None, before=None),
    ),
    CalendarChanged: _calendar_changed,
    TimeGiven: _time_given,
    ClockMoved: _moved,
    ClockPaused: _paused,
    ClockResumed: lambda state, event, at: replace(state, agreed=_ended(state, at)),
    ClockAdjusted: _adjusted,
    FlagHeld: lambda state, event, at: (
        replace(state, held=unix(event.until)) if event.seat == state.turn else state
    ),
}
