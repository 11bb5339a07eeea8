"""Guests who no longer come back."""

from typing import Literal

from service.eventlog import notice_id
from workers.context import WorkerContext
from workers.prefetch import Prefetched


def expire(context: WorkerContext, found: Prefetched) -> Literal["postponed", "dropped"]:
    """Close the account of an unused guest; postpone the notice while the account is in use."""
    next_check = context.container.guests.expire_if_unused(found.notice.recipient)
    if next_check is None:
        return "dropped"
    context.container.log.outbox.postpone(notice_id(*found.notice), next_check)
    return "postponed"
