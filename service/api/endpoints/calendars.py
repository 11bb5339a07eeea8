"""The caller's calendar: times that do not count for their clocks."""

from typing import Any

from flask import Response

from service.api.auth import caller
from service.api.blueprint import ACCOUNT, ACCOUNT_AND_PLAY, Blueprint
from service.api.responses import json_answer
from service.api.schemas import calendars
from service.container import get_container
from service.games.calendars.calendars import PlayerCalendar

blueprint = Blueprint("calendars", __name__, description="When my time does not count")


@blueprint.route("/me/calendar")
@blueprint.operation("getCalendar", security=ACCOUNT)
@blueprint.response(200, calendars.CalendarShape)
def show() -> Response:
    """Show my calendar

    With it come the vacation days of this year, and of the next if a vacation reaches into it.
    """
    return json_answer(shown(get_container().games.calendars.of(caller())))


@blueprint.route("/me/calendar", methods=["PUT"])
@blueprint.operation(
    "setCalendar",
    "sleep-too-long",
    "bad-vacation",
    "vacation-days-exceeded",
    "calendar-changed-too-often",
    "stale-version",
    security=ACCOUNT_AND_PLAY,
)
@blueprint.body(calendars.CalendarInput)
@blueprint.response(200, calendars.CalendarShape)
def change(body: dict[str, Any]) -> Response:
    """Replace my calendar

    It holds in all running games whose clocks heed it, and the opponents see it there: weekends
    follow the zone, sleeping hours and vacations do not count. Vacations hold at once, zone and
    sleeping hours from my next turn in each game on. What lies before is counted as it was. A
    vacation that goes on and is not named ends now; days that were not used come back.
    """
    wanted = calendars.sleep_wanted(body), calendars.vacations_wanted(body)
    changed = get_container().games.calendars.change(
        caller(), body["zone"], *wanted, by_itself=body["by_itself"]
    )
    return json_answer(shown(changed))


def shown(calendar: PlayerCalendar) -> dict[str, object]:
    """A calendar as its player sees it, with the account of vacation days."""
    container = get_container()
    return calendars.shown(calendar, container.games.calendars.vacation_days, container.now())
