"""What a game's clock is at a version of the game: folded from its events, asked for moments.

A state is a value: `after` gives the next one. It holds what matters from the start of the present
round on, which a later round does not need; whoever writes the start of a round states again what
goes on: see `restated`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, get_args

import engine
from engine import Seat
from engine.clock_events import (
    CalendarChanged,
    ClockAdjusted,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from engine.commands import ChangeCalendar, ClockCommand, PauseClock
from engine.events import ClockEvent, GameAborted, GameEnded, RoundEnded, RoundStarted, TurnEnded
from service.core.timestamps import timestamp, unix
from service.games.clock.calendar import Calendar, calendar_of, nights, offsets, weekends
from service.games.clock.counting import Stretch, reach
from service.games.clock.intervals import FAR, Interval, clipped, gaps
from service.games.clock.terms import Terms, read_terms
from service.games.clock.week import ALWAYS, week

SINCE_EVER: Final = 0
CLOCK_EVENTS: Final = get_args(ClockEvent)
"""The events that tell of the clock alone."""


class Pause(NamedTuple):
    """Time that does not count. `end` None: until somebody ends it.

    `reason` is `agreement`, `outage`, `untold`, `vacation`, `weekend` or `sleep`; `seat` whose time
    does not count, None for both.
    """

    start: int
    end: int | None
    reason: str
    seat: Seat | None

    @property
    def interval(self) -> Interval:
        return self.start, FAR if self.end is None else self.end


class AgreedPause(NamedTuple):
    """A pause by agreement: who agreed to it, and until when, None: until it is ended."""

    start: int
    end: int | None
    by: Seat


class InForce(NamedTuple):
    """A calendar, and the moment from which on it is in force."""

    since: int
    calendar: Calendar


class PlayerClock(NamedTuple):
    """What a clock holds of one player.

    `bank`: what they had left when the turn began, with what was given since. `given`: what was
    given and not used up, where there is no bank. `calendars`: those of the turn, in order.
    `waited`: the seconds of this round that were given back since the player was not told.
    """

    bank: int = 0
    given: int = 0
    calendars: tuple[InForce, ...] = (InForce(SINCE_EVER, Calendar()),)
    waited: int = 0


@dataclass(frozen=True, slots=True)
class ClockState:
    """A clock. Moments are unix seconds.

    `turn_since` is that at which the player to move, `turn`, got the turn; both are None between
    rounds and after the end. `agreed` and `adjusted` are pauses that may touch this turn. `held`:
    nothing ends before this moment, since the player was not told.
    """

    terms: Terms
    round_since: int = 0
    turn: Seat | None = None
    turn_since: int | None = None
    north: PlayerClock = PlayerClock()  # noqa: RUF009 - a named tuple is a value
    south: PlayerClock = PlayerClock()  # noqa: RUF009
    agreed: tuple[AgreedPause, ...] = ()
    adjusted: tuple[Pause, ...] = ()
    held: int | None = None

    def side(self, seat: Seat) -> PlayerClock:
        return self.north if seat == "north" else self.south

    def calendar(self, seat: Seat) -> Calendar:
        """The calendar of a player that is in force."""
        return self.side(seat).calendars[-1].calendar

    def paused(self) -> AgreedPause | None:
        """The last pause that was agreed, unless it was ended before its time."""
        return self.agreed[-1] if self.agreed else None

    def single_pauses(self, start: int, end: int) -> list[Pause]:
        """The pauses of the player to move that touch the time between two moments, without
        weekends and hours of sleep."""
        pauses = [Pause(one, other, "agreement", None) for one, other, _ in self.agreed]
        if self.terms.until is not None:
            pauses += (pause for pause in self.adjusted if pause.reason == "outage")
        elif self.turn is not None:
            pauses += (pause for pause in self.adjusted if pause.seat in (None, self.turn))
            if self.terms.vacations:
                pauses += self._vacations(self.turn)
        return [p for p in pauses if p.start < end and p.interval[1] > start]

    def pauses(self, start: int, end: int) -> list[Pause]:
        """As `single_pauses`, with weekends and hours of sleep: not for years on end."""
        found, seat = self.single_pauses(start, end), self.turn
        if seat is None or not self.terms.has_calendar:
            return found
        for calendar, *within in self._calendars(seat, start, end):
            if self.terms.weekends_off:
                found += (Pause(*one, "weekend", seat) for one in weekends(calendar, *within))
            if self.terms.sleeping_hours:
                found += (Pause(*one, "sleep", seat) for one in nights(calendar, *within))
        return found

    def _vacations(self, seat: Seat) -> Iterator[Pause]:
        for calendar, since, until in self._calendars(seat, SINCE_EVER, FAR):
            for one, other in clipped(calendar.vacations, since, until):
                yield Pause(one, other, "vacation", seat)

    def _calendars(self, seat: Seat, start: int, end: int) -> Iterator[tuple[Calendar, int, int]]:
        """A player's calendars, and from when to when each is in force between two moments."""
        periods = self.side(seat).calendars
        ends = [*(period.since for period in periods[1:]), FAR]
        for (since, calendar), until in zip(periods, ends, strict=True):
            if max(start, since) < min(end, until):
                yield calendar, max(start, since), min(end, until)

    def _stretches(self, start: int, end: int) -> Iterator[Stretch]:
        """What lies between two moments, and in no single pause."""
        single = (pause.interval for pause in self.single_pauses(start, end))
        for free in gaps(single, start, end):
            yield from self._by_week(*free)

    def _by_week(self, start: int, end: int) -> Iterator[Stretch]:
        terms, seat = self.terms, self.turn
        if seat is None or not terms.has_calendar:
            yield Stretch(start, end, 0, ALWAYS)
            return
        for calendar, since, until in self._calendars(seat, start, end):
            hours = week(terms.weekends_off, calendar.sleep if terms.sleeping_hours else None)
            if hours == ALWAYS:
                yield Stretch(since, until, 0, ALWAYS)
                continue
            for one, other, offset in offsets(calendar.zone, since, until):
                yield Stretch(one, other, offset, hours)

    def counted(self, start: int, end: int) -> int:
        """The seconds between two moments that count for the player to move."""
        return sum(stretch.counted for stretch in self._stretches(start, end))

    def allowed(self) -> int:
        """The seconds that the player to move has for this turn, from its beginning on, without
        pauses. 0 while nobody has the turn."""
        if self.turn is None or self.turn_since is None:
            return 0
        terms = self.terms
        if terms.per_move is not None:
            return terms.per_move + self.side(self.turn).given
        if terms.bank is not None:
            return self.side(self.turn).bank
        assert terms.until is not None, "there are three kinds of clock"
        whole = terms.until - self.round_since + self.north.given + self.south.given
        return max(whole - self.counted(self.round_since, self.turn_since), 0)

    def after_share(self, share: int, of: int) -> int | None:
        """The moment at which this share of the turn's time is over; None where it never is.

        `after_share(9, 10)`: nine tenths.
        """
        if self.turn_since is None:
            return None
        seconds = self.allowed() * share // of
        return reach(self.turn_since, seconds, self._stretches(self.turn_since, FAR))

    def time_out(self) -> int | None:
        """The moment at which the time of the player to move is out, told or not."""
        return _time_out(self)

    def deadline(self) -> int | None:
        """The moment before which nothing can end: `time_out`, or later if the player was not told.

        None while nobody has the turn, or the clock is paused without an end.
        """
        out = _time_out(self)
        return out if out is None or self.held is None else max(out, self.held)


@lru_cache(maxsize=4096)
def _time_out(state: ClockState) -> int | None:
    return state.after_share(1, 1)


def restated(before: ClockState, at: int) -> list[ClockCommand]:
    """What goes on in a round that starts at this moment, for its log: the calendars and an agreed
    pause in force."""
    commands: list[ClockCommand] = []
    for seat in engine.SEATS:
        calendar = before.calendar(seat)
        to_come = tuple(vacation for vacation in calendar.vacations if vacation[1] > at)
        if (calendar := replace(calendar, vacations=to_come)) != Calendar():
            commands.append(change_calendar(seat, calendar))
    pause = before.paused()
    if pause is not None and _lasts(pause, at):
        end = None if pause.end is None else timestamp(pause.end)
        commands.append(PauseClock(pause.by, end))
    return commands


def change_calendar(seat: Seat, calendar: Calendar) -> ChangeCalendar:
    """The command that puts a calendar in force."""
    sleep = calendar.sleep and (_time_of_day(calendar.sleep[0]), _time_of_day(calendar.sleep[1]))
    vacations = tuple((timestamp(one), timestamp(other)) for one, other in calendar.vacations)
    return ChangeCalendar(seat, calendar.zone, sleep, vacations)


def _time_of_day(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}"


# Folding


def follow(
    state: ClockState | None, game: engine.Game, event: engine.Event, at: int, turn_since: int
) -> ClockState | None:
    """The clock of `game` after an event of the moment `at`.

    None where there is none, or where it says no more than `terms` and `turn_since` do: as long as
    nothing happens to a clock of days for each move.
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


def plain(clock: Mapping[str, Any], turn: Seat | None, turn_since: int | None) -> ClockState:
    """A clock to which nothing has happened since the player to move got the turn."""
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
    state = _with_side(state, event.by, _after_turn(state, event.by, at))
    for seat in engine.SEATS:
        side = state.side(seat)
        if len(side.calendars) > 1:
            state = _with_side(state, seat, side._replace(calendars=side.calendars[-1:]))
    if state.terms.until is None:  # a fixed end is moved by all pauses of the round
        agreed = tuple(pause for pause in state.agreed if _lasts(pause, at))
        adjusted = tuple(pause for pause in state.adjusted if _lasts(pause, at))
        state = replace(state, agreed=agreed, adjusted=adjusted)
    return replace(state, turn=event.next, turn_since=at, held=None)


def _with_side(state: ClockState, seat: Seat, side: PlayerClock) -> ClockState:
    return replace(state, north=side) if seat == "north" else replace(state, south=side)


def _lasts(pause: AgreedPause | Pause, at: int) -> bool:
    return pause.end is None or pause.end > at


def _after_turn(state: ClockState, seat: Seat, at: int) -> PlayerClock:
    """The side of the player whose turn ends. The increment never fills a bank beyond its cap."""
    side, terms = state.side(seat), state.terms
    if terms.per_move is not None:
        return side._replace(given=0)
    if terms.bank is None or state.turn_since is None:
        return side
    left = max(side.bank - state.counted(state.turn_since, at), 0)
    filled = left + terms.increment
    return side._replace(bank=filled if terms.cap is None else min(filled, max(left, terms.cap)))


def _over(state: ClockState, event: RoundEnded | GameEnded | GameAborted, at: int) -> ClockState:
    return replace(state, turn=None, turn_since=None, held=None)


def _calendar_changed(state: ClockState, event: CalendarChanged, at: int) -> ClockState:
    seat, side = event.by, state.side(event.by)
    running = seat == state.turn and at != state.turn_since
    # Where no time of the turn has gone by, it matters to nobody what was in force before.
    before = [period for period in side.calendars if running and period.since < at]
    following = InForce(at if before else SINCE_EVER, calendar_of(event))
    return _with_side(state, seat, side._replace(calendars=(*before, following)))


def _time_given(state: ClockState, event: TimeGiven, at: int) -> ClockState:
    side = state.side(event.seat)
    if state.terms.bank is not None:
        side = side._replace(bank=side.bank + event.seconds)
    else:
        side = side._replace(given=side.given + event.seconds)
    return _with_side(state, event.seat, side)


def _paused(state: ClockState, event: ClockPaused, at: int) -> ClockState:
    end = None if event.until is None else unix(event.until)
    return replace(state, agreed=(*_ended(state, at), AgreedPause(at, end, event.by)))


def _resumed(state: ClockState, event: ClockResumed, at: int) -> ClockState:
    return replace(state, agreed=_ended(state, at))


def _ended(state: ClockState, at: int) -> tuple[AgreedPause, ...]:
    """The agreed pauses, of which none lasts beyond `at`."""
    return tuple(
        pause._replace(end=at) if _lasts(pause, at) else pause
        for pause in state.agreed
        if pause.start < at
    )


def _adjusted(state: ClockState, event: ClockAdjusted, at: int) -> ClockState:
    pause = Pause(unix(event.since), unix(event.until), event.reason, event.seat)
    state = replace(state, adjusted=(*state.adjusted, pause))
    if event.reason != "untold" or event.seat not in (None, state.turn):
        return state
    if event.seat is not None:
        side = state.side(event.seat)
        waited = side.waited + pause.interval[1] - pause.start
        state = _with_side(state, event.seat, side._replace(waited=waited))
    return replace(state, held=None)


def _held(state: ClockState, event: FlagHeld, at: int) -> ClockState:
    return replace(state, held=unix(event.until)) if event.seat == state.turn else state


_CHANGES: Final[Mapping[type[engine.Event], Any]] = {
    RoundStarted: _round_started,
    TurnEnded: _turn_ended,
    RoundEnded: _over,
    GameEnded: _over,
    GameAborted: _over,
    CalendarChanged: _calendar_changed,
    TimeGiven: _time_given,
    ClockPaused: _paused,
    ClockResumed: _resumed,
    ClockAdjusted: _adjusted,
    FlagHeld: _held,
}
