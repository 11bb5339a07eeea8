"""Moments as the log writes them: RFC 3339 in UTC, whole seconds."""

from datetime import UTC, datetime


def timestamp(seconds: float) -> str:
    """Unix seconds as text: `2026-11-21T03:06:59Z`."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def unix(text: str) -> int:
    """Unix seconds of a text that `timestamp` wrote."""
    return int(datetime.fromisoformat(text).timestamp())
