"""Moments in words."""

from zoneinfo import ZoneInfo

from service.text.moments import moment


def test_a_moment_names_the_readers_zone() -> None:
    assert moment("2026-11-24T23:30:00Z") == "Tuesday 24 November 2026, 23:30 (UTC)"
    assert moment("2026-11-24T23:30:00Z", ZoneInfo("Europe/Vienna")) == (
        "Wednesday 25 November 2026, 00:30 (Europe/Vienna)"
    )
    assert moment("2026-07-05T09:05:00Z", ZoneInfo("Asia/Kathmandu")) == (
        "Sunday 5 July 2026, 14:50 (Asia/Kathmandu)"
    )
