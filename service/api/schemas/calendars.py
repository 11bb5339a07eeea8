"""A player's calendar, and the account of vacation days."""

from typing import Any, TypedDict

from marshmallow import fields, validate

from service.api.schemas.base import Input
from service.api.schemas.clocks import DailyHoursShape, PeriodShape
from service.api.schemas.fields import Flag, Moment, Pattern
from service.api.schemas.settings import TimeZone
from service.core.durations import DAY
from service.core.timestamps import timestamp, unix
from service.games.calendars.calendars import (
    MOST_VACATIONS,
    PlayerCalendar,
    Sleep,
    spent,
    years,
)
from service.games.clock.calendar import Interval

_TIME = Pattern("^([01][0-9]|2[0-3]):[0-5][0-9]$", "a time of day: hours and minutes, 07:30")


class SleepInput(Input):
    """The hours of the night that do not count."""

    begin = fields.String(required=True, data_key="from", validate=_TIME)
    end = fields.String(required=True, data_key="to", validate=_TIME)


class VacationInput(Input):
    """A vacation."""

    begin = Moment(required=True, data_key="from")
    end = Moment(required=True, data_key="to")


class CalendarInput(Input):
    """The whole calendar."""

    zone = TimeZone(required=True, metadata={"example": "Europe/Berlin"})
    """The time zone, also that of mail."""
    sleep = fields.Nested(SleepInput, load_default=None, allow_none=True)
    """Ten hours at most, past midnight or not."""
    vacations = fields.List(
        fields.Nested(VacationInput),
        load_default=list,
        validate=validate.Length(max=MOST_VACATIONS),
    )
    """The vacations that are not over; what is not named ends now."""
    by_itself = Flag(load_default=False)
    """Where your time is out, let a day of vacation begin by itself, as long as there are any."""


class VacationAllowanceShape(TypedDict):
    """A year's vacation days, in seconds."""

    year: int
    seconds: int
    """Seconds in the year, all told."""
    spent: int
    """Seconds used or planned."""


class CalendarShape(TypedDict):
    """When the caller's time does not count."""

    zone: str
    sleep: DailyHoursShape | None
    vacations: list[PeriodShape]
    by_itself: bool
    vacation_account: list[VacationAllowanceShape]
    """The allowance of each year."""


def sleep_wanted(body: dict[str, Any]) -> Sleep | None:
    """The sleeping hours of a `CalendarInput`."""
    sleep = body["sleep"]
    return None if sleep is None else (sleep["begin"], sleep["end"])


def vacations_wanted(body: dict[str, Any]) -> list[Interval]:
    """The vacations of a `CalendarInput`."""
    return [(unix(each["begin"]), unix(each["end"])) for each in body["vacations"]]


def shown(calendar: PlayerCalendar, days: int, now: float) -> dict[str, object]:
    """A calendar as its player sees it; `days` is the yearly allowance of vacation days."""
    sleep = calendar.sleep
    return {
        "zone": calendar.zone,
        "sleep": None if sleep is None else {"from": sleep[0], "to": sleep[1]},
        "vacations": [
            {"from": timestamp(begin), "to": timestamp(end)} for begin, end in calendar.to_come(now)
        ],
        "by_itself": calendar.by_itself,
        "vacation_account": [
            {"year": year, "seconds": days * DAY, "spent": spent(calendar, year)}
            for year in years(calendar, now)
        ],
    }
