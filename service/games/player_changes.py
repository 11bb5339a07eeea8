"""Players' changes to games: their commands, standing orders, and changes to a running clock.

`PlayerChanges.attempt` is the only loop around a move: it tries again if another write came first.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Final, TypeVar

import engine
from engine.notation import read_request
from service.core.errors import Overtaken, RequestRejected, check_version
from service.core.times import DAY
from service.eventlog import Changed, EventLog, FieldChange
from service.games import permissions
from service.games.clock.state import ClockState
from service.games.deadlines import Deadlines
from service.games.drafts import DeadlinePassed, Orders, TurnOrder, orders_text, read_orders
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame
from service.games.writer import ChangeContext, ChangeWriter

_ATTEMPTS: Final = 5
"""Attempts at a change: others may write to the game at the same time."""

T = TypeVar("T")
CommandOf = Callable[[StoredGame], engine.Command]


@dataclass(eq=False, repr=False)
class PlayerChanges:
    """Applies players' changes to the current game. Raises what `change` and the rules raise."""

    _repository: GameRepository
    _writer: ChangeWriter
    _deadlines: Deadlines

    def make(
        self, game_id: str, player: str, command_of: CommandOf, context: ChangeContext
    ) -> StoredGame:
        """Write the command that `command_of` makes for the current game; returns the game after
        it.

        Repeating a request under its key returns the first result.
        """

        def change(before: StoredGame) -> StoredGame:
            command = command_of(before)  # first: a stranger must not even learn the version
            context.check(before)
            draft = self._writer.draft(game_id, before, command, context.via)
            return self._writer.write(draft, player, context)

        return self.attempt(game_id, context, change, lambda repeated: repeated)

    def attempt(
        self,
        game_id: str,
        context: ChangeContext,
        change: Callable[[StoredGame], T],
        answer_again: Callable[[StoredGame], T],
    ) -> T:
        """The result of `change` for the current game.

        The game cached in this process is tried first, which saves reading the log: a write to an
        outdated game is refused. If an earlier request under this key succeeded, `answer_again`
        makes the answer from the game as that request left it.
        """
        cached, attempts = self._repository.cached(game_id), 0
        while True:
            before = cached or self._repository.get(game_id)
            try:
                return change(before)
            except (RequestRejected, engine.RuleBroken) as rejection:
                if cached is not None:
                    cached = None  # only the latest game decides
                    continue
                # The first of two equal requests may have succeeded; this one then fails.
                if repeated := self._writer.recall(game_id, context.key):
                    return answer_again(repeated)
                attempts += 1
                if attempts == _ATTEMPTS:
                    raise
                if isinstance(rejection, DeadlinePassed):
                    if (why := self._deadlines.refusal(before)) is not None:
                        raise why from None
                elif not isinstance(rejection, Overtaken):
                    raise


@dataclass(frozen=True, slots=True)
class StandingOrders:
    """The orders of all players."""

    _log: EventLog
    _repository: GameRepository
    _deadlines: Deadlines

    def of(self, game_id: str, player: str) -> tuple[StoredGame, Orders]:
        """The game, and this player's orders for it.

        Raises `RequestRejected` for anyone but the players.
        """
        stored = self._deadlines.current(game_id)
        seat = permissions.own_seat(stored, player)
        return stored, read_orders(self._log.side_state.read(game_id).get(seat, ""))

    def give(
        self, game_id: str, player: str, wanted: Orders, expected: Container[int] | None = None
    ) -> tuple[StoredGame, Orders]:
        """Replace this player's orders, but keep the outcome of the latest turn order.

        They apply from the player's next turn on. Raises `RequestRejected` if the game is not being
        played or not at a version `expected`, None: any; `engine.RuleBroken` for actions that
        cannot be read, or that follow one that shows hidden cards.
        """
        if (order := wanted.turn) is not None:  # in canonical text
            actions = tuple(map(str, read_request(order.actions)))
            when = tuple(str(engine.parse(text)) for text in order.when)
            wanted = wanted._replace(turn=TurnOrder(actions, when))
        while True:
            stored = self._repository.get(game_id)
            seat = permissions.own_seat(stored, player)
            self._deadlines.check(stored)
            check_version(stored.version, expected)
            if stored.game.over:
                raise RequestRejected("game-over", "This game is over.")
            if stored.game.status == "open":
                raise RequestRejected("game-not-started", "The second seat is still empty.")
            text = self._log.side_state.read(game_id).get(seat, "")
            orders = wanted._replace(last=read_orders(text).last)
            change = FieldChange(seat, text, orders_text(orders))
            answer = self._log.side_state.change(game_id, [change], version=stored.version)
            if isinstance(answer, Changed):
                return stored, orders


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
            raise RequestRejected("time-not-out", "Your opponent’s time is not out.")
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
            "The clock was changed %(times)s times since somebody played: play first.",
            {"times": MOST_CLOCK_ONLY_EVENTS},
        )
    return stored.clock


def giving(stored: StoredGame, player: str, seconds: int) -> engine.Command:
    """The command by which this player gives the opponent time. Raises `RequestRejected`."""
    seat = permissions.own_seat(stored, player)
    clock = running_clock(stored)
    other = clock.side(engine.OTHER[seat])
    if stored.terms.season is not None:
        raise RequestRejected("too-much-time", "In a season everybody has the same time.")
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
