"""Moments in words, in the time zone of the reader, which is named."""

from datetime import UTC, datetime, tzinfo


def moment(text: str, zone: tzinfo = UTC) -> str:
    """A moment of the log for a person: `Tuesday 24 November 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} ({zone})"


def short_moment(text: str, zone: tzinfo) -> str:
    """The same where there is little room: `Tue 24 Nov 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M} ({zone})"


def day(text: str, zone: tzinfo) -> str:
    """The day of a moment there: `24 Nov 2026`."""
    at = _at(text, zone)
    return f"{at.day} {at:%b %Y}"


def _at(text: str, zone: tzinfo) -> datetime:
    return datetime.fromisoformat(text).astimezone(zone)
