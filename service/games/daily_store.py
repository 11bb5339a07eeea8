"""The secrets, tries and results of the deals of the day. The logs of their games are stored as
usual.

st:{daily}:secrets      hash: a day to its secret and the moment (unix seconds) when it was drawn
st:{daily}:tries:DAY    sorted set: PLAYER GAME of everybody who began, by when (unix seconds)
st:{daily}:table:DAY    sorted set: PLAYER GAME of everybody who finished, the best first; a
                        projection of the logs

All of a day is dropped `LIFE` after it. Results are read from the logs of the tries.
"""

import json
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple, cast

from marshmallow import fields, validate

from engine import OTHER
from engine.chain import StoredEvent
from engine.events import GameEnded, StoneClaimed
from service.bots import bot_at
from service.core.cache import ThreadSafeCache, recently_used
from service.core.ids import GAME_ID, PLAYER_ID
from service.core.redis.batch import Query, Run
from service.core.redis.client import Client, Lua
from service.core.redis.snapshot_keys import kept_key, text
from service.core.times import DAY, unix
from service.eventlog import EventStore, UnreadableLog
from service.games.clock.calendar import FAR
from service.games.stored_game import StoredGame
from service.games.terms import DealDay
from service.text.history import turn_of

LIFE: Final = 60 * DAY
"""Seconds for which a day's secret and tries are stored after it."""
_DATE: Final = "2[01][0-9]{2}-[01][0-9]-[0-3][0-9]"
_SECRETS: Final = "st:{daily}:secrets"

LASTING_KEYS: Final = (
    kept_key(_SECRETS, "hash", fields.Dict(text(_DATE), text("[0-9a-f]{64} [0-9]{1,12}"))),
    kept_key(
        "st:{daily}:tries:*",
        "zset",
        fields.Dict(
            text(f"{PLAYER_ID} {GAME_ID}"),
            fields.Integer(strict=True, validate=validate.Range(0, FAR)),
        ),
        _DATE,
    ),
)
"""Keys that a backup holds."""


class DrawnSecret(NamedTuple):
    """The secret of a day (hex), and when it was drawn (unix seconds)."""

    secret: str
    at: int


class Try(NamedTuple):
    """A player's game of a day."""

    player: str
    game: str


@dataclass(eq=False, repr=False)
class DailyStore:
    """The secrets and tries of all days. Every call may be repeated."""

    _redis: Client

    def drawn(self, *days: DealDay) -> list[DrawnSecret | None]:
        """The secrets of these days; None for a day that has none, or whose secret was dropped."""
        stored = self._redis.hmget(_SECRETS, [day.date for day in days])
        return [_read(text) for text in cast(list[str | None], stored)]

    def draw(self, day: DealDay, now: float) -> DrawnSecret:
        """Draw the secret of this day, unless it has one; drop those of long ago."""
        self._redis.hsetnx(_SECRETS, day.date, f"{secrets.token_hex(32)} {int(now)}")
        last = DealDay.at(now - LIFE).date
        days = cast(list[str], self._redis.hkeys(_SECRETS))
        if old := [date for date in days if date < last]:
            self._redis.hdel(_SECRETS, *old)
        (drawn,) = self.drawn(day)
        assert drawn is not None, "it was just drawn"
        return drawn

    def enter(self, day: DealDay, begun: Try, now: float) -> None:
        """Store a player's try of this day. A second one changes nothing."""
        key = _tries_key(day)
        self._redis.zadd(key, {" ".join(begun): int(now)}, nx=True)
        self._redis.expire(key, _life(day, now))

    def tries(self, day: DealDay, most: int) -> list[Try]:
        """Return tries of this day, at most `most`: those that finished, the best first, then the
        newest of all."""
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.zrange(_table_key(day), 0, most - 1)
            pipeline.zrevrange(_tries_key(day), 0, most - 1)
            finished, begun = cast(list[list[str]], pipeline.execute())
        members = dict.fromkeys((*finished, *begun))
        return [Try(*member.split(" ")) for member in islice(members, most)]


@dataclass(eq=False, repr=False)
class DailyTable:
    """The projection of the tries that finished on their day. `now` gives unix seconds."""

    _enter = Lua(__file__, "finish_daily")

    _redis: Client
    _now: Callable[[], float]

    def runs(self, stored: StoredGame) -> list[Run]:
        """Return the script run that enters this game into the table of its day; none unless it is
        a try that finished in time."""
        day, ended = stored.daily, stored.ended
        if day is None or ended is None or stored.imported or unix(ended) >= day.ends:
            return []
        player = next(each for each in stored.players if bot_at(each) is None)
        args = (_rank(stored, player), f"{player} {stored.id}", _life(day, self._now()))
        return [Run(self._enter, [_table_key(day)], args)]


def _life(day: DealDay, now: float) -> int:
    """The seconds from `now` until all of this day is dropped, by our clock instead of Redis's."""
    return day.ends + LIFE - int(now)


def _rank(stored: StoredGame, player: str) -> int:
    """Return a number that is smaller for a better try. The turns are left out: they matter only
    among equal Stones."""
    game, seat = stored.game, stored.seat_of(player)
    assert seat is not None, "who tried sits in the game"
    won = None if game.winner is None else game.winner == seat
    lead = len(game.stones_of(seat)) - len(game.stones_of(OTHER[seat]))
    return 100 * place_of(won, game.reason) - lead


def place_of(won: bool | None, reason: str | None) -> int:
    """Return the class of a finished try, the best first: won, drawn, lost, and 3 for one that was
    abandoned by agreement."""
    return 3 if reason == "agreement" else {True: 0, None: 1, False: 2}[won]


def _read(stored: str | None) -> DrawnSecret | None:
    if stored is None:
        return None
    secret, _, at = stored.partition(" ")
    return DrawnSecret(secret, int(at))


def _tries_key(day: DealDay) -> str:
    return f"st:{{daily}}:tries:{day.date}"


def _table_key(day: DealDay) -> str:
    return f"st:{{daily}}:table:{day.date}"


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


@dataclass(eq=False, repr=False)
class DailyResults:
    """The results of all days. `now` gives unix seconds.

    Final results are cached in this process: each log is read once.
    """

    _events: EventStore
    _now: Callable[[], float]
    _final: ThreadSafeCache[DealDay, Results] = field(
        init=False, default_factory=lambda: recently_used(64)
    )

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

    return Query(query.command, parse, takes_errors=True)
