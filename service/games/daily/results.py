"""How the tries of a day ended, read from their logs."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine import OTHER
from engine.chain import StoredEvent
from engine.events import CardPlayed, GameEnded, Passed, RusePlayed, StoneClaimed
from service.core import cost
from service.core.cache import ThreadSafeCache, recently_used
from service.core.redis.batch import Query
from service.core.timestamps import unix
from service.eventlog import EventStore
from service.games.terms import DealDay

_AT_ONCE: Final = 50
"""The number of logs that are read in one round trip."""
_BEGIN_A_TURN: Final = (CardPlayed.TYPE, RusePlayed.TYPE, Passed.TYPE)
"""The events of which each turn has one."""


class DailyResult(NamedTuple):
    """The end of a try: whether it was won (None: drawn), the Stones of the player and of the bot,
    the reason, and the number of the player's turns."""

    won: bool | None
    stones: int
    lost: int
    reason: str
    turns: int


Results = Mapping[str, DailyResult | None]
"""Final results by game; None for one that its player did not finish on its day."""


class DailyResults:
    """The results of all days. Those that are final are cached in this process; `now` gives unix
    seconds."""

    def __init__(self, events: EventStore, now: Callable[[], float], days: int = 8) -> None:
        self._events = events
        self._now = now
        self._final: ThreadSafeCache[DealDay, Results] = recently_used(days)

    def of(self, day: DealDay, games: Sequence[str]) -> Results:
        """The results of those of these games that have a final one."""
        found = dict(self._final.get(day) or {})
        is_past = day.ends <= self._now()
        open_ = [game for game in games if game not in found]
        for start in range(0, len(open_), _AT_ONCE):
            some = open_[start : start + _AT_ONCE]
            last = self._events.execute_all(map(self._last_query, some))
            over = [game for game, line in zip(some, last, strict=True) if _is_in_time(line, day)]
            logs = self._events.execute_all(map(self._query, over))
            found |= {game: result_of(lines) for game, lines in zip(over, logs, strict=True)}
            if is_past:
                begun = [game for game, line in zip(some, last, strict=True) if line]
                found = dict.fromkeys(begun) | found
        self._final.put(day, found)
        return found

    def of_game(self, day: DealDay, game_id: str) -> DailyResult | None:
        """The result of one game; None if it has none yet, or was not finished on its day."""
        return self.of(day, [game_id]).get(game_id)

    def _query(self, game_id: str) -> Query[list[StoredEvent]]:
        return self._events.events_query(game_id).then(_lines)

    def _last_query(self, game_id: str) -> Query[StoredEvent | None]:
        query = self._events.last_events_query(game_id, 1)
        return query.then(lambda texts: next(iter(_lines(texts)), None))


def result_of(lines: Sequence[StoredEvent]) -> DailyResult:
    """The result of the game that these are all lines of, for the player who made it."""
    cost.spend(len(lines))
    seat, end = lines[0]["data"]["seat"], lines[-1]["data"]

    def count(by: str, *types: str) -> int:
        return sum(line["by"] == by and line["type"] in types for line in lines)

    return DailyResult(
        None if end["winner"] is None else end["winner"] == seat,
        count(seat, StoneClaimed.TYPE),
        count(OTHER[seat], StoneClaimed.TYPE),
        end["reason"],
        count(seat, *_BEGIN_A_TURN),
    )


def _is_in_time(line: StoredEvent | None, day: DealDay) -> bool:
    return line is not None and line["type"] == GameEnded.TYPE and unix(line["at"]) < day.ends


def _lines(texts: Sequence[str]) -> list[Any]:
    return [json.loads(text) for text in texts]
