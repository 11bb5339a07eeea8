"""The view of a game's clock, without its terms and the deadline."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, TypedDict

from marshmallow.validate import OneOf

import engine
from engine import Seat
from service.core.shapes import Timestamp
from service.core.times import DAY, timestamp
from service.games.clock.calendar import Calendar
from service.games.clock.state import ClockState, Pause, change_calendar
from service.games.stored_game import StoredGame

MOST_PAUSES: Final = 20
_LOOKED_AHEAD: Final = 90 * DAY


PeriodShape = TypedDict("PeriodShape", {"from": Timestamp, "to": Timestamp})
"""From one moment to another."""


OpenPeriodShape = TypedDict("OpenPeriodShape", {"from": Timestamp, "to": Timestamp | None})
"""From one moment to another, null where there is no end yet."""


DailyHoursShape = TypedDict("DailyHoursShape", {"from": str, "to": str})
"""Hours of a day, past midnight if the end is the earlier one."""


class TurnPauseShape(OpenPeriodShape):
    """Time of this turn that does not count."""

    reason: Annotated[str, OneOf(("agreement", "outage", "untold", "vacation"))]
    seat: Seat | None
    """Whose time does not count; null: neither player's."""


class CalendarInForceShape(TypedDict):
    """The calendar that a clock goes by."""

    zone: str
    sleep: DailyHoursShape | None
    vacations: list[PeriodShape]


class BanksShape(TypedDict):
    """Seconds left in each player's bank when the turn began."""

    north: int
    south: int


class CalendarsInForceShape(TypedDict):
    """By seat; null where every hour counts, or weekends are those of UTC."""

    north: CalendarInForceShape | None
    south: CalendarInForceShape | None


class ClockStateShape(TypedDict):
    """What has happened to a running clock. Count nothing down from it: `deadline` says when."""

    turn_seconds: int
    """The time for this turn, pauses aside."""
    banks: BanksShape | None
    """What the banks hold; null without banks."""
    paused: OpenPeriodShape | None
    """The pause that the players agreed; null if it runs."""
    pauses: list[TurnPauseShape]
    """The pauses of this turn but for weekends and sleeping hours."""
    calendars: CalendarsInForceShape
    """The calendars that it goes by."""


def clock_state(stored: StoredGame) -> ClockStateShape | None:
    """The public state of a running clock; None without one.

    It depends on the version alone: nothing in it counts down.
    """
    clock = stored.clock
    if clock is None or clock.turn is None:
        return None
    paused = clock.paused()
    north, south = (clock.side(seat).bank for seat in engine.SEATS)
    return {
        "turn_seconds": clock.allowed(),
        "banks": None if clock.terms.bank is None else {"north": north, "south": south},
        "paused": None if paused is None else _span(paused.start, paused.end),
        "pauses": [*_pauses(clock)][:MOST_PAUSES],
        "calendars": {"north": _calendar(clock, "north"), "south": _calendar(clock, "south")},
    }


def _pauses(clock: ClockState) -> Iterator[TurnPauseShape]:
    """The pauses of this turn up to its end, without weekly ones."""
    since = clock.turn_since or 0
    until = clock.deadline() or since + _LOOKED_AHEAD
    pauses = sorted(clock.single_pauses(since, until), key=lambda pause: pause.start)
    for pause in _joined(pauses):
        yield {"reason": pause.reason, "seat": pause.seat, **_span(pause.start, pause.end)}


def _joined(pauses: Iterable[Pause]) -> list[Pause]:
    """These pauses in order, the parts of one vacation joined."""
    joined: list[Pause] = []
    for pause in pauses:
        last = joined[-1] if joined else None
        if last is not None and last[2:] == pause[2:] and last.end == pause.start:
            joined[-1] = last._replace(end=pause.end)
        else:
            joined.append(pause)
    return joined


def _span(start: int, end: int | None) -> OpenPeriodShape:
    return {"from": timestamp(start), "to": None if end is None else timestamp(end)}


def _calendar(clock: ClockState, seat: engine.Seat) -> CalendarInForceShape | None:
    calendar = clock.calendar(seat)
    if not clock.terms.has_calendar or calendar == Calendar():
        return None
    command = change_calendar(seat, calendar)
    return {
        "zone": command.zone,
        "sleep": command.sleep and {"from": command.sleep[0], "to": command.sleep[1]},
        "vacations": [{"from": begin, "to": end} for begin, end in command.vacations],
    }
