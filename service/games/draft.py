"""A change to a game before it is written."""

from typing import NamedTuple

from service.games.repository import StoredGame


class Draft(NamedTuple):
    """A change that the rules allow, not yet written: the games on both sides of it, its lines."""

    before: StoredGame | None
    after: StoredGame
    lines: list[str]

    @property
    def hands_over(self) -> bool:
        """Whether somebody gets the turn by it: the other player, or any in a new round."""
        if self.before is None:
            return True
        before, after = self.before.game, self.after.game
        return (before.turn, before.round) != (after.turn, after.round)
