"""Limits on the number of a player's or guest's games: far more than anyone can play."""

from typing import Final

from service.core.errors import RequestRejected
from service.games.change.draft import Draft
from service.games.projections.player_games import PlayerIndex

MOST_OPEN: Final = 200
"""The most games of a player that nobody has joined."""
MOST_LISTED: Final = 10
"""The most open games of a player in the lobby, which must have room for everybody's."""
MOST_ACTIVE: Final = 1000
"""The most running games of a player."""
MOST_PRACTICE: Final = 20
"""The most running practice games of a player."""


def check_room(index: PlayerIndex, player: str, draft: Draft) -> None:
    """Raise `RequestRejected`, `too-many-games`, if the draft would exceed this player's limits.

    Simultaneous requests may exceed them by a few.
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
    if after.practice is not None and counts.practice >= MOST_PRACTICE:
        raise _refused(
            f"You have {counts.practice} unfinished practice games: finish or resign some first."
        )
    if counts.active >= MOST_ACTIVE:
        raise _refused(f"You play {counts.active} games: finish some of them first.")


def _refused(detail: str) -> RequestRejected:
    return RequestRejected("too-many-games", detail)
