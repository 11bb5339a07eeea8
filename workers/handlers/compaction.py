"""The logs of finished games, made small."""

from typing import Literal

from service.eventlog import NoticeParts
from workers.context import WorkerContext


def pack(context: WorkerContext, notice: NoticeParts) -> Literal["packed", "dropped"]:
    """Pack the log of a game that has ended, unless it is another log than the notice was for."""
    if context.container.log.events.version(notice.game) != notice.version:
        return "dropped"
    return "packed" if context.container.log.events.compact(notice.game) else "dropped"
