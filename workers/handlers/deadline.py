"""Games in which the player to move, or the wait for a second player, has run out of time."""

from typing import Literal

from workers.context import Office

Outcome = Literal["timed-out", "in-time"]


def time_out(office: Office, game_id: str) -> Outcome:
    """End the round that a player has lost on time, or a game that waited in vain; unless somebody
    moved after all."""
    return "in-time" if office.games.time_out(game_id) is None else "timed-out"
