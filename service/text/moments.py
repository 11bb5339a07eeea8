"""Moments in words, in the reader's time zone, which is named."""

from datetime import UTC, datetime, time, timedelta, tzinfo

from service.core.durations import DAY, HOUR, MINUTE


def moment(text: str, zone: tzinfo = UTC) -> str:
    """A moment of the log for a person: `Tuesday 24 November 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} ({zone})"


def short_moment(text: str, zone: tzinfo) -> str:
    """A moment of the log in a shorter form: `Tue 24 Nov 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M} ({zone})"


def end_moment(text: str, zone: tzinfo) -> str:
    """The end of a span, in the short form. Midnight is the end of the day before it: `the end of
    Sat 28 Nov 2026 (UTC)`."""
    at = _at(text, zone)
    if at.time() != time():
        return short_moment(text, zone)
    last = at.date() - timedelta(days=1)
    return f"the end of {last:%a} {last.day} {last:%b %Y} ({zone})"


def time_until(text: str, zone: tzinfo, now: float) -> str:
    """The time left, and its end: `2 d 23 h left · until Wed 25 Nov 09:50`.

    The zone is left out if the reader has chosen one, because they live in it. The year is left out
    if it is this one.
    """
    return f"{time_left(_at(text, zone).timestamp() - now)} · until {by(text, zone, now)}"


def by(text: str, zone: tzinfo, now: float) -> str:
    """A moment for use after "by", without year or zone if possible: `Wed 25 Nov 09:50`."""
    at, today = _at(text, zone), datetime.fromtimestamp(now, zone)
    year = "" if at.year == today.year else f" {at.year}"
    return f"{at:%a} {at.day} {at:%b}{year} {at:%H:%M}{' UTC' if str(zone) == 'UTC' else ''}"


def time_left(seconds: float) -> str:
    """The time left, in words: `2 d 23 h left`, or `time is up`."""
    return f"{short_span(seconds)} left" if seconds > 0 else "time is up"


def short_span(seconds: float) -> str:
    """A length of time in its two largest units, or one: `2 d 23 h`, `5 h 12 min`, `3 days`.

    Days are rounded to the nearest hour, hours to the nearest minute: of three days, `3 days` are
    left after ten minutes. Below an hour, minutes are rounded down.
    """
    for size, unit, part, smaller in ((DAY, "day", HOUR, "h"), (HOUR, "hour", MINUTE, "min")):
        if seconds >= size - MINUTE / 2:
            whole, rest = divmod(int(seconds / part + 0.5), size // part)
            return f"{whole} {unit[0]} {rest} {smaller}" if rest else counted(whole, unit)
    return counted(int(seconds // MINUTE), "minute") if seconds >= MINUTE else "less than a minute"


def counted(number: int, what: str) -> str:
    """A number of things, in singular or plural: `1 game`, `2 games`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def near_moment(text: str, zone: tzinfo) -> str:
    """A moment within a week: `Wed 09:50`."""
    return f"{_at(text, zone):%a %H:%M}"


def far_moment(text: str, zone: tzinfo) -> str:
    """A moment within a year: `Wed 2 Dec, 09:50`."""
    at = _at(text, zone)
    return f"{at:%a} {at.day} {at:%b, %H:%M}"


def day(text: str, zone: tzinfo) -> str:
    """The date of a moment in this zone: `24 Nov 2026`."""
    at = _at(text, zone)
    return f"{at.day} {at:%b %Y}"


def clock_time(text: str, zone: tzinfo) -> str:
    """A moment within a day: `09:50`."""
    return f"{_at(text, zone):%H:%M}"


def _at(text: str, zone: tzinfo) -> datetime:
    return datetime.fromisoformat(text).astimezone(zone)
