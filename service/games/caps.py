"""How many games a player may have at once, guests too: far more than anyone can play."""

from typing import Final

from service.games.draft import Draft
from service.games.index import PlayerIndex
from service.refusal import Refused

MOST_OPEN: Final = 200
"""Games that a player has made and nobody has joined."""
MOST_ACTIVE: Final = 1000
"""Games that a player sits in and that go on."""


def check_room(index: PlayerIndex, player: str, draft: Draft) -> None:
    """Raise `Refused`, `too-many-games`, where the draft gives this player a game too many.

    Requests of the same moment may go over by a few.
    """
    before, after = draft.before, draft.after
    if after.game.over or (before is not None and before.game.status != "open"):
        return
    made, active = index.counts(player)
    if after.game.status == "open" and made >= MOST_OPEN:
        raise Refused(
            "too-many-games",
            f"{made} of your games wait for a second player: call some of them off first.",
        )
    if active >= MOST_ACTIVE:
        raise Refused("too-many-games", f"You play {active} games: finish some of them first.")
