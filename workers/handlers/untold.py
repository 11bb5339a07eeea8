"""Games in which a flag is held since the player to move was not told of the turn."""

from typing import Final, Literal

from service.core.durations import MINUTE
from service.eventlog import notice_id
from workers.context import WorkerContext
from workers.due import DueNotice

PERIOD: Final = MINUTE
"""Seconds between two looks whether the player was told."""


def look(context: WorkerContext, due: DueNotice) -> Literal["postponed", "dropped"]:
    """Let the time of the player begin, if they were told by now; else look again."""
    container, notice = context.container, due.notice
    if due.game is None or not container.games.release_if_told(notice.subject):
        return "dropped"
    container.log.outbox.postpone(notice_id(*notice), container.now() + PERIOD)
    return "postponed"
