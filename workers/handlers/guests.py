"""Guests who are not used any more."""

from typing import Literal

from service.eventlog import NoticeParts, notice_id
from workers.context import Office


def look(office: Office, notice: NoticeParts) -> Literal["postponed", "dropped"]:
    """Close the account of a guest whom nobody uses; of one in use, look again later."""
    again = office.guests.look(notice.recipient)
    if again is None:
        return "dropped"
    office.log.postpone_notice(notice_id(*notice), again)
    return "postponed"
