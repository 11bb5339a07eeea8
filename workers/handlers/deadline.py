"""Games in which the player to move, or the wait for a second player, has run out of time."""

from typing import Literal

from workers.context import WorkerContext

Outcome = Literal["timed-out", "in-time"]


def time_out(context: WorkerContext, game_id: str) -> Outcome:
    """End the round that a player has lost on time, or a game that waited in vain; unless somebody
    moved after all."""
    return "in-time" if context.container.games.time_out(game_id) is None else "timed-out"
