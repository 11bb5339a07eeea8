"""Moments in words, in the time zone of the reader, which is named."""

from datetime import UTC, datetime, tzinfo


def moment(text: str, zone: tzinfo = UTC) -> str:
    """A moment of the log for a person: `Tuesday 24 November 2026, 12:00 (UTC)`."""
    at = datetime.fromisoformat(text).astimezone(zone)
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} ({zone})"
