"""The use cases of analyses: asking for one, and reading the turns that workers weigh.

A notice on the transport `log` makes a worker weigh some turns, and is due again until all are
weighed. So several games take turns, and a worker that dies loses only its current turn.
"""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from engine import chain
from service.bots.analysis import PlayedTurn, turns_of
from service.core.errors import RequestRejected
from service.core.redis.batch import execute
from service.core.redis.client import Client
from service.eventlog import EventLog, Notice, notice_id
from service.games.analysis.store import Analysis, AnalysisStore
from service.games.permissions import sealed
from service.games.stored_game import StoredGame

ANALYSIS: Final = "analysis"
"""The kind of notice that makes a worker weigh turns."""
MOST_TURNS: Final = 600
"""The most turns that are weighed of a match: about a dozen rounds."""
_MOST_EVENTS: Final = 6 * MOST_TURNS


class Analyses:
    """The analyses of all games. `now` gives unix seconds."""

    def __init__(self, redis: Client, log: EventLog, now: Callable[[], float]) -> None:
        self._redis = redis
        self._log = log
        self._now = now
        self.store = AnalysisStore(redis)

    def of(self, stored: StoredGame) -> Analysis:
        """Return the analysis of this game.

        Raises `RequestRejected`, `game-not-over`, unless the game was played to its end.
        """
        _check_played(stored)
        return execute(self._redis, self.store.query(stored.id))

    def ask(self, stored: StoredGame) -> Analysis:
        """Request an analysis of this game, which all readers share. May be repeated; raises as
        `of`."""
        analysis = self.of(stored)
        if analysis.status == "done":
            return analysis
        self.store.begin(stored.id)
        notice = notice_id(stored.id, stored.version, "server", "log", ANALYSIS)
        self._log.outbox.add(Notice(notice, self._now()))
        return self.of(stored)

    def turns(self, stored: StoredGame) -> Iterator[PlayedTurn]:
        """Return the turns of this game that are weighed: at most `MOST_TURNS`.

        Those that a practice game copies are left out: others played them, in the game it is from.
        """
        texts = self._log.events.read(stored.id, upto=min(stored.version, _MOST_EVENTS))
        events = (chain.to_event(json.loads(text)) for text in texts)
        copied = 0 if stored.practice is None else stored.practice.turn - 1
        return islice(turns_of(events), copied, copied + MOST_TURNS)


def _check_played(stored: StoredGame) -> None:
    if not stored.game.over:
        raise RequestRejected("game-not-over", "A game is analysed once it is over.")
    if stored.sealed:
        raise sealed()
    if not stored.was_played:
        raise RequestRejected("game-not-over", "This game was called off before it began.")
