"""The use cases of analyses: asking for one, and reading the turns that workers weigh.

A notice on the transport `log` makes a worker weigh some turns, and is due again until all are
weighed, so a worker that dies loses only its current turn. A line says whose turn it is.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from engine import chain
from service.bots.analysis import PlayedTurn, turns_of
from service.core.errors import RequestRejected
from service.core.redis.batch import Batch
from service.core.redis.client import Client
from service.eventlog import EventLog, Notice, notice_id
from service.games.analysis.line import AnalysisLine
from service.games.analysis.store import Analysis, AnalysisStore
from service.games.permissions import sealed
from service.games.stored_game import StoredGame

ANALYSIS: Final = "analysis"
"""The kind of notice that makes a worker weigh turns."""
MOST_TURNS: Final = 600
"""The most turns that are weighed of a match: about a dozen rounds."""
_MOST_EVENTS: Final = 6 * MOST_TURNS


@dataclass(eq=False, repr=False)
class Analyses:
    """The analyses of all games. `now` gives unix seconds."""

    _redis: Client
    _log: EventLog
    _now: Callable[[], float]
    store: AnalysisStore
    line: AnalysisLine

    def of(self, stored: StoredGame) -> Analysis:
        """Return the analysis of this game.

        Raises `RequestRejected`, `game-not-over`, unless the game was played to its end.
        """
        if not stored.game.over:
            raise RequestRejected("game-not-over", "A game is analysed once it is over.")
        if stored.sealed:
            raise sealed()
        if not stored.was_played:
            raise RequestRejected("game-not-over", "This game was called off before it began.")
        batch = Batch(self._redis)
        analysis = self.read(batch, stored)
        batch.send()
        return analysis()

    def read(self, batch: Batch, stored: StoredGame) -> Callable[[], Analysis]:
        """Read the analysis of this game in a batch. Return what gives it afterwards."""
        analysis = batch.ask(self.store.query(stored.id))
        ahead = batch.ask(self.line.ahead_query(_notice(stored)))

        def get() -> Analysis:
            found = analysis.get()
            return replace(found, ahead=ahead.get()) if found.status == "queued" else found

        return get

    def ask(self, stored: StoredGame, player: str, address: str = "") -> Analysis:
        """Request an analysis of this game, which all readers share, for a player at this network
        address ('' if unknown). May be repeated; raises as `of`. Further ones of a player or an
        address wait behind the first ones of others."""
        analysis = self.of(stored)
        if analysis.status == "done":
            return analysis
        self.store.begin(stored.id)
        notice, now = _notice(stored), self._now()
        self._log.outbox.add(Notice(notice, now))
        if self.line.ask(notice, player, address):
            self._log.outbox.postpone(notice, now)  # it may have failed, and wait for a new try
        return self.of(stored)

    def turns(self, stored: StoredGame) -> Iterator[PlayedTurn]:
        """Return the turns of this game that are weighed: at most `MOST_TURNS`.

        Those that a practice game copies are left out: others played them, in the game it is from.
        """
        texts = self._log.events.read(stored.id, upto=min(stored.version, _MOST_EVENTS))
        events = (chain.to_event(json.loads(text)) for text in texts)
        copied = 0 if stored.practice is None else stored.practice.turn - 1
        return islice(turns_of(events), copied, copied + MOST_TURNS)


def _notice(stored: StoredGame) -> str:
    return notice_id(stored.id, stored.version, "server", "log", ANALYSIS)
