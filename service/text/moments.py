"""Moments in words, in the reader's time zone, which is named."""

from datetime import UTC, datetime, tzinfo

from service.core.durations import DAY, HOUR, MINUTE


def moment(text: str, zone: tzinfo = UTC) -> str:
    """A moment of the log for a person: `Tuesday 24 November 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} ({zone})"


def short_moment(text: str, zone: tzinfo) -> str:
    """The same in a shorter form: `Tue 24 Nov 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M} ({zone})"


def time_until(text: str, zone: tzinfo, now: float) -> str:
    """The time left, and its end: `2 days left · until Wed 25 Nov 09:50`.

    The zone is left out if the reader has chosen one, because they live in it. The year is left out
    if it is this one.
    """
    at, today = _at(text, zone), datetime.fromtimestamp(now, zone)
    until = f"until {at:%a} {at.day} {at:%b}{'' if at.year == today.year else f' {at.year}'}"
    named = " UTC" if str(zone) == "UTC" else ""
    return f"{_left(at.timestamp() - now)} · {until} {at:%H:%M}{named}"


def _left(seconds: float) -> str:
    """The time left, rounded down: in days from two days on, in hours from two hours on, then in
    minutes."""
    for size, unit in ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes")):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {unit} left"
    return "less than two minutes left" if seconds > 0 else "time is up"


def near_moment(text: str, zone: tzinfo) -> str:
    """The same within a week: `Wed 09:50`."""
    return f"{_at(text, zone):%a %H:%M}"


def far_moment(text: str, zone: tzinfo) -> str:
    """The same within a year: `Wed 2 Dec, 09:50`."""
    at = _at(text, zone)
    return f"{at:%a} {at.day} {at:%b, %H:%M}"


def day(text: str, zone: tzinfo) -> str:
    """The date of a moment in this zone: `24 Nov 2026`."""
    at = _at(text, zone)
    return f"{at.day} {at:%b %Y}"


def clock_time(text: str, zone: tzinfo) -> str:
    """The same within a day: `09:50`."""
    return f"{_at(text, zone):%H:%M}"


def _at(text: str, zone: tzinfo) -> datetime:
    return datetime.fromisoformat(text).astimezone(zone)
