"""Games in which the player to move has run out of time."""

from typing import Literal

from workers.office import Office

Outcome = Literal["timed-out", "in-time"]


def time_out(office: Office, game_id: str) -> Outcome:
    """End the round that this player has lost on time, unless they moved after all."""
    return "in-time" if office.games.time_out(game_id) is None else "timed-out"
