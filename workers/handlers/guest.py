"""Closes the accounts of guests who stay away."""

from typing import Literal

from service.eventlog import notice_id
from workers.context import WorkerContext
from workers.due import DueNotice


def expire(context: WorkerContext, due: DueNotice) -> Literal["postponed", "dropped"]:
    """Close the account of an unused guest; postpone the notice while the account is in use."""
    next_check = context.container.guests.expire_if_unused(due.notice.recipient)
    if next_check is None:
        return "dropped"
    context.container.log.outbox.postpone(notice_id(*due.notice), next_check)
    return "postponed"
