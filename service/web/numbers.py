"""Reads numbers and dates in URLs and forms."""

import re
from datetime import date
from typing import Final

_NUMBER: Final = re.compile("[1-9][0-9]{0,8}")


def read_number(text: str) -> int | None:
    """Return a number of 1 or more in ASCII digits, as our pages write it; None for other text."""
    return int(text) if _NUMBER.fullmatch(text) else None


def read_date(text: str) -> date | None:
    """Return a date as our pages write it, `2026-11-23`; None for any other text."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if text == day.isoformat() else None
