"""The times that count for a player: a turn's time counts except for its pauses.

The wall clock of a player's zone decides whether a second belongs to sleep or a weekend. So an hour
that comes twice, at the end of summer time, is treated alike both times. Counted time is a row of
stretches. Within a stretch only days of the week and hours of the day matter, repeated weekly, so
that years cost no more than days.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from engine.clock_events import CalendarChanged
from service.core.times import DAY, HOUR, MINUTE, unix

Interval = tuple[int, int]
"""From one moment up to another, excluded, both in unix seconds."""

FAR: Final = 7_258_118_400
"""A moment that never comes: the year 2200, which no record reaches.

A pause without an end ends here, and so does any time that would last longer.
"""


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """Merge intervals into some that neither overlap nor touch, in order."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def clipped(intervals: Iterable[Interval], start: int, end: int) -> list[Interval]:
    """The parts of these intervals that lie between two moments."""
    cut = [(max(one, start), min(other, end)) for one, other in intervals]
    return [(one, other) for one, other in cut if one < other]


def gaps(intervals: Iterable[Interval], start: int, end: int) -> Iterator[Interval]:
    """The parts of the time between two moments that none of these intervals covers."""
    for one, other in [*union(clipped(intervals, start, end)), (end, end)]:
        if start < one:
            yield start, one
        start = other


WEEK: Final = 7 * DAY
FIRST_SATURDAY: Final = 2 * DAY
"""The first Saturday, in seconds: 1 January 1970 was a Thursday."""


class Week(NamedTuple):
    """The counted intervals of each week, in seconds from its beginning, and their total length."""

    counting: tuple[Interval, ...] = ((0, WEEK),)
    length: int = WEEK

    def counted_by(self, moment: int) -> int:
        """The seconds that have counted by this moment."""
        weeks, rest = divmod(moment, WEEK)
        return weeks * self.length + sum(
            min(end, rest) - at for at, end in self.counting if at < rest
        )

    def after(self, moment: int, seconds: int) -> int:
        """The first moment at which `seconds` (at least 1) have been counted since `moment`."""
        weeks, left = divmod(self.counted_by(moment) + seconds - 1, self.length)
        left += 1
        for start, end in self.counting:
            if left <= end - start:
                return weeks * WEEK + start + left
            left -= end - start
        raise AssertionError("a week has as many seconds as count in it")


ALWAYS: Final = Week()
"""A week that counts entirely."""


@lru_cache(maxsize=1024)
def week(weekends_off: bool, sleep: Interval | None) -> Week:
    """The hours of a week that count for a player: no weekends with `weekends_off`, and no sleep.

    `sleep` is its start and end in seconds after midnight; None if nights count.
    """
    pauses = [(FIRST_SATURDAY, FIRST_SATURDAY + 2 * DAY)] if weekends_off else []
    if sleep is not None:
        falls_asleep, wakes = sleep
        nights = range(falls_asleep - DAY, WEEK, DAY)
        pauses += [(night, night + (wakes - falls_asleep) % DAY) for night in nights]
    counting = tuple(gaps(clipped(pauses, 0, WEEK), 0, WEEK))
    return Week(counting, sum(end - start for start, end in counting))


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
    for year in range(year_of(start), year_of(end - 1) + 1):
        for begins, ends, offset in _offsets_of_year(zone, year):
            if begins < end and start < ends:
                yield max(begins, start), min(ends, end), offset


def year_of(moment: float) -> int:
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


class Stretch(NamedTuple):
    """A span of unix seconds, its end excluded, in which `week` alone decides which seconds count.

    `offset`: seconds by which the wall clock is ahead of UTC.
    """

    start: int
    end: int
    offset: int
    week: Week

    @property
    def counted(self) -> int:
        return self.week.counted_by(self.end + self.offset) - self.week.counted_by(
            self.start + self.offset
        )


def reach(start: int, seconds: int, stretches: Iterable[Stretch]) -> int | None:
    """The first moment at which `seconds` have been counted since `start`.

    None if the stretches, which begin at `start`, end before that.
    """
    if seconds <= 0:
        return start
    left = seconds
    for stretch in stretches:
        counted = stretch.counted
        if counted >= left:
            local = stretch.week.after(stretch.start + stretch.offset, left)
            return local - stretch.offset
        left -= counted
    return None
