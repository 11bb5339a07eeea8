"""Schemas of clocks."""

from typing import Any, Final

from marshmallow import fields, validate

from engine import SEATS
from service.api.schemas.base import Alternative, Input, Output
from service.api.schemas.fields import Flag, Moment, WholeNumber
from service.core.durations import DAY, HOUR
from service.games.clock.changes import MOST_GIVEN, MOST_MOVED
from service.games.opening.new_game import MOST_DAYS

MOST_INCREMENT = 7 * 24
"""Hours that a turn may add to a bank."""
_COUNTING_OPTIONS: Final = ("weekends_off", "sleeping_hours", "vacations", "time_out")


class ClockInput(Input):
    alternatives = (
        Alternative("MoveClockInput", ("days_per_move",), _COUNTING_OPTIONS),
        Alternative(
            "BankClockInput", ("bank_days",), ("increment_hours", "cap_days", *_COUNTING_OPTIONS)
        ),
        Alternative("FixedEndClockInput", ("until",), ("time_out",)),
    )

    days_per_move = WholeNumber(
        validate=validate.Range(1, MOST_DAYS),
        metadata={"description": "So many days for each turn."},
    )
    bank_days = WholeNumber(
        validate=validate.Range(1, MOST_DAYS),
        metadata={"description": "So many days for each player's whole round."},
    )
    increment_hours = WholeNumber(
        validate=validate.Range(1, MOST_INCREMENT),
        metadata={"description": "Hours that each turn adds to the bank of who played it."},
    )
    cap_days = WholeNumber(
        validate=validate.Range(1, MOST_DAYS),
        metadata={"description": "The days up to which these hours fill a bank."},
    )
    until = Moment(
        metadata={
            "description": "The fixed end: whoever has the turn then loses. For single rounds."
        }
    )
    weekends_off = Flag(metadata={"description": "Saturdays and Sundays do not count."})
    sleeping_hours = Flag(
        metadata={"description": "The sleeping hours in a player's calendar do not count."}
    )
    vacations = Flag(metadata={"description": "The vacations in a player's calendar do not count."})
    time_out = fields.String(
        validate=validate.OneOf(("auto", "claim")),
        metadata={
            "description": "When time is out the round ends by itself (`auto`), or the opponent"
            " claims it or gives more time (`claim`). Default: `auto`."
        },
    )


def _moment(description: str | None = None, **options: Any) -> fields.String:
    described = {} if description is None else {"description": description}
    return fields.String(required=True, metadata={"format": "date-time", **described}, **options)


class PeriodSchema(Output):
    """From one moment to another."""

    begin = _moment(data_key="from")
    end = _moment(data_key="to")


class OpenPeriodSchema(Output):
    """From one moment to another, null where there is no end yet."""

    begin = _moment(data_key="from")
    end = _moment(data_key="to", allow_none=True)


class DailyHoursSchema(Output):
    """From one time of day to another, past midnight if that is less."""

    begin = fields.String(required=True, data_key="from")
    end = fields.String(required=True, data_key="to")


class TurnPauseSchema(OpenPeriodSchema):
    """A period of this turn that does not count."""

    reason = fields.String(
        required=True, validate=validate.OneOf(("agreement", "outage", "untold", "vacation"))
    )
    seat = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(SEATS),
        metadata={"description": "Whose time does not count; null: neither player's."},
    )


class CalendarInForceSchema(Output):
    zone = fields.String(required=True)
    sleep = fields.Nested(DailyHoursSchema, required=True, allow_none=True)
    vacations = fields.List(fields.Nested(PeriodSchema), required=True)


class BanksSchema(Output):
    """Seconds that each player had left when the turn began, with what was given since."""

    north = fields.Integer(required=True)
    south = fields.Integer(required=True)


class CalendarsInForceSchema(Output):
    """By seat: the calendar that this clock goes by; null: every hour counts, or weekends are those
    of UTC."""

    north = fields.Nested(CalendarInForceSchema, required=True, allow_none=True)
    south = fields.Nested(CalendarInForceSchema, required=True, allow_none=True)


class ClockStateSchema(Output):
    """What happened to the clock. Count nothing down from it: `deadline` has the moment."""

    turn_seconds = fields.Integer(
        required=True, metadata={"description": "The time for this turn, pauses aside."}
    )
    banks = fields.Nested(BanksSchema, required=True, allow_none=True)
    paused = fields.Nested(OpenPeriodSchema, required=True, allow_none=True)
    pauses = fields.List(
        fields.Nested(TurnPauseSchema),
        required=True,
        metadata={"description": "The pauses of this turn but for weekends and sleeping hours."},
    )
    calendars = fields.Nested(CalendarsInForceSchema, required=True)


class TimeInput(Input):
    alternatives = (Alternative("DaysInput", ("days",)), Alternative("HoursInput", ("hours",)))

    days = WholeNumber(validate=validate.Range(1, MOST_GIVEN // DAY))
    hours = WholeNumber(validate=validate.Range(1, MOST_GIVEN // HOUR))


class ClockChangeInput(Input):
    alternatives = (
        Alternative("GiveTimeInput", ("give",)),
        Alternative("ResumeInput", ("resume",), flags={"resume": True}),
        Alternative("PassTimeInput", ("seconds",)),
    )

    give = fields.Nested(TimeInput)
    resume = Flag(metadata={"description": "Let a paused clock run again."})
    seconds = WholeNumber(
        validate=validate.Range(1, MOST_MOVED),
        metadata={"description": "How much time passes, in a sandbox.", "example": 90_000},
    )
