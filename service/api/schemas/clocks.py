"""Schemas of clocks."""

from typing import Annotated, Final, Literal, TypedDict

from marshmallow.validate import Range

from service.api.schemas.fields import Moment
from service.core.durations import DAY, HOUR
from service.core.shapes import Alternative, Example, rules
from service.games.player_changes import MOST_GIVEN, MOST_MOVED
from service.games.terms import MOST_DAYS

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
