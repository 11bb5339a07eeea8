"""Refunds the server's outages to all games with running clocks: one event per game and outage."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from service.core.outage_ledger import Outage, OutageLedger
from service.eventlog.due_set import DeadlineSet
from service.games.change.writer import ChangeWriter
from service.games.deadlines.fairness import give_back, missing_outages
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame

_log = logging.getLogger(__name__)
_BATCH: Final = 100
_ATTEMPTS: Final = 5


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
