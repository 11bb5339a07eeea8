"""Finishes calendar changes that the web process may not have written into all games."""

from typing import Literal

from workers.context import WorkerContext
from workers.due import DueNotice


def apply(context: WorkerContext, due: DueNotice) -> Literal["listed"]:
    """Write the player's calendar into their running games."""
    context.container.games.calendars.apply(due.notice.recipient)
    return "listed"
