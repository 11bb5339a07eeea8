"""Deadlines take effect at the first look: by a worker, the late player, or a reader.

A change after the deadline is never drafted (`draft`). Whoever first sees a passed deadline writes
its result: the end of the wait for a second player, the time-out, or a fairness step before it
(`fairness`).

The server's outages are refunded to all games with running clocks: one event per game and outage.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import engine
from service.core.errors import STORE_FAILURE, RequestRejected
from service.core.outage_ledger import Outage, OutageLedger
from service.core.redis.failures import report
from service.eventlog.due_set import DeadlineSet
from service.games.change.draft import DeadlinePassed
from service.games.change.writer import ChangeWriter
from service.games.deadlines.fairness import Fairness, give_back, missing_outages
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame

_log = logging.getLogger(__name__)
_ATTEMPTS: Final = 5


@dataclass(eq=False, repr=False)
class Deadlines:
    """The deadlines of all games. `now` gives unix seconds."""

    _repository: GameRepository
    _writer: ChangeWriter
    _fairness: Fairness
    _now: Callable[[], float]

    def current(self, game_id: str) -> StoredGame:
        """The game after any passed deadline. Raises `RequestRejected`: `game-not-found`."""
        return self.shown(self._repository.get(game_id))

    def shown(self, stored: StoredGame, reader: str | None = None) -> StoredGame:
        """Return the game after its deadline, as `settled` does; unchanged if the time-out cannot
        be written. Also releases the held flag of the `reader`, whose time then begins."""
        try:
            return self.settled(self.released(stored, reader) if reader else stored)
        except STORE_FAILURE as error:
            report(_log, f"the time-out of game {stored.id} could not be written", error)
            return stored

    def settled(self, stored: StoredGame, *, is_acting: bool = False) -> StoredGame:
        """Write all results of a passed deadline, and return the game after them.

        Returns the same game before the deadline. `is_acting`: a player wants to change the game.
        """
        for _ in range(_ATTEMPTS):
            if not stored.is_late(self._now()):
                break
            before, stored = stored, self._end(stored, is_acting) or self._repository.get(stored.id)
            if before.version == stored.version:  # the server is out of order: nothing may end now
                break
        return stored

    def end(self, stored: StoredGame) -> StoredGame | None:
        """End the round of the player whose time is up, or the wait for a second player.

        Returns the game after that, or after the fairness step that comes first; None if time is
        not up, somebody has moved, or the server is out of order.
        """
        return self._end(stored, is_acting=False)

    def released(self, stored: StoredGame, reader: str | None = None) -> StoredGame:
        """Release a held flag if the player to move was notified by now, or is the `reader`: their
        time begins then. Returns the game."""
        for _ in range(_ATTEMPTS):
            if stored.untold_until is None:
                break
            came = reader is not None and reader == stored.player_to_move()
            commands = self._fairness.release(stored, came=came)
            if not commands:
                break
            after = self._writer.write_all(stored, commands)
            stored = after or self._repository.get(stored.id)
        return stored

    def time_is_out(self, stored: StoredGame) -> bool:
        """Whether the player to move may lose on time now. If an outage must be refunded or the
        flag held first, this writes that."""
        if stored.game.turn is None or not stored.is_overdue(self._now()):
            return False
        commands = self._fairness.when_time_is_up(stored)
        is_out = any(isinstance(command, engine.TimeOut) for command in commands)
        if not is_out:
            self._writer.write_all(stored, commands)
        return is_out

    def notify_time_out(self, stored: StoredGame) -> bool:
        """Notify the opponent of the player to move, once, that they can claim a win on time.

        Return False if time is not up, or the win need not be claimed.
        """
        if not stored.must_be_claimed or not self.time_is_out(stored):
            return False
        return self._writer.notify_time_out(stored)

    def check(self, stored: StoredGame) -> None:
        """Raise the result of `refusal`, if any, once the deadline has passed."""
        if stored.is_late(self._now()) and (why := self.refusal(stored)) is not None:
            raise why

    def refusal(self, before: StoredGame) -> RequestRejected | engine.RuleBroken | None:
        """Write a time-out, and return the reason to refuse a late change.

        None if the change is in time after all: an outage was refunded, or the player was not
        notified. If the time-out ended the game, the reason is the rules' refusal of any change to
        a finished game.
        """
        after = self.settled(before, is_acting=True)
        if after.game.over:
            return engine.game_over(after.game)
        goes_on = (after.turn_version, after.game.round) == (before.turn_version, before.game.round)
        if goes_on and not after.is_late(self._now()):
            return None
        return DeadlinePassed(after.version, is_over=not goes_on)

    def _end(self, stored: StoredGame, is_acting: bool) -> StoredGame | None:
        if not stored.is_late(self._now()):
            return None
        if stored.game.turn is None:
            return self._writer.write_all(stored, [engine.Abandon(None)])
        commands = self._fairness.when_time_is_up(stored, is_acting=is_acting)
        return self._writer.write_all(stored, commands)


_BATCH: Final = 100


@dataclass(eq=False, repr=False)
class OutageReturns:
    """Writes outages into games. Several processes may repeat every call at once."""

    _deadlines: DeadlineSet
    _repository: GameRepository
    _writer: ChangeWriter
    _ledger: OutageLedger

    def apply_all(self) -> int:
        """Refund ended outages to the games that still miss them; return the number of games.

        It reads only games with a deadline. A game that cannot be read is left out: it cannot time
        out either.
        """
        outages = self._ledger.unapplied()
        if not outages:
            return 0
        count = 0
        running = list(self._deadlines.games())
        for start in range(0, len(running), _BATCH):
            for stored in self._running(running[start : start + _BATCH]):
                count += self._give(stored, outages)
        self._ledger.mark_applied(outages)
        return count

    def _running(self, game_ids: Sequence[str]) -> Iterator[StoredGame]:
        for game_id, stored in self._repository.latest_of(game_ids).items():
            if isinstance(stored, StoredGame):
                yield stored
            elif stored is not None:
                _log.error("game %s got no outage back: %s", game_id, stored)

    def _give(self, stored: StoredGame, outages: Sequence[Outage]) -> bool:
        """Refund these outages to a game; return whether it missed any."""
        for _ in range(_ATTEMPTS):
            missing = missing_outages(stored, outages)
            if not missing:
                return False
            if self._writer.write_all(stored, give_back(missing)) is not None:
                return True
            stored = self._repository.get(stored.id)  # another write came first
        return False
