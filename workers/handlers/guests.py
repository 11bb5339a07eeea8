"""Guests who are not used any more."""

from typing import Literal

from service.eventlog import NoticeParts, notice_id
from workers.context import WorkerContext


def look(context: WorkerContext, notice: NoticeParts) -> Literal["postponed", "dropped"]:
    """Close the account of a guest whom nobody uses; of one in use, look again later."""
    again = context.container.guests.expire_if_unused(notice.recipient)
    if again is None:
        return "dropped"
    context.container.log.outbox.postpone(notice_id(*notice), again)
    return "postponed"
