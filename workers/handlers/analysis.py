"""Weighs the turns of a finished game, a few at a time."""

import time
from typing import Final, Literal

from service.core.errors import RequestRejected
from workers.context import WorkerContext
from workers.due import DueNotice

BUDGET: Final = 5.0
"""Seconds after which no further turn is begun: other games may be waiting."""


def weigh(context: WorkerContext, due: DueNotice) -> Literal["weighed", "postponed", "dropped"]:
    """Weigh turns that are not yet weighed. The notice falls due again until all of them are.

    May be repeated and may overlap with itself: a turn's worth is always the same.
    """
    games, game_id = context.container.games, due.notice.subject
    try:
        stored = games.load(game_id)
    except RequestRejected:  # the game no longer exists
        return "dropped"
    if not stored.was_played:
        return "dropped"
    store, turns = games.analyses.store, [*games.analyses.turns(stored)]
    if not store.count(game_id, len(turns)):
        return "dropped"
    weighed, end = store.weighed(game_id), time.monotonic() + BUDGET
    ahead = [number for number in range(len(turns)) if number not in weighed]
    for number in ahead:
        if number != ahead[0] and time.monotonic() > end:
            context.container.log.outbox.postpone(due.id, context.container.now())
            return "postponed"
        if not store.store_turn(game_id, number, context.weigher.weigh(turns[number])):
            return "dropped"
    context.weigher.close()  # it is seldom needed, and takes memory
    return "weighed"
