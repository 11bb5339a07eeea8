"""Schemas of clocks."""

from typing import Annotated, Final, Literal, TypedDict

from marshmallow.validate import Range

from engine import Seat
from service.api.schemas.fields import Moment
from service.api.shapes import Alternative, Example, Timestamp, rules
from service.core.durations import DAY, HOUR
from service.games.clock.changes import MOST_GIVEN, MOST_MOVED
from service.games.opening.new_game import MOST_DAYS

MOST_INCREMENT = 7 * 24
"""Hours that a turn may add to a bank."""
_COUNTING_OPTIONS: Final = ("weekends_off", "sleeping_hours", "vacations", "time_out")


_Days = Annotated[int, Range(1, MOST_DAYS)]


@rules(
    Alternative("MoveClockInput", ("days_per_move",), _COUNTING_OPTIONS),
    Alternative(
        "BankClockInput", ("bank_days",), ("increment_hours", "cap_days", *_COUNTING_OPTIONS)
    ),
    Alternative("FixedEndClockInput", ("until",), ("time_out",)),
)
class ClockInput(TypedDict, total=False):
    """A pace, by one of three members."""

    days_per_move: _Days
    """So many days for each turn."""
    bank_days: _Days
    """So many days for each player's whole round."""
    increment_hours: Annotated[int, Range(1, MOST_INCREMENT)]
    """Hours that each turn adds to the bank of who played it."""
    cap_days: _Days
    """The days up to which these hours fill a bank."""
    until: Moment
    """The fixed end: whoever has the turn then loses. For single rounds."""
    weekends_off: bool
    """Saturdays and Sundays do not count."""
    sleeping_hours: bool
    """The sleeping hours in a player's calendar do not count."""
    vacations: bool
    """The vacations in a player's calendar do not count."""
    time_out: Literal["auto", "claim"]
    """When time is out the round ends by itself (`auto`), or the opponent claims it or gives more
    time (`claim`). Default: `auto`."""


PeriodShape = TypedDict("PeriodShape", {"from": Timestamp, "to": Timestamp})
"""From one moment to another."""
OpenPeriodShape = TypedDict("OpenPeriodShape", {"from": Timestamp, "to": Timestamp | None})
"""From one moment to another, null where there is no end yet."""
DailyHoursShape = TypedDict("DailyHoursShape", {"from": str, "to": str})
"""Hours of a day, past midnight if the end is the earlier one."""


class TurnPauseShape(OpenPeriodShape):
    """Time of this turn that does not count."""

    reason: Literal["agreement", "outage", "untold", "vacation"]
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


@rules(Alternative("DaysInput", ("days",)), Alternative("HoursInput", ("hours",)))
class TimeInput(TypedDict, total=False):
    """Time to give to the opponent."""

    days: Annotated[int, Range(1, MOST_GIVEN // DAY)]
    hours: Annotated[int, Range(1, MOST_GIVEN // HOUR)]


@rules(
    Alternative("GiveTimeInput", ("give",)),
    Alternative("ResumeInput", ("resume",), flags={"resume": True}),
    Alternative("PassTimeInput", ("seconds",)),
    example={"give": {"days": 2}},
)
class ClockChangeInput(TypedDict, total=False):
    """What one player changes about the clock."""

    give: TimeInput
    resume: bool
    """Let a paused clock run again."""
    seconds: Annotated[int, Range(1, MOST_MOVED), Example(90000)]
    """How much time passes, in a sandbox."""
