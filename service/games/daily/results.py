"""The results of a day's tries, read from the logs of their games."""

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engine import OTHER
from engine.chain import StoredEvent
from engine.events import GameEnded, StoneClaimed
from service.core.cache import ThreadSafeCache, recently_used
from service.core.redis.batch import Query
from service.core.timestamps import unix
from service.eventlog import EventStore, UnreadableLog
from service.games.terms import DealDay
from service.text.history import turn_of

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 50
"""The number of logs that are read in one round trip."""


class DailyResult(NamedTuple):
    """The end of a try: whether it was won (None: drawn), the Stones of the player and of the bot,
    the reason, and the number of turns of both, as a replay counts them."""

    won: bool | None
    stones: int
    lost: int
    reason: str
    turns: int


Results = Mapping[str, DailyResult | None]
"""Final results by game; None for one that its player did not finish on its day."""


class DailyResults:
    """The results of all days. `now` gives unix seconds.

    Final results are cached in this process: each log is read once.
    """

    def __init__(self, events: EventStore, now: Callable[[], float], days: int = 64) -> None:
        self._events = events
        self._now = now
        self._final: ThreadSafeCache[DealDay, Results] = recently_used(days)

    def of(self, day: DealDay, games: Sequence[str]) -> Results:
        """The final results of these games; those without one are left out."""
        final = dict(self._final.get(day) or {})
        open_ = [game for game in games if game not in final]
        for start in range(0, len(open_), _AT_ONCE):
            final |= self._read(day, open_[start : start + _AT_ONCE])
        self._final.put(day, final)
        return final

    def of_game(self, day: DealDay, game_id: str) -> DailyResult | None:
        """The result of one game; None if it has none yet, or was not finished on its day."""
        return self.of(day, [game_id]).get(game_id)

    def _read(self, day: DealDay, games: Sequence[str]) -> Results:
        last = self._lines(self._events.last_events_query(game, 1) for game in games)
        begun = {game: lines[-1] for game, lines in zip(games, last, strict=True) if lines}
        over = [game for game, line in begun.items() if _is_in_time(line, day)]
        logs = self._lines(map(self._events.events_query, over))
        results = {game: result_of(lines) for game, lines in zip(over, logs, strict=True) if lines}
        return {**dict.fromkeys(begun), **results} if day.ends <= self._now() else results

    def _lines(self, queries: Iterable[Query[list[str]]]) -> list[list[StoredEvent]]:
        return self._events.execute_all(map(_readable, queries))


def result_of(lines: Sequence[StoredEvent]) -> DailyResult:
    """Return the result, for the player who made the game, from all lines of its log."""
    seat, end = lines[0]["data"]["seat"], lines[-1]["data"]

    def claimed(by: str) -> int:
        return sum(line["by"] == by and line["type"] == StoneClaimed.TYPE for line in lines)

    return DailyResult(
        None if end["winner"] is None else end["winner"] == seat,
        claimed(seat),
        claimed(OTHER[seat]),
        end["reason"],
        turn_of(lines, lines[-1]["seq"])[1],
    )


def _is_in_time(line: StoredEvent, day: DealDay) -> bool:
    return line["type"] == GameEnded.TYPE and unix(line["at"]) < day.ends


def _readable(query: Query[list[str]]) -> Query[list[StoredEvent]]:
    """The query for these lines; empty for an unreadable log, which must not hide the others."""

    def parse(reply: object) -> list[StoredEvent]:
        try:
            return [json.loads(text) for text in query.parse(reply)]
        except (UnreadableLog, ValueError) as error:
            _log.error("a deal of the day is left out of its table: %s", error)
            return []

    return Query(query.command, parse)
