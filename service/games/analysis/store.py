"""The analyses of games: a projection of their logs, weighed again if it is lost.

st:{BUCKET}:g:GAME:analysis    hash: method, the version of the method; of, the number of turns to
                               weigh, once a worker has counted them; and for each weighed turn
                               its number → its worth (JSON)

It expires 60 days after it was requested.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from service.bots.analysis import WeighedTurn
from service.core.durations import DAY
from service.core.redis.batch import Query, execute, raising
from service.core.redis.client import Client
from service.core.redis.lua import Lua
from service.eventlog.keys import analysis_key

METHOD: Final = "4"
"""The version of the method. Analyses by another version are made anew."""
LIFE: Final = 60 * DAY

Status = Literal["none", "queued", "running", "done"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysis and its progress: `of` is the number of turns to weigh, None until they are
    counted. `turns` are those weighed so far, in their order. `ahead` is the number of analyses
    before this one in the line, None unless it is queued there."""

    status: Status
    of: int | None = None
    turns: tuple[WeighedTurn, ...] = ()
    ahead: int | None = None


NONE: Final = Analysis("none")


@dataclass(eq=False, repr=False)
class AnalysisStore:
    """The analyses of all games. Every call may be repeated."""

    _note = Lua(__file__, "note_turn")

    _redis: Client

    def query(self, game_id: str) -> Query[Analysis]:
        """The query for a game's analysis."""
        return Query(("HGETALL", analysis_key(game_id)), raising(_read))

    def begin(self, game_id: str) -> None:
        """Create an empty analysis, unless one by this method exists."""
        key = analysis_key(game_id)
        if self._redis.hget(key, "method") != METHOD:
            pipeline = self._redis.pipeline(transaction=False)
            pipeline.unlink(key)
            pipeline.hset(key, "method", METHOD)
            pipeline.expire(key, LIFE)
            pipeline.execute()

    def count(self, game_id: str, turns: int) -> bool:
        """Store how many turns there are to weigh. Return False if the analysis is no longer
        wanted."""
        return self._write(game_id, "of", str(turns))

    def store_turn(self, game_id: str, number: int, turn: str) -> bool:
        """Store the worth of a turn (JSON). Return False if the analysis is no longer wanted."""
        return self._write(game_id, str(number), turn)

    def weighed(self, game_id: str) -> set[int]:
        """The numbers of the turns that are weighed."""
        names = execute(self._redis, Query(("HKEYS", analysis_key(game_id)), raising(list[str])))
        return {int(name) for name in names if name.isdecimal()}

    def forget(self, game_id: str) -> None:
        """Remove the analysis of a game that is removed."""
        self._redis.unlink(analysis_key(game_id))

    def _write(self, game_id: str, field: str, value: str) -> bool:
        return bool(self._note(keys=[analysis_key(game_id)], args=[METHOD, field, value]))


def _read(held: Mapping[str, Any]) -> Analysis:
    if held.get("method") != METHOD:
        return NONE
    numbers = sorted(int(name) for name in held if name.isdecimal())
    turns = tuple(WeighedTurn.from_data(json.loads(held[str(number)])) for number in numbers)
    if "of" not in held:
        return Analysis("queued")
    of = int(held["of"])
    return Analysis("done" if len(turns) >= of else "running", of, turns)
