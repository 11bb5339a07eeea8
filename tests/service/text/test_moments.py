"""Moments in words."""

from zoneinfo import ZoneInfo

import pytest

from service.core.durations import DAY, HOUR, MINUTE
from service.core.timestamps import unix
from service.text.moments import moment, time_until


def test_a_moment_names_the_readers_zone() -> None:
    assert moment("2026-11-24T23:30:00Z") == "Tuesday 24 November 2026, 23:30 (UTC)"
    assert moment("2026-11-24T23:30:00Z", ZoneInfo("Europe/Vienna")) == (
        "Wednesday 25 November 2026, 00:30 (Europe/Vienna)"
    )
    assert moment("2026-07-05T09:05:00Z", ZoneInfo("Asia/Kathmandu")) == (
        "Sunday 5 July 2026, 14:50 (Asia/Kathmandu)"
    )


AT = "2026-11-25T08:50:00Z"


def test_a_deadline_says_how_long_and_until_when() -> None:
    now = unix(AT) - 2 * DAY - HOUR
    assert time_until(AT, ZoneInfo("Europe/Berlin"), now) == "2 days left · until Wed 25 Nov 09:50"
    assert time_until(AT, ZoneInfo("UTC"), now) == "2 days left · until Wed 25 Nov 08:50 UTC"


def test_a_deadline_in_another_year_names_it() -> None:
    until = time_until(AT, ZoneInfo("Europe/Berlin"), unix(AT) - 360 * DAY)
    assert until == "360 days left · until Wed 25 Nov 2026 09:50"


@pytest.mark.parametrize(
    ("seconds", "left"),
    [
        (2 * DAY, "2 days"),
        (2 * DAY - 1, "47 hours"),
        (2 * HOUR, "2 hours"),
        (2 * HOUR - 1, "119 minutes"),
        (2 * MINUTE - 1, "less than two minutes"),
    ],
)
def test_time_left_is_rounded_down(seconds: int, left: str) -> None:
    assert time_until(AT, ZoneInfo("UTC"), unix(AT) - seconds).startswith(f"{left} left · ")


def test_no_time_left_says_so() -> None:
    assert time_until(AT, ZoneInfo("UTC"), unix(AT)).startswith("time is up · ")
