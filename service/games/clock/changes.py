"""Players' changes to a running clock: giving time, claiming a win on time, ending a pause."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import engine
from service.core.durations import DAY
from service.core.errors import RequestRejected
from service.games import permissions
from service.games.change.player_changes import PlayerChanges
from service.games.change.writer import ChangeContext
from service.games.clock.state import ClockState
from service.games.deadlines.service import Deadlines
from service.games.stored_game import StoredGame

MOST_GIVEN: Final = 90 * DAY
"""The most seconds that a player can give at once."""
MOST_MOVED: Final = 366 * DAY
"""The most seconds that can pass at once in a sandbox."""
MOST_AT_HAND: Final = 366 * DAY
"""The most seconds that gifts can make a turn last."""
MOST_CLOCK_ONLY_EVENTS: Final = 20
"""The most clock changes in a row before somebody plays: a log must not grow for ever."""


@dataclass(frozen=True, slots=True)
class RunningClocks:
    """Players' changes to the clocks of all games. Every method raises `RequestRejected` as `Games`
    does."""

    _changes: PlayerChanges
    _deadlines: Deadlines
    _now: Callable[[], float]

    def give(self, game_id: str, player: str, seconds: int, context: ChangeContext) -> StoredGame:
        """Give the opponent this many more seconds."""
        return self._changes.make(
            game_id, player, lambda game: giving(game, player, seconds), context
        )

    def move(self, game_id: str, player: str, seconds: int, context: ChangeContext) -> StoredGame:
        """Let this many seconds of the turn pass at once. For sandboxes."""

        def moving(stored: StoredGame) -> engine.Command:
            seat = permissions.own_seat(stored, player)
            running_clock(stored)
            return engine.MoveClock(seat, seconds)

        moved = self._changes.make(game_id, player, moving, context)
        return self._deadlines.shown(moved)

    def claim(self, game_id: str, player: str, context: ChangeContext) -> StoredGame:
        """Claim the round from an opponent whose time is out."""

        return self._changes.make(
            game_id, player, lambda stored: self.claim_command(stored, player), context
        )

    def claim_command(self, stored: StoredGame, player: str) -> engine.Command:
        """The command by which this player claims the round, if they can.

        Raises `RequestRejected`: `not-to-be-claimed`, `time-not-out`, and `engine.RuleBroken`.
        """
        if stored.game.over:
            raise engine.game_over(stored.game)
        command = claiming(stored, player)
        if stored.game.turn is not None and not self._deadlines.time_is_out(stored):
            raise RequestRejected("time-not-out", "Your opponent's time is not out.")
        return command

    def resume(self, game_id: str, player: str, context: ChangeContext) -> StoredGame:
        """End an agreed pause of the clock."""
        return self._changes.make(
            game_id, player, lambda game: resuming(game, player, self._now()), context
        )


def running_clock(stored: StoredGame) -> ClockState:
    """The clock of a game that is being played.

    Raises `RequestRejected`: `no-clock`, `too-many-clock-changes`, and `engine.RuleBroken`.
    """
    if stored.game.over:
        raise engine.game_over(stored.game)
    if stored.game.status == "open":
        raise RequestRejected("game-not-started", "The second seat is still empty.")
    if stored.clock is None:
        raise RequestRejected("no-clock", "This game is played without a clock.")
    if stored.clock_only_events >= MOST_CLOCK_ONLY_EVENTS:
        raise RequestRejected(
            "too-many-clock-changes",
            f"The clock was changed {MOST_CLOCK_ONLY_EVENTS} times since somebody played: "
            "play first.",
        )
    return stored.clock


def giving(stored: StoredGame, player: str, seconds: int) -> engine.Command:
    """The command by which this player gives the opponent time. Raises `RequestRejected`."""
    seat = permissions.own_seat(stored, player)
    clock = running_clock(stored)
    other = clock.side(engine.OTHER[seat])
    if other.bank + other.given + seconds > MOST_AT_HAND:
        raise RequestRejected("too-much-time", "With that a turn could last more than a year.")
    return engine.GiveTime(seat, seconds)


def claiming(stored: StoredGame, player: str) -> engine.Command:
    """The command by which this player claims that the opponent's time is out, if it is.

    Raises `RequestRejected`: `not-to-be-claimed`, `time-not-out`.
    """
    seat = permissions.own_seat(stored, player)
    if stored.game.status == "active":
        running_clock(stored._replace(clock_only_events=0))
        if not stored.must_be_claimed:
            raise RequestRejected(
                "not-to-be-claimed", "In this game a round ends by itself when time is out."
            )
    mover = stored.game.turn
    if mover == seat:
        raise RequestRejected("time-not-out", "It is your own turn.")
    return engine.TimeOut(mover or engine.OTHER[seat])


def resuming(stored: StoredGame, player: str, now: float) -> engine.Command:
    """The command by which this player ends an agreed pause. Raises `RequestRejected`."""
    seat = permissions.own_seat(stored, player)
    pause = running_clock(stored._replace(clock_only_events=0)).paused()
    if pause is None or (pause.end is not None and pause.end <= now):
        raise RequestRejected("not-paused", "The clock of this game is not paused.")
    return engine.ResumeClock(seat)
