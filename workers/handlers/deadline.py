"""Games past their deadline: of a turn, or of the wait for a second player."""

from typing import Literal

from workers.context import WorkerContext


def time_out(context: WorkerContext, game_id: str) -> Literal["timed-out", "put-off", "in-time"]:
    """End the round that a player has lost on time, or the game that nobody joined.

    Do nothing if somebody has moved meanwhile, the server is out of order, or the end is postponed.
    """
    after = context.container.games.time_out(game_id)
    if after is None:
        return "in-time"
    return "put-off" if after.clock_only_events else "timed-out"
