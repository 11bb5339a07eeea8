"""A player's calendar: the times that do not count for them, by the wall clock of their zone.

The wall clock decides whether a second belongs to sleep or a weekend. So an hour that comes twice,
at the end of summer time, is treated alike both times.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from engine.clock_events import CalendarChanged
from service.core.durations import DAY, HOUR, MINUTE
from service.core.timestamps import unix
from service.games.clock.intervals import Interval
from service.games.clock.week import FIRST_SATURDAY, WEEK

_STEP: Final = 7 * DAY
"""Seconds within which no zone has ever changed its offset twice."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """A zone, hours of sleep and vacations.

    `sleep` gives its beginning and end in seconds of the day; it crosses midnight if the second is
    less. Vacations are intervals of unix seconds.
    """

    zone: str = "UTC"
    sleep: Interval | None = None
    vacations: tuple[Interval, ...] = ()


def calendar_of(event: CalendarChanged) -> Calendar:
    """The calendar that an event puts in force."""
    sleep = event.sleep and (seconds_of_day(event.sleep[0]), seconds_of_day(event.sleep[1]))
    vacations = tuple((unix(first), unix(last)) for first, last in event.vacations)
    return Calendar(event.zone, sleep, vacations)


def seconds_of_day(text: str) -> int:
    """A time of day, `23:00`, in seconds."""
    return int(text[:2]) * HOUR + int(text[3:]) * MINUTE


def weekends(calendar: Calendar, start: int, end: int) -> Iterator[Interval]:
    """Saturdays and Sundays between two moments."""
    return _repeated(calendar.zone, (start, end), FIRST_SATURDAY, 2 * DAY, WEEK)


def nights(calendar: Calendar, start: int, end: int) -> Iterator[Interval]:
    """The hours of sleep between two moments."""
    if calendar.sleep is None:
        return iter(())
    falls_asleep, wakes = calendar.sleep
    return _repeated(calendar.zone, (start, end), falls_asleep, (wakes - falls_asleep) % DAY, DAY)


def _repeated(
    zone: str, within: Interval, first: int, length: int, period: int
) -> Iterator[Interval]:
    """Intervals of `length` seconds every `period` seconds by the wall clock, the first at
    `first`."""
    for start, end, offset in offsets(zone, *within):
        left, right = start + offset, end + offset  # by the wall clock
        begin = left - (left - first) % period
        for at in range(begin, right, period):
            clipped = max(at, left), min(at + length, right)
            if clipped[0] < clipped[1]:
                yield clipped[0] - offset, clipped[1] - offset


def offsets(zone: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Split the time from `start` to `end` (unix seconds) wherever the zone's UTC offset changes.

    Yields (start, end, UTC offset in seconds).
    """
    for year in range(_year(start), _year(end - 1) + 1):
        for begins, ends, offset in _offsets_of_year(zone, year):
            if begins < end and start < ends:
                yield max(begins, start), min(ends, end), offset


def _year(moment: int) -> int:
    return datetime.fromtimestamp(moment, UTC).year


@lru_cache(maxsize=1024)
def _offsets_of_year(zone: str, year: int) -> tuple[tuple[int, int, int], ...]:
    start, end = (int(datetime(y, 1, 1, tzinfo=UTC).timestamp()) for y in (year, year + 1))
    spans, info = [(start, _offset(zone_named(zone), start))], zone_named(zone)
    for before in range(start, end, _STEP):
        last = min(before + _STEP, end) - 1
        if (offset := _offset(info, last)) != spans[-1][1]:
            spans.append((_change(info, before - 1, last), offset))
    ends = [*(begins for begins, _ in spans[1:]), end]
    return tuple((begins, to, offset) for (begins, offset), to in zip(spans, ends, strict=True))


def _change(info: tzinfo, before: int, after: int) -> int:
    """The first moment after `before` that has the UTC offset of the moment `after`."""
    wanted = _offset(info, after)
    while after - before > 1:
        middle = (before + after) // 2
        if _offset(info, middle) == wanted:
            after = middle
        else:
            before = middle
    return after


def _offset(info: tzinfo, moment: int) -> int:
    offset = datetime.fromtimestamp(moment, info).utcoffset()
    return 0 if offset is None else int(offset.total_seconds())


@lru_cache(maxsize=1024)
def zone_named(name: str) -> tzinfo:
    """The zone with this name in the tz database; UTC if there is none (any more)."""
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return UTC
