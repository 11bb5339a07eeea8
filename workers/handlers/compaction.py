"""Compacting the logs of finished games."""

from typing import Literal

from workers.context import WorkerContext
from workers.due import DueNotice


def compact(context: WorkerContext, due: DueNotice) -> Literal["compacted", "dropped"]:
    """Compact the log of a finished game if it is still at the notice's version."""
    events, notice = context.container.log.events, due.notice
    if events.version(notice.subject) != notice.version:
        return "dropped"
    return "compacted" if events.compact(notice.subject) else "dropped"
