"""The notice that a vacation ends in a day."""

from collections.abc import Mapping
from typing import Any

from service.core.durations import DAY
from service.core.timestamps import timestamp
from service.eventlog import NoticeParts
from service.games.calendars.notices import VACATION_ENDS
from service.text.moments import moment
from workers.context import WorkerContext
from workers.prefetch import Prefetched

KINDS = (VACATION_ENDS,)


def ends_at(context: WorkerContext, notice: NoticeParts) -> int | None:
    """When the vacation ends that this notice tells of (unix seconds); None if there is no such
    vacation any more, or it is over."""
    now = context.container.now()
    for begin, end in context.container.games.calendars.of(notice.recipient).to_come(now):
        if end // DAY == notice.version and begin <= now:
            return end
    return None


def variables(context: WorkerContext, found: Prefetched) -> Mapping[str, Any] | None:
    """What the templates show; None if there is nothing to tell any more."""
    end = ends_at(context, found.notice)
    if end is None:
        return None
    until = moment(timestamp(end), found.choice.zone)
    return {
        "sentence": f"Your vacation ends on {until}. From then on your time counts again.",
        "link": context.container.settings.base_url,
    }
