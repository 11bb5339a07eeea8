"""Deadlines take effect when somebody looks first: a worker, the late player, or a reader.

A change after the deadline is never drafted (`draft`). The first to find that a deadline has passed
writes the time-out that follows, or the end of the wait for a second player. While the server
itself is out of order, nobody loses on time.
"""

import logging
from collections.abc import Callable

from redis.exceptions import RedisError

import engine
from service.core.errors import RequestRejected
from service.core.outage_ledger import OutageLedger
from service.games.change import ChangeWriter, Origin
from service.games.draft import CLOCK, DeadlinePassed
from service.games.repository import GameRepository, StoredGame

_log = logging.getLogger(__name__)
_ATTEMPTS = 5


class Deadlines:
    """The deadlines of all games. `now` gives unix seconds."""

    def __init__(
        self,
        repository: GameRepository,
        writer: ChangeWriter,
        outages: OutageLedger,
        now: Callable[[], float],
    ) -> None:
        self._repository = repository
        self._writer = writer
        self._outages = outages
        self._now = now

    def current(self, game_id: str) -> StoredGame:
        """The game as it stands by its clock. Raises `RequestRejected`: `game-not-found`."""
        return self.shown(self._repository.get(game_id))

    def shown(self, stored: StoredGame) -> StoredGame:
        """As `settled`, for a reader: if the time-out cannot be written, the game as it is."""
        try:
            return self.settled(stored)
        except RedisError as error:
            _log.error("the time-out of game %s could not be written: %s", stored.id, error)
            return stored

    def settled(self, stored: StoredGame) -> StoredGame:
        """The game after the time-outs that are due; the same game, if no deadline has passed."""
        for _ in range(_ATTEMPTS):
            if not stored.is_late(self._now()):
                break
            before, stored = stored, self.end(stored) or self._repository.get(stored.id)
            if before.version == stored.version:  # it may not end now
                break
        return stored

    def end(self, stored: StoredGame) -> StoredGame | None:
        """End the round of the player whose time is up, or the wait for a second player.

        None where nobody's time is up, somebody moved after all, or the server is out of order.
        """
        seat = stored.game.turn
        if not stored.is_late(self._now()) or not (seat is None or self._is_attended()):
            return None
        command = engine.Abandon(None) if seat is None else engine.TimeOut(seat)
        draft = self._writer.draft(stored.id, stored, command, CLOCK)
        try:
            return self._writer.write(draft, None, Origin(CLOCK))
        except RequestRejected:  # another write came first
            return None

    def _is_attended(self) -> bool:
        return self._outages.attendance().fresh

    def check(self, stored: StoredGame) -> None:
        """Raise `refusal` if a change comes too late."""
        if stored.is_late(self._now()):
            raise self.refusal(stored)

    def refusal(self, before: StoredGame) -> RequestRejected | engine.RuleBroken:
        """Why a change came too late, once the time-out is written.

        If the game is over by that, what the rules say of any change to a game that is over.
        """
        after = self.settled(before)
        return engine.game_over(after.game) if after.game.over else DeadlinePassed(after.version)
