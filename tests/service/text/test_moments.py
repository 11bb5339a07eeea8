"""Moments in words."""

from zoneinfo import ZoneInfo

import pytest

from service.core.times import DAY, HOUR, MINUTE, unix
from service.core.words import ENGLISH
from service.text.moments import end_moment, moment, short_span, time_until


def test_a_moment_names_the_readers_zone() -> None:
    assert moment(ENGLISH, "2026-11-24T23:30:00Z") == "Tuesday 24 November 2026, 23:30 (UTC)"
    assert moment(ENGLISH, "2026-11-24T23:30:00Z", ZoneInfo("Europe/Vienna")) == (
        "Wednesday 25 November 2026, 00:30 (Europe/Vienna)"
    )
    assert moment(ENGLISH, "2026-07-05T09:05:00Z", ZoneInfo("Asia/Kathmandu")) == (
        "Sunday 5 July 2026, 14:50 (Asia/Kathmandu)"
    )


AT = "2026-11-25T08:50:00Z"


def test_a_deadline_says_how_long_and_until_when() -> None:
    now = unix(AT) - 2 * DAY - HOUR
    assert (
        time_until(ENGLISH, AT, ZoneInfo("Europe/Berlin"), now)
        == "2 d 1 h left · until Wed 25 Nov 09:50"
    )
    assert (
        time_until(ENGLISH, AT, ZoneInfo("UTC"), now) == "2 d 1 h left · until Wed 25 Nov 08:50 UTC"
    )


def test_a_deadline_in_another_year_names_it() -> None:
    until = time_until(ENGLISH, AT, ZoneInfo("Europe/Berlin"), unix(AT) - 360 * DAY)
    assert until == "360 days left · until Wed 25 Nov 2026 09:50"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3 * DAY, "3 days"),
        (3 * DAY - 50, "3 days"),
        (3 * DAY - HOUR, "2 d 23 h"),
        (DAY, "1 day"),
        (DAY - 5, "1 day"),
        (DAY - 50, "23 h 59 min"),
        (23 * HOUR + 40 * MINUTE, "23 h 40 min"),
        (3 * HOUR, "3 hours"),
        (2 * HOUR - MINUTE, "1 h 59 min"),
        (12 * MINUTE + 50, "12 minutes"),
        (2 * MINUTE - 1, "1 minute"),
        (30, "less than a minute"),
    ],
)
def test_a_length_of_time_is_told_by_two_units_to_the_nearest(seconds: int, words: str) -> None:
    assert short_span(ENGLISH, seconds) == words


def test_no_time_left_says_so() -> None:
    assert time_until(ENGLISH, AT, ZoneInfo("UTC"), unix(AT)).startswith("time is up · ")


@pytest.mark.parametrize(
    ("until", "zone", "words"),
    [
        ("2026-11-29T00:00:00Z", "UTC", "the end of Sat 28 Nov 2026 (UTC)"),
        ("2026-11-28T23:00:00Z", "Europe/Berlin", "the end of Sat 28 Nov 2026 (Europe/Berlin)"),
        ("2026-11-29T00:00:00Z", "Europe/Berlin", "Sun 29 Nov 2026, 01:00 (Europe/Berlin)"),
    ],
)
def test_a_span_that_ends_at_midnight_ends_with_its_last_day(
    until: str, zone: str, words: str
) -> None:
    assert end_moment(ENGLISH, until, ZoneInfo(zone)) == words
