"""Durations in seconds, and moments in the log's form: RFC 3339 in UTC, whole seconds."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


def timestamp(seconds: float) -> str:
    """Unix seconds as text: `2026-11-21T03:06:59Z`."""
    return _of_second(int(seconds))


@lru_cache
def _of_second(second: int) -> str:
    # Unlike strftime, four digits for every year.
    return datetime.fromtimestamp(second, UTC).isoformat().replace("+00:00", "Z")


def unix(text: str) -> int:
    """Unix seconds of a text that `timestamp` wrote."""
    return int(datetime.fromisoformat(text).timestamp())
