"""A game's clock as agreed, and at one version of the game: a value that computes moments.

The clock as the players agreed on it: the member `clock` of a game's terms. Also the
clocks that a new game and a rematch may have.

A game's clock at one version of the game: a value that computes moments and durations.

`folding` makes it from events. It covers the present round only: the start of each round repeats
the calendars and pauses in force (`restated`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, NamedTuple

import engine
from engine import Seat
from engine.clock_events import AgreedClock
from engine.commands import ChangeCalendar, ClockCommand, PauseClock
from service.core.errors import RequestRejected
from service.core.times import DAY, HOUR, timestamp, unix
from service.games.clock.calendar import (
    ALWAYS,
    FAR,
    Calendar,
    Interval,
    Stretch,
    clipped,
    gaps,
    nights,
    offsets,
    reach,
    week,
    weekends,
)


@dataclass(frozen=True, slots=True)
class Terms:
    """One of the three kinds of clock, with its options. All in seconds.

    `per_move`: time for each move. `bank`: time for a player's whole round; each move adds
    `increment`, up to `cap`. `until`: the game's end, a unix moment. `claimed`: when time is up the
    opponent claims the win, or gives more.
    """

    per_move: int | None = None
    bank: int | None = None
    increment: int = 0
    cap: int | None = None
    until: int | None = None
    weekends_off: bool = False
    sleeping_hours: bool = False
    vacations: bool = False
    claimed: bool = False

    @property
    def has_calendar(self) -> bool:
        """Whether a player's calendar matters."""
        return self.until is None and (self.weekends_off or self.sleeping_hours or self.vacations)

    @property
    def is_plain(self) -> bool:
        """Whether the clock is days for each move, without options."""
        return self.per_move is not None and not self.has_calendar


def read_terms(clock: AgreedClock) -> Terms:
    """The terms of a clock, as `engine.clock_events` describes it."""
    days, bank, until = clock.get("days_per_move"), clock.get("bank_days"), clock.get("until")
    cap = clock.get("cap_days")
    return Terms(
        per_move=None if days is None else days * DAY,
        bank=None if bank is None else bank * DAY,
        increment=clock.get("increment_hours", 0) * HOUR,
        cap=None if cap is None else cap * DAY,
        until=None if until is None else unix(until),
        weekends_off=clock.get("weekends_off", False),
        sleeping_hours=clock.get("sleeping_hours", False),
        vacations=clock.get("vacations", False),
        claimed=clock.get("time_out") == "claim",
    )


def allowed(terms: Terms, calendar: Calendar) -> Calendar:
    """The parts of a player's calendar that this clock uses; the opponent sees nothing more."""
    return Calendar(
        zone=calendar.zone if terms.weekends_off or terms.sleeping_hours else "UTC",
        sleep=calendar.sleep if terms.sleeping_hours else None,
        vacations=calendar.vacations if terms.vacations else (),
    )


NEAREST_END: Final = 2 * DAY
FARTHEST_END: Final = 366 * DAY
"""The most seconds from now to a fixed end of a game."""
LAST_TO_SIT_DOWN: Final = DAY
"""The free seat can be taken until this many seconds before a fixed end."""


def check_clock(clock: AgreedClock | None, rounds: int, now: float) -> None:
    """Raise `RequestRejected`, `bad-clock`, if no game with this clock can begin now."""
    if clock is None or "until" not in clock:
        return
    if rounds > 1:
        raise RequestRejected("bad-clock", "Only a game of one round can have a fixed end.")
    ahead = unix(clock["until"]) - now
    if not NEAREST_END <= ahead <= FARTHEST_END:
        raise RequestRejected(
            "bad-clock",
            "A game’s fixed end is %(nearest)s to %(farthest)s days from now.",
            {"nearest": NEAREST_END // DAY, "farthest": FARTHEST_END // DAY},
        )


def reserved_until(clock: AgreedClock | None, ends: int) -> int:
    """The last moment at which a seat or challenge reserved until `ends` can be taken, given this
    clock."""
    if clock is None or "until" not in clock:
        return ends
    return min(ends, unix(clock["until"]) - LAST_TO_SIT_DOWN)


def clock_again(clock: AgreedClock | None, made: str, now: float) -> AgreedClock | None:
    """The clock of a rematch. A fixed end stays as far from the making of the game as before."""
    if clock is None or "until" not in clock:
        return clock
    ahead = min(max(unix(clock["until"]) - unix(made), NEAREST_END), FARTHEST_END)
    return {**clock, "until": timestamp(now + ahead)}


SINCE_EVER: Final = 0


class Pause(NamedTuple):
    """Time that does not count. `end` None: until somebody ends it.

    `reason` is `agreement`, `outage`, `untold`, `vacation`, `weekend` or `sleep`; `seat` is the
    player whose time does not count, None for both.
    """

    start: int
    end: int | None
    reason: str
    seat: Seat | None

    @property
    def interval(self) -> Interval:
        return self.start, FAR if self.end is None else self.end


class AgreedPause(NamedTuple):
    """A pause by agreement: the seat that agreed to it, and its end, None: until somebody ends
    it."""

    start: int
    end: int | None
    by: Seat


class InForce(NamedTuple):
    """A calendar, and the moment from which it is in force."""

    since: int
    calendar: Calendar


class PlayerClock(NamedTuple):
    """One player's side of a clock.

    `bank`: the seconds left when the turn began, with those given since. `given`: seconds given and
    not used up, on a clock without banks. `calendars`: those of the turn, in order; `coming`: the
    calendar from the next turn on, None: the last of `calendars`. `waited`: seconds of this round
    that were refunded because the player was not notified.
    """

    bank: int = 0
    given: int = 0
    calendars: tuple[InForce, ...] = (InForce(SINCE_EVER, Calendar()),)
    waited: int = 0
    coming: Calendar | None = None


@dataclass(frozen=True, slots=True)
class ClockState:
    """A clock. Moments are unix seconds.

    `turn_since` is the moment at which the player to move, `turn`, got the turn; both are None
    between rounds and after the end. `agreed` and `adjusted` are pauses that may touch this turn.
    `held`: nothing ends before this moment, because the player was not notified. `before`: with
    banks, the clock at the end of the turn before this one, which used `spent` counted seconds.
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
    spent: int = 0
    before: "ClockState | None" = field(default=None, compare=False, repr=False)

    def side(self, seat: Seat) -> PlayerClock:
        return self.north if seat == "north" else self.south

    def calendar(self, seat: Seat) -> Calendar:
        """The calendar of this player that is in force."""
        return self.side(seat).calendars[-1].calendar

    def latest_calendar(self, seat: Seat) -> Calendar:
        """The calendar of this player that is in force from their next turn on."""
        return self.side(seat).coming or self.calendar(seat)

    def paused(self) -> AgreedPause | None:
        """The last pause that was agreed; None without one, or if a player ended it early."""
        return self.agreed[-1] if self.agreed else None

    def pause_at(self, now: float) -> AgreedPause | None:
        """The agreed pause that stops the clock at this moment."""
        pause = self.paused()
        return pause if pause and (pause.end is None or pause.end > now) else None

    def single_pauses(self, start: int, end: int) -> list[Pause]:
        """The pauses of the player to move that touch the time between two moments.

        Weekends and hours of sleep are left out.
        """
        pauses = [Pause(one, other, "agreement", None) for one, other, _ in self.agreed]
        if self.terms.until is not None:
            pauses += (pause for pause in self.adjusted if pause.reason == "outage")
        elif self.turn is not None:
            pauses += (pause for pause in self.adjusted if pause.seat in (None, self.turn))
            if self.terms.vacations:
                pauses += self._vacations(self.turn)
        return [p for p in pauses if p.start < end and p.interval[1] > start]

    def pauses(self, start: int, end: int) -> list[Pause]:
        """The pauses of `single_pauses`, weekends and hours of sleep. They are too many for a span
        of years."""
        all_pauses, seat = self.single_pauses(start, end), self.turn
        if seat is None or not self.terms.has_calendar:
            return all_pauses
        for calendar, *within in self._calendars(seat, start, end):
            if self.terms.weekends_off:
                all_pauses += (Pause(*one, "weekend", seat) for one in weekends(calendar, *within))
            if self.terms.sleeping_hours:
                all_pauses += (Pause(*one, "sleep", seat) for one in nights(calendar, *within))
        return all_pauses

    def _vacations(self, seat: Seat) -> Iterator[Pause]:
        for calendar, since, until in self._calendars(seat, SINCE_EVER, FAR):
            for one, other in clipped(calendar.vacations, since, until):
                yield Pause(one, other, "vacation", seat)

    def _calendars(self, seat: Seat, start: int, end: int) -> Iterator[tuple[Calendar, int, int]]:
        """A player's calendars between two moments, each with the moments at which it starts and
        stops."""
        periods = self.side(seat).calendars
        ends = [*(period.since for period in periods[1:]), FAR]
        for (since, calendar), until in zip(periods, ends, strict=True):
            if max(start, since) < min(end, until):
                yield calendar, max(start, since), min(end, until)

    def _stretches(self, start: int, end: int) -> Iterator[Stretch]:
        """The stretches between two moments that no single pause covers."""
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

    def left_paused(self, now: float) -> tuple[int, int | None] | None:
        """The counted seconds that are left of the turn while the clock is paused, and the end of
        the pause if both agreed to one; None while it runs."""
        pause = self.pause_at(now)
        if self.turn_since is None or (pause is None and self.deadline() is not None):
            return None
        left = max(self.allowed() - self.counted(self.turn_since, int(now)), 0)
        return left, pause and pause.end

    def allowed(self) -> int:
        """The seconds for the whole of this turn, without pauses; 0 while nobody has the turn."""
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
        """The moment at which this share of the turn's time has passed; None if it never has.

        `after_share(9, 10)`: nine tenths.
        """
        if self.turn_since is None:
            return None
        seconds = self.allowed() * share // of
        return reach(self.turn_since, seconds, self._stretches(self.turn_since, FAR))

    def after_share_of_rest(self, share: int, of: int) -> int | None:
        """The moment at which this share of the time left after an agreed pause has passed.

        So a player who was reminded before the pause is reminded again. None while the pause has no
        end.
        """
        pause, since = self.paused(), self.turn_since
        if since is None or pause is None or (pause.end is not None and pause.end <= since):
            return self.after_share(share, of)
        if pause.end is None:
            return None
        before = self.counted(since, pause.end)
        seconds = before + max(self.allowed() - before, 0) * share // of
        return reach(since, seconds, self._stretches(since, FAR))

    def time_out(self) -> int | None:
        """The moment at which the time of the player to move is up, notified or not; None without
        one."""
        return _time_out(self)

    def deadline(self) -> int | None:
        """The moment before which nothing can end: `time_out`, or later if the player was not
        notified.

        None while nobody has the turn, or the clock is paused without an end.
        """
        out = _time_out(self)
        return out if out is None or self.held is None else max(out, self.held)


@lru_cache(maxsize=4096)
def _time_out(state: ClockState) -> int | None:
    return state.after_share(1, 1)


def lasts(pause: AgreedPause | Pause, at: int) -> bool:
    """Whether a pause goes on after this moment."""
    return pause.end is None or pause.end > at


def restated(before: ClockState, at: int) -> list[ClockCommand]:
    """The commands that restate, in the log of a new round, the calendars and agreed pause in
    force."""
    commands: list[ClockCommand] = []
    for seat in engine.SEATS:
        calendar = before.latest_calendar(seat)
        to_come = tuple(vacation for vacation in calendar.vacations if vacation[1] > at)
        if (calendar := replace(calendar, vacations=to_come)) != Calendar():
            commands.append(change_calendar(seat, calendar))
    if (pause := before.paused()) is not None and lasts(pause, at):
        end = None if pause.end is None else timestamp(pause.end)
        commands.append(PauseClock(pause.by, end))
    return commands


def change_calendar(seat: Seat, calendar: Calendar, *, next_turn: bool = False) -> ChangeCalendar:
    """The command that puts a calendar in force.

    With `next_turn`, zone and sleeping hours apply from the player's next turn on.
    """
    sleep = calendar.sleep and (_time_of_day(calendar.sleep[0]), _time_of_day(calendar.sleep[1]))
    vacations = tuple((timestamp(one), timestamp(other)) for one, other in calendar.vacations)
    return ChangeCalendar(seat, calendar.zone, sleep, vacations, next_turn)


def _time_of_day(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}"
