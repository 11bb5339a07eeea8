"""Times of day by a player's own clock, over every change of the clock."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.accounts.mail_preferences import (
    MINUTES_A_DAY,
    QuietHours,
    next_time_of_day,
    quiet_until,
    zone,
    zone_names,
)

BERLIN = "Europe/Berlin"  # 2026: 29 March 02:00 → 03:00, 25 October 03:00 → 02:00
NEW_YORK = "America/New_York"  # 2026: 8 March 02:00 → 03:00, 1 November 02:00 → 01:00
LORD_HOWE = "Australia/Lord_Howe"  # by half an hour: 4 October 02:00 → 02:30, 5 April 02:00 → 01:30
CHATHAM = "Pacific/Chatham"  # 12:45 or 13:45: 27 September 02:45 → 03:45, 5 April 03:45 → 02:45
KATHMANDU = "Asia/Kathmandu"  # 5:45
KOLKATA = "Asia/Kolkata"  # 5:30
SANTIAGO = "America/Santiago"  # at midnight: 6 September 00:00 → 01:00, 5 April 00:00 → 23:00
APIA = "Pacific/Apia"  # had no 30 December 2011


def minute(text: str) -> int:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def at(text: str) -> float:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def told(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="minutes")[:16]


@pytest.mark.parametrize(
    ("where", "now", "time", "expected"),
    [
        ("UTC", "2026-06-01T07:59", "08:00", "2026-06-01T08:00"),
        ("UTC", "2026-06-01T08:00", "08:00", "2026-06-02T08:00"),
        (BERLIN, "2026-06-01T05:00", "08:00", "2026-06-01T06:00"),
        (KATHMANDU, "2026-06-01T00:00", "08:00", "2026-06-01T02:15"),
        (KOLKATA, "2026-06-01T00:00", "08:00", "2026-06-01T02:30"),
        (CHATHAM, "2026-06-01T00:00", "08:00", "2026-06-01T19:15"),
        # The days before and after a change have 23 and 25 hours between the same times.
        (BERLIN, "2026-03-28T07:00", "08:00", "2026-03-29T06:00"),
        (BERLIN, "2026-10-24T06:00", "08:00", "2026-10-25T07:00"),
        # Skipped: the moment of the change.
        (BERLIN, "2026-03-29T00:00", "02:00", "2026-03-29T01:00"),
        (BERLIN, "2026-03-29T00:00", "02:30", "2026-03-29T01:00"),
        (BERLIN, "2026-03-29T00:00", "02:59", "2026-03-29T01:00"),
        (BERLIN, "2026-03-29T00:00", "03:00", "2026-03-29T01:00"),
        (BERLIN, "2026-03-29T01:00", "02:30", "2026-03-30T00:30"),
        (NEW_YORK, "2026-03-08T06:00", "02:30", "2026-03-08T07:00"),
        (LORD_HOWE, "2026-10-03T15:00", "02:15", "2026-10-03T15:30"),
        (CHATHAM, "2026-09-26T13:00", "03:00", "2026-09-26T14:00"),
        (SANTIAGO, "2026-09-06T03:00", "00:30", "2026-09-06T04:00"),
        # Twice: the first time only.
        (BERLIN, "2026-10-25T00:00", "02:30", "2026-10-25T00:30"),
        (BERLIN, "2026-10-25T00:30", "02:30", "2026-10-26T01:30"),
        (NEW_YORK, "2026-11-01T05:00", "01:30", "2026-11-01T05:30"),
        (LORD_HOWE, "2026-04-04T14:00", "01:45", "2026-04-04T14:45"),
        (LORD_HOWE, "2026-04-04T14:45", "01:45", "2026-04-05T15:15"),
        (SANTIAGO, "2026-04-05T02:00", "23:30", "2026-04-05T02:30"),
        # A day that was left out.
        (APIA, "2011-12-30T09:59", "08:00", "2011-12-30T10:00"),
    ],
)
def test_the_next_time_of_day(where: str, now: str, time: str, expected: str) -> None:
    assert told(next_time_of_day(at(now), minute(time), zone(where))) == expected


@pytest.mark.parametrize(
    ("where", "hours", "now", "expected"),
    [
        ("UTC", "22:00-07:00", "2026-06-01T21:59", None),
        ("UTC", "22:00-07:00", "2026-06-01T22:00", "2026-06-02T07:00"),
        ("UTC", "22:00-07:00", "2026-06-02T06:59", "2026-06-02T07:00"),
        ("UTC", "22:00-07:00", "2026-06-02T07:00", None),
        ("UTC", "09:00-17:00", "2026-06-01T12:00", "2026-06-01T17:00"),
        ("UTC", "09:00-17:00", "2026-06-01T18:00", None),
        ("UTC", "00:00-23:59", "2026-06-01T23:59", None),
        ("UTC", "12:00-11:59", "2026-06-01T11:58", "2026-06-01T11:59"),
        (KATHMANDU, "22:00-07:00", "2026-06-01T16:14", None),
        (KATHMANDU, "22:00-07:00", "2026-06-01T16:15", "2026-06-02T01:15"),
        (CHATHAM, "22:00-07:00", "2026-06-01T10:00", "2026-06-01T18:15"),
        # A short night and a long one.
        (BERLIN, "22:00-07:00", "2026-03-28T21:00", "2026-03-29T05:00"),
        (BERLIN, "22:00-07:00", "2026-10-24T20:00", "2026-10-25T06:00"),
        # The end is skipped; the beginning is; both are.
        (BERLIN, "22:00-02:30", "2026-03-29T00:59", "2026-03-29T01:00"),
        (BERLIN, "22:00-02:30", "2026-03-29T01:00", None),
        (BERLIN, "02:30-06:00", "2026-03-29T00:59", None),
        (BERLIN, "02:30-06:00", "2026-03-29T01:00", "2026-03-29T04:00"),
        (BERLIN, "02:10-02:50", "2026-03-29T01:00", None),
        # The end comes twice: it is quiet to the second. The beginning: from the first.
        (BERLIN, "22:00-02:30", "2026-10-25T00:29", "2026-10-25T01:30"),
        (BERLIN, "22:00-02:30", "2026-10-25T00:45", "2026-10-25T01:30"),
        (BERLIN, "22:00-02:30", "2026-10-25T01:30", None),
        (BERLIN, "02:30-06:00", "2026-10-25T00:30", "2026-10-25T05:00"),
        (BERLIN, "02:30-06:00", "2026-10-25T01:10", "2026-10-25T05:00"),
        (BERLIN, "02:10-02:50", "2026-10-25T00:10", "2026-10-25T01:50"),
        (LORD_HOWE, "22:00-02:15", "2026-10-03T15:00", "2026-10-03T15:30"),
        (LORD_HOWE, "22:00-01:45", "2026-04-04T14:40", "2026-04-04T15:15"),
        (SANTIAGO, "00:00-06:00", "2026-09-06T04:00", "2026-09-06T09:00"),
        (SANTIAGO, "23:30-06:00", "2026-04-05T02:30", "2026-04-05T10:00"),
        # Nearly the whole day, and the clock goes back in the pause: one night runs into the next.
        (BERLIN, "02:30-02:15", "2026-10-25T00:20", "2026-10-26T01:15"),
    ],
)
def test_quiet_hours(where: str, hours: str, now: str, expected: str | None) -> None:
    quiet = QuietHours(*map(minute, hours.split("-")))
    until = quiet_until(at(now), quiet, zone(where))
    assert (None if until is None else told(until)) == expected


CHANGES = {
    BERLIN: ("2026-03-28", "2026-10-24"),
    NEW_YORK: ("2026-03-07", "2026-10-31"),
    LORD_HOWE: ("2026-04-03", "2026-10-02"),
    CHATHAM: ("2026-04-03", "2026-09-25"),
    SANTIAGO: ("2026-04-03", "2026-09-04"),
    KATHMANDU: ("2026-06-01",),
}


def _walls(where: str, begin: float, minutes: int) -> list[tuple[float, datetime]]:
    """Every minute from `begin`, with what clocks there show."""
    zoned = ZoneInfo(where)
    steps = (begin + 60 * step for step in range(minutes))
    return [(now, datetime.fromtimestamp(now, zoned).replace(tzinfo=None)) for now in steps]


@pytest.mark.parametrize(
    ("where", "day"), [(where, day) for where, days in CHANGES.items() for day in days]
)
def test_each_day_has_each_time_once(where: str, day: str) -> None:
    """Compared with a walk minute by minute, for each quarter of an hour, over the change."""
    walls = _walls(where, at(day), 4 * MINUTES_A_DAY)
    for wanted in range(0, MINUTES_A_DAY, 15):
        expected: dict[object, float] = {}
        for (_, before), (now, wall) in pairwise(walls):
            passed = before.hour * 60 + before.minute < wanted <= wall.hour * 60 + wall.minute
            midnight = wall.date() > before.date() and wanted <= wall.hour * 60 + wall.minute
            if passed or midnight:
                expected.setdefault(wall.date(), now)
        found = []
        now = walls[0][0]
        while (now := next_time_of_day(now, wanted, zone(where))) <= walls[-1][0]:
            found.append(now)
        assert found == list(expected.values()), (where, wanted)


@settings(max_examples=300, deadline=None)
@given(
    where=st.sampled_from(zone_names()),
    begin=st.integers(0, MINUTES_A_DAY - 1),
    length=st.integers(1, MINUTES_A_DAY - 1),
    now=st.integers(1_600_000_000, 2_000_000_000),
)
def test_quiet_hours_end_at_their_end(where: str, begin: int, length: int, now: int) -> None:
    zoned = zone(where)
    quiet = QuietHours(begin, (begin + length) % MINUTES_A_DAY)
    wall = datetime.fromtimestamp(now, zoned)
    shown = wall.hour * 60 + wall.minute
    until = quiet_until(now, quiet, zoned)
    day_before, day_after = (wall + timedelta(days=step) for step in (-2, 2))
    if day_before.utcoffset() == wall.utcoffset() == day_after.utcoffset():
        assert (until is not None) == ((shown - begin) % MINUTES_A_DAY < length)
    if until is not None:
        assert now < until <= now + 2 * 24 * 3600 + 3 * 3600
        assert quiet_until(until, quiet, zoned) is None
        assert quiet_until(until - 1, quiet, zoned) == until


@settings(max_examples=300, deadline=None)
@given(
    where=st.sampled_from(zone_names()),
    wanted=st.integers(0, MINUTES_A_DAY - 1),
    now=st.integers(1_600_000_000, 2_000_000_000),
)
def test_the_next_time_comes_within_a_day_and_is_that_time(
    where: str, wanted: int, now: int
) -> None:
    moment = next_time_of_day(now, wanted, zone(where))
    assert now < moment <= now + 27 * 3600
    wall = datetime.fromtimestamp(moment, zone(where))
    before = datetime.fromtimestamp(moment - 60, zone(where))
    if before.utcoffset() == wall.utcoffset():
        assert wall.hour * 60 + wall.minute == wanted


def test_a_zone_that_nobody_knows_is_utc() -> None:
    assert zone("Mars/Olympus") is UTC
    assert zone("../../etc/passwd") is UTC


@pytest.mark.parametrize("name", ["Europe/Berlin", "UTC", "Asia/Kathmandu"])
def test_zones_have_names(name: str) -> None:
    assert name in zone_names()
