"""Numbers and dates in addresses and forms."""

import re
from datetime import date
from typing import Final

_NUMBER: Final = re.compile("[1-9][0-9]{0,8}")


def read_number(text: str) -> int | None:
    """A number from 1 on in ASCII digits, as a page of ours writes it; None for any other text."""
    return int(text) if _NUMBER.fullmatch(text) else None


def read_date(text: str) -> date | None:
    """A date as a page of ours writes it, `2026-11-23`; None for any other text."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if text == day.isoformat() else None
