"""How many games a player may have at once, guests too: far more than anyone can play."""

from typing import Final

from service.core.errors import RequestRejected
from service.games.change.draft import Draft
from service.games.projections.player_games import PlayerIndex

MOST_OPEN: Final = 200
"""Games that a player has made and nobody has joined."""
MOST_LISTED: Final = 10
"""Of these, games in the lobby, which has room for everybody's."""
MOST_ACTIVE: Final = 1000
"""Games that a player sits in and that go on."""


def check_room(index: PlayerIndex, player: str, draft: Draft) -> None:
    """Raise `RequestRejected`, `too-many-games`, where the draft gives this player a game too many.

    Requests of the same moment may go over by a few.
    """
    before, after = draft.before, draft.after
    if after.game.over or (before is not None and before.game.status != "open"):
        return
    counts = index.counts(player)
    if after.game.status == "open" and counts.made >= MOST_OPEN:
        raise _refused(
            f"{counts.made} of your games wait for a second player: call some off first."
        )
    if after.game.status == "open" and after.listed and counts.listed >= MOST_LISTED:
        raise _refused(f"{counts.listed} of your games are in the lobby: call some off first.")
    if counts.active >= MOST_ACTIVE:
        raise _refused(f"You play {counts.active} games: finish some of them first.")


def _refused(detail: str) -> RequestRejected:
    return RequestRejected("too-many-games", detail)
