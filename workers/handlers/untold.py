"""Games whose clock waits until the player to move has been notified of the turn."""

from typing import Final, Literal

from service.core.durations import MINUTE
from service.eventlog import notice_id
from workers.context import WorkerContext
from workers.due import DueNotice

PERIOD: Final = MINUTE
"""Seconds between two checks whether the player was notified."""


def look(context: WorkerContext, due: DueNotice) -> Literal["postponed", "dropped"]:
    """Start the player's time if they have been notified; otherwise check again later."""
    container, notice = context.container, due.notice
    if due.game is None or not container.games.release_if_notified(notice.subject):
        return "dropped"
    container.log.outbox.postpone(notice_id(*notice), container.now() + PERIOD)
    return "postponed"
