"""A change to a game before it is written, and the fields of the side state that it may change:

north, south   the seat's standing orders (`orders`)
abandonment    the last offer to abandon the game, open or closed (`agreements.offers`)
pause          the same for an offer to pause the clock; its terms are the end (`open`: none)
challenge      the challenge from which the game may come (`challenges`)
"""

from dataclasses import dataclass
from typing import Final

import engine
from engine import SEATS
from service.core.errors import RequestRejected
from service.games.stored_game import StoredGame, changed

ABANDONMENT: Final = "abandonment"
PAUSE: Final = "pause"
CHALLENGE: Final = "challenge"
PLAY_FIELDS: Final = (*SEATS, ABANDONMENT, PAUSE)
"""The fields that matter only while the game runs."""


CLOCK: Final = "clock"
"""The `via` of changes that a deadline causes."""


class DeadlinePassed(RequestRejected):
    """The refusal of a request that arrived after the deadline. Usually the round is over."""

    def __init__(self, version: int, *, is_over: bool = True) -> None:
        detail = "The time for this turn was up before your request came."
        if is_over:
            detail = f"{detail[:-1]}: the round is over."
        super().__init__("time-out", detail, version=version)


@dataclass(frozen=True, slots=True)
class Draft:
    """A change that the rules allow: the game before and after it, its events and their lines.

    `at` is the moment of all its events, in unix seconds.
    """

    before: StoredGame | None
    after: StoredGame
    events: list[engine.Event]
    lines: list[str]
    at: float

    def then(self, command: engine.Command, via: str) -> "Draft":
        """This draft with one more command: both are written, or neither.

        Raises `engine.RuleBroken`.
        """
        after, events, lines = changed(self.after.id, self.after, command, self.at, via)
        return Draft(self.before, after, self.events + events, self.lines + lines, self.at)

    @property
    def hands_over(self) -> bool:
        """Whether the draft gives somebody the turn: the other player, or either in a new round."""
        if self.before is None:
            return True
        before, after = self.before.game, self.after.game
        return (before.turn, before.round) != (after.turn, after.round)


def check_in_time(stored: StoredGame, at: float, via: str) -> None:
    """Raise `DeadlinePassed` if only the clock may change the game at this moment."""
    if via != CLOCK and stored.is_late(at):
        raise DeadlinePassed(stored.version)


def draft(
    game_id: str, before: StoredGame | None, command: engine.Command, at: float, via: str
) -> Draft:
    """A draft of `command` at this moment; with `before` None it creates the game.

    Raises `engine.RuleBroken`, and `DeadlinePassed` if only the clock may change the game.
    """
    if before is not None:
        check_in_time(before, at, via)
    after, events, lines = changed(game_id, before, command, at, via)
    return Draft(before, after, events, lines, at)
