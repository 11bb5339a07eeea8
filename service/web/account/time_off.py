"""The page of a player's time zone, and of the times that do not count for them: sleeping hours,
and vacations with their yearly allowance."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from flask import Response, request
from marshmallow import ValidationError

from service.accounts.mail_preferences import moment_of, zone, zone_choices
from service.api.schemas.fields import load
from service.api.schemas.settings import CalendarInput, sleep_wanted
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.times import DAY, timestamp
from service.core.words import N_
from service.games.calendar_store import PlayerCalendar, Sleep, spent, years
from service.games.clock.calendar import Interval
from service.web import session
from service.web.answers import personal, saved, signed_in
from service.web.blueprint import blueprint
from service.web.language import reader_words, reason

_NIGHT: Final = ("23:00", "07:00")
"""The sleeping hours that the form suggests."""
_HINTS: Final = {
    "zone": N_("Choose one."),
    "sleep": N_("Give both times, such as 23:00 and 07:00."),
}
_FIELD_OF: Final = {"calendar-changed-too-often": "zone", "sleep-too-long": "sleep"}
"""The form's field next to which a refusal is shown, by its code; `days` for all others."""

Errors = dict[str, str]


@blueprint.get("/account/time-off")
def time_off() -> Response:
    """Show the player's calendar and allowance of vacation days."""
    return _page(signed_in())


@blueprint.post("/account/time-off")
def keep_hours() -> Response:
    """Set time zone and sleeping hours. The vacations stay."""
    player = signed_in()
    sleep = {"from": request.form.get("sleep_from", ""), "to": request.form.get("sleep_to", "")}
    asked = {
        "zone": request.form.get("zone", ""),
        "sleep": sleep if request.form.get("sleeps") else None,
    }
    try:
        given = load(CalendarInput, asked)
    except ValidationError as error:
        return _page(
            player, {field: reader_words().say(_HINTS[field]) for field in error.messages_dict}
        )
    return _changed(player, given["zone"], sleep_wanted(given), _to_come(player), part="hours")


@blueprint.post("/account/time-off/vacations")
def take_vacation() -> Response:
    """Take a vacation from the first day to the last one inclusive."""
    player = signed_in()
    calendar = get_container().games.calendars.of(player)
    # Of somebody without a time zone, the one in the form, which then becomes theirs.
    where = session.browser_zone() or calendar.zone
    try:
        first, last = (date.fromisoformat(request.form.get(name, "")) for name in ("first", "last"))
        days = _moment(first, where), _moment(last + timedelta(days=1), where)
    except (ValueError, OverflowError):
        return _page(player, {"days": reader_words().say("Give the first and the last day.")})
    return _changed(player, where, calendar.sleep, sorted({*_to_come(player), days}))


@blueprint.post("/account/time-off/vacations/end")
def end_vacation() -> Response:
    """Cancel a vacation, or end a running one now. Unused days are returned."""
    player = signed_in()
    calendar, begin = get_container().games.calendars.of(player), request.form.get("begin", "")
    is_number = begin.isascii() and begin.isdigit() and len(begin) < 12
    ended = int(begin) if is_number else None
    others = [vacation for vacation in _to_come(player) if vacation[0] != ended]
    return _changed(player, calendar.zone, calendar.sleep, others)


@blueprint.post("/account/time-off/by-itself")
def let_vacations_begin() -> Response:
    """Choose whether a vacation day begins by itself when the player's time would run out."""
    player = signed_in()
    calendar = get_container().games.calendars.of(player)
    return _changed(
        player,
        calendar.zone,
        calendar.sleep,
        _to_come(player),
        part="by-itself",
        by_itself="by_itself" in request.form,
    )


def _changed(
    player: str,
    where: str,
    sleep: Sleep | None,
    vacations: Sequence[Interval],
    *,
    part: str = "vacations",
    by_itself: bool | None = None,
) -> Response:
    calendars = get_container().games.calendars
    try:
        calendars.change(player, where, sleep, vacations, by_itself=by_itself)
    except RequestRejected as refusal:
        return _page(player, {_FIELD_OF.get(refusal.code, "days"): reason(refusal)})
    return saved("web.time_off", part)


def _page(player: str, errors: Errors | None = None) -> Response:
    calendars, now = get_container().games.calendars, get_container().now()
    calendar = calendars.of(player)
    begin, end = calendar.sleep or _NIGHT
    sleeps = {"sleeps": "on"} if calendar.sleep else {}
    stored = {"zone": calendar.zone, "sleep_from": begin, "sleep_to": end, **sleeps}
    return personal(
        "time_off.html",
        errors=errors or {},
        # What was just sent, if anything was.
        form=dict(request.form) if "sleep_from" in request.form else {**stored, **request.form},
        by_itself=calendar.by_itself,
        zone=calendar.zone,
        zones=zone_choices(calendar.zone),
        zone_is_chosen=session.time_zone() is not None,
        vacations=[
            {"begin": at, "from": timestamp(at), "to": timestamp(until), "goes_on": at <= now}
            for at, until in calendar.to_come(now)
        ],
        account=[_year(calendar, year, calendars.vacation_days) for year in years(calendar, now)],
    )


def _year(calendar: PlayerCalendar, year: int, days: int) -> dict[str, object]:
    """Return a year's allowance in days, to a tenth."""
    taken = round(spent(calendar, year) / DAY, 1)
    return {"year": year, "days": days, "taken": f"{taken:g}", "left": f"{max(days - taken, 0):g}"}


def _to_come(player: str) -> tuple[Interval, ...]:
    return get_container().games.calendars.of(player).to_come(get_container().now())


def _moment(day: date, where: str) -> int:
    return int(moment_of(day, 0, zone(where)))
