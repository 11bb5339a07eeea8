"""Moments by a player's local clock, correct on days of clock changes too.

If the change skips a time of day, that time means the moment of the change. If it repeats a time,
that means the first of both, or, as the end of quiet hours, the second.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

MINUTES_A_DAY: Final = 24 * 60
_MINUTE: Final = 60


class QuietHours(NamedTuple):
    """Quiet hours, in minutes after midnight. They may cross midnight."""

    begin: int
    end: int


@lru_cache(1)
def zone_names() -> tuple[str, ...]:
    """Return the names of all time zones, such as `Europe/Berlin`, in order."""
    return tuple(sorted(name for name in available_timezones() if name != "localtime"))


def zone(name: str) -> tzinfo:
    """Return the time zone of this name; UTC if this server does not have it (any more)."""
    return ZoneInfo(name) if name in zone_names() else UTC


def moment_of(day: date, minute: int, where: tzinfo, fold: int = 0) -> float:
    """Return the unix second at which clocks in this zone show this minute of that day, for the
    first time, or with `fold=1` for the second."""
    wall = datetime(day.year, day.month, day.day, *divmod(minute, 60), fold=fold, tzinfo=where)
    moment = wall.timestamp()
    if datetime.fromtimestamp(moment, where).replace(tzinfo=None) == wall.replace(tzinfo=None):
        return moment
    # The clock skips this time: by the old offset it is after the jump, by the new one before it.
    before, after = wall.replace(fold=1).timestamp(), wall.replace(fold=0).timestamp()
    old = _offset(before, where)
    while after - before > _MINUTE:
        middle = before + (after - before) // (2 * _MINUTE) * _MINUTE
        before, after = (middle, after) if _offset(middle, where) == old else (before, middle)
    return after


def next_time_of_day(now: float, minute: int, where: tzinfo) -> float:
    """Return the next unix second at which clocks in this zone show this minute of the day."""
    moments = (moment_of(day, minute, where) for day in _days_around(now, where))
    return min(moment for moment in moments if moment > now)


def quiet_until(now: float, quiet: QuietHours, where: tzinfo) -> float | None:
    """Return the unix second at which the quiet hours at `now` end; None outside quiet hours."""
    until = now
    while ends := [end for begin, end in _nights(until, quiet, where) if begin <= until < end]:
        until = max(ends)
    return until if until > now else None


def _nights(now: float, quiet: QuietHours, where: tzinfo) -> Iterator[tuple[float, float]]:
    """Yield the unix seconds at which quiet hours begin and end, on the days around `now`."""
    past_midnight = timedelta(days=int(quiet.end <= quiet.begin))
    for day in _days_around(now, where):
        end = moment_of(day + past_midnight, quiet.end, where, fold=1)
        yield moment_of(day, quiet.begin, where), end


def _days_around(now: float, where: tzinfo) -> list[date]:
    today = datetime.fromtimestamp(now, where).date()
    return [today + timedelta(days=step) for step in range(-2, 3)]


def _offset(moment: float, where: tzinfo) -> timedelta | None:
    return datetime.fromtimestamp(moment, where).utcoffset()
