"""The notices that follow from a calendar."""

from typing import Final

from service.core.durations import MINUTE
from service.eventlog import Notice, notice_id

CALENDAR: Final = "calendar"
"""The kind of notice to write a player's calendar into their games."""
VACATION_ENDS: Final = "vacation-ends"
"""The kind of mail that a vacation ends in a day."""


def calendar_notice(player: str, now: int, due: float) -> Notice:
    """The notice to write the calendar, changed now, into all games."""
    return Notice(notice_id(player, now // MINUTE, player, "log", CALENDAR), due)
