"""Weighs the turns of finished games, a few at a time: one game after the other, as in the line."""

import time
from typing import Final, Literal

from service.core.errors import RequestRejected
from service.core.redis.batch import execute_all
from workers.context import WorkerContext
from workers.due import DueNotice

BUDGET: Final = 5.0
"""Seconds after which no further turn is begun, so that a worker can end soon."""
LOOK_AGAIN: Final = 5.0
"""Seconds after which a game in the line looks again whether it is its turn, for each before it. It
is called when one leaves the line: this is for what is lost on the way."""
_ALIVE: Final = 60.0
"""Seconds since its last heartbeat in which a worker counts as one that weighs."""

Outcome = Literal["weighed", "postponed", "dropped"]


def weigh(context: WorkerContext, due: DueNotice) -> Outcome:
    """Weigh turns that are not yet weighed, once it is this game's turn. The notice falls due again
    until all of them are.

    May be repeated and may overlap with itself: a turn's worth is always the same. A game that
    fails leaves the line, and goes to its end at the next try.
    """
    line, outbox = context.container.games.analyses.line, context.container.log.outbox
    now, ages = context.container.now, context.container.heartbeat.ages().values()
    workers = max(1, sum(age < _ALIVE for age in ages))  # each weighs one game
    line.enter(due.id)
    while due.id not in (first := line.first(workers)):
        queries = [outbox.pending_query(notice) for notice in first]
        pending = execute_all(context.container.redis, queries)
        gone = [each for each, is_pending in zip(first, pending, strict=True) if not is_pending]
        for notice in gone:
            line.leave(notice)
        if not gone:
            outbox.postpone(due.id, now() + LOOK_AGAIN * line.ahead(due.id))
            return "postponed"
    line.begin(due.id)
    try:
        outcome = _weigh_some(context, due)
    except Exception:
        _leave(context, due.id, workers)
        raise
    if outcome != "postponed":
        _leave(context, due.id, workers)
    return outcome


def _leave(context: WorkerContext, notice: str, workers: int) -> None:
    """Take a notice out of the line, and call the one whose turn it is then."""
    line = context.container.games.analyses.line
    line.leave(notice)
    for called in line.first(workers)[workers - 1 :]:
        context.container.log.outbox.postpone(called, context.container.now())
    if not line.first(1):
        context.weigher.close()  # it is seldom needed, and takes memory


def _weigh_some(context: WorkerContext, due: DueNotice) -> Outcome:
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
    return "weighed"
