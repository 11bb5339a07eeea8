"""The mail that a vacation ends in a day."""

from collections.abc import Mapping
from typing import Any

from service.core.durations import DAY
from service.core.timestamps import timestamp
from service.games.calendars.notices import VACATION_ENDS
from service.text.moments import moment
from workers.context import WorkerContext
from workers.prefetch import Prefetched

KINDS = (VACATION_ENDS,)


def variables(context: WorkerContext, found: Prefetched) -> Mapping[str, Any] | None:
    """What the templates show; None if there is no such vacation any more, or it is over."""
    container, notice = context.container, found.notice
    now = container.now()
    for begin, end in container.games.calendars.of(notice.recipient).to_come(now):
        if end // DAY == notice.version and begin <= now:
            return {
                "until": moment(timestamp(end), found.choice.zone),
                "link": container.settings.base_url,
            }
    return None
