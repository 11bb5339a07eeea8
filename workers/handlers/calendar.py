"""Calendars that the process which changed them may not have written into all games."""

from typing import Literal

from workers.context import WorkerContext
from workers.prefetch import Prefetched


def apply(context: WorkerContext, found: Prefetched) -> Literal["listed"]:
    """Write the player's calendar into their running games."""
    context.container.games.calendars.apply(found.notice.recipient)
    return "listed"
