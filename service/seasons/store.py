"""The logs of all seasons in Redis.

st:{BUCKET}:season:SEASON   stream: the events, with ids `VERSION-0` (`eventlog.keys`)
st:{COMMITMENT}:dealt       text: the game that has the cards which this commitment seals
st:{seasons}:all            sorted set: season to its rank in lists (`_rank`)
st:{seasons}:following      hash: season to the latest that follows it
st:{seasons}:late           sorted set, all scores 0: PLAYER.SEASON of everybody who was withdrawn
                            for time-outs
st:{seasons}:unreadable     hash: game of a season to the moment (unix seconds) since which its log
                            has been seen unreadable

The second is in another slot than the log, which a failover may throw back. The three before the
last are indexes of the logs, and are written before these: an entry may be stale, but none is
missing.
"""

import json
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, cast

from marshmallow import fields
from redis.exceptions import ResponseError

from engine.chain import StoredEvent
from service.core import ids
from service.core.cache import ThreadSafeCache, recently_used
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID
from service.core.redis.batch import Query, execute_all
from service.core.redis.client import Client, Lua, news_channel
from service.core.redis.snapshot_keys import JsonText, kept_key
from service.core.times import unix
from service.eventlog import Notice, UnreadableLog, keys, legible
from service.eventlog.outbox import due_args
from service.seasons.events import (
    PlayerEntered,
    PlayerWithdrew,
    SeasonAnnounced,
    SeasonEnded,
    SeasonEvent,
    decode,
)
from service.seasons.sealing import is_of_restore
from service.seasons.season import Season, fold, lines_after

_log = logging.getLogger(__name__)

EVENT: Final = "event"
"""The field of a stream's entries."""
_ALL: Final = "st:{seasons}:all"
_FOLLOWING: Final = "st:{seasons}:following"
_LATE: Final = "st:{seasons}:late"
_UNREADABLE: Final = "st:{seasons}:unreadable"
LASTING_KEYS: Final = (
    kept_key(
        keys.SEASON_PATTERN, "stream", fields.List(JsonText(fields.Dict())), "[0-9]{2}", GAME_ID
    ),
)
"""Keys that a backup holds."""
_ATTEMPTS: Final = 5
"""Attempts to restore a log while others write to it."""
_CACHED: Final = 200
"""The seasons that a process remembers, to read only the ends of their logs."""


@dataclass(eq=False, repr=False)
class SeasonStore:
    """The logs of all seasons. `now` gives unix seconds; every call may be repeated."""

    _append = Lua(__file__, "append")
    _replace = Lua(__file__, "replace")

    _redis: Client
    _now: Callable[[], float]
    _recent: ThreadSafeCache[str, Season] = field(
        init=False, default_factory=lambda: recently_used(_CACHED)
    )

    def append(
        self,
        before: Season | None,
        events: Sequence[SeasonEvent],
        via: str,
        notices: Sequence[Notice] = (),
    ) -> Season | None:
        """Append these events, with their notices, to the log that is at `before` (None: a new
        log). Return the season after them, None if another write came first."""
        new = lines_after(before, events, via, self._now())
        # First: an event that cannot follow raises an error, and is not written.
        season = fold(before, map(json.loads, new))
        assert season is not None, "it has events"
        self._index(season, events)
        after, last = (before.version, f'"hash":"{before.head}"') if before else (0, "")
        is_written = self._append(
            keys=[keys.season_key(season.id), keys.outbox_key(keys.bucket_of(season.id))],
            args=[
                *(news_channel(season.id), after, last, len(new)),
                *(*new, *due_args(None, notices)[1:]),
            ],
        )
        if not is_written:
            return None
        self._recent.put(season.id, season)
        return season

    def restore(self, season_id: str, texts: Sequence[str], anew: Sequence[str]) -> bool:
        """Make these events of a backup the log of a season, and append those that seal its cards
        `anew`. If one begins with the other, the longer one stays; a seal at the end that an
        earlier restore appended does not count. Return False, and change nothing, if the season
        went on differently.

        `reindex` has to follow.
        """
        for _ in range(_ATTEMPTS):
            reply = self._redis.xrange(keys.season_key(season_id))
            there = [entry[EVENT] for _, entry in cast(list[Any], reply)]
            pairs = enumerate(zip(there, texts, strict=False))
            least = min(len(there), len(texts))
            common = next((place for place, (one, other) in pairs if one != other), least)
            if common == len(texts):
                return True
            if not all(map(is_of_restore, there[common:])):
                return False
            last = there[-1] if there else ""
            args = [news_channel(season_id), len(there), last, *texts, *anew]
            if self._replace(keys=[keys.season_key(season_id)], args=args):
                return True
        return False

    def deal(self, cards: str, game: str) -> bool:
        """Whether the cards that this commitment seals are this game's: they are if no other game
        has had them."""
        key = f"st:{{{cards}}}:dealt"
        return bool(self._redis.set(key, game, nx=True)) or self._redis.get(key) == game

    def find(self, season_id: str) -> Season | None:
        """The season as it is now; None if there is none. Raises `UnreadableLog`."""
        return execute_all(self._redis, [self._query(season_id)])[0]

    def get(self, season_id: str) -> Season:
        """As `find`. Raises `RequestRejected`, `season-not-found`, too."""
        season = self.find(season_id) if ids.is_game_id(season_id) else None
        if season is None:
            raise RequestRejected("season-not-found", "There is no season with this id.")
        return season

    def latest_of(self, season_ids: Iterable[str]) -> dict[str, Season | UnreadableLog | None]:
        """These seasons by id as they are now, in one round trip; an unreadable one gives its
        error. Of those that are over nothing is read again."""
        asked = [*season_ids]
        found = execute_all(self._redis, [*map(self._listed_query, asked)])
        return dict(zip(asked, found, strict=True))

    def readable(self, season_ids: Iterable[str]) -> list[Season]:
        """Those of these seasons that are there and can be read: another one must not keep them
        from anybody."""
        seasons = list[Season]()
        for season_id, season in self.latest_of(season_ids).items():
            if isinstance(season, Season):
                seasons.append(season)
            elif season is not None:
                _log.error("season %s is left out of a list: %s", season_id, season)
        return seasons

    def ids(self) -> list[str]:
        """The ids of all seasons, in the order of lists."""
        return cast(list[str], self._redis.zrevrange(_ALL, 0, -1))

    def page(self, after: str | None, limit: int) -> tuple[list[str], str | None]:
        """The ids of at most so many seasons after the season `after`, in the order of lists; and
        the last of them if there are more."""
        place = -1 if after is None else cast(int | None, self._redis.zrevrank(_ALL, after))
        if place is None:
            return [], None
        found = cast(list[str], self._redis.zrevrange(_ALL, place + 1, place + 1 + limit))
        return found[:limit], found[limit - 1] if len(found) > limit else None

    def following(self, season_id: str) -> Season | None:
        """The latest season that follows this one; None without one."""
        found = cast(str | None, self._redis.hget(_FOLLOWING, season_id))
        return next(iter(self.readable(filter(None, [found]))), None)

    def late_in(self, player: str) -> list[Season]:
        """The seasons from which a player may have been withdrawn for time-outs."""
        found = cast(list[str], self._redis.zrangebylex(_LATE, f"[{player}.", f"[{player}/"))
        return self.readable(member.partition(".")[2] for member in found)

    def lines(self, season_id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """The events after version `after`, at most `limit`, as they are stored."""
        first = f"{after + 1}-0"
        reply = self._redis.xrange(keys.season_key(season_id), first, "+", limit)
        with _legible(season_id):
            return _lines(reply)

    def unreadable_since(
        self, unreadable: Collection[str], readable: Collection[str]
    ) -> dict[str, int]:
        """Note which of some games cannot be read now; return since when (unix seconds) that has
        been so for each that cannot."""
        if readable:
            self._redis.hdel(_UNREADABLE, *readable)
        for game in unreadable:
            self._redis.hsetnx(_UNREADABLE, game, str(int(self._now())))
        noted = cast(dict[str, str], self._redis.hgetall(_UNREADABLE)) if unreadable else {}
        return {game: int(noted[game]) for game in unreadable}

    def reindex(self) -> dict[str, UnreadableLog | None]:
        """Rebuild the indexes from the logs; returns all seasons, each with the error if it cannot
        be read, and is in no new index then."""
        keys_found = self._redis.scan_iter(match=keys.SEASON_PATTERN, count=1000)
        found = self.latest_of(key.rpartition(":")[2] for key in keys_found)
        seasons = [season for season in found.values() if isinstance(season, Season)]
        for season in sorted(seasons, key=lambda each: each.announced):
            self._index(season, map(decode, self.lines(season.id)))
        faults = {one: why for one, why in found.items() if isinstance(why, UnreadableLog)}
        return {season_id: faults.get(season_id) for season_id in found}

    def _index(self, season: Season, events: Iterable[SeasonEvent]) -> None:
        """Note what these events of a season add to the indexes."""
        events = [*events]
        if {*map(type, events)} & {SeasonAnnounced, PlayerEntered, PlayerWithdrew, SeasonEnded}:
            self._redis.zadd(_ALL, {season.id: _rank(season)})
        for event in events:
            match event:
                case SeasonAnnounced(id=season_id, follows=str(before)):
                    self._redis.hset(_FOLLOWING, before, season_id)
                case PlayerWithdrew(player, "time-outs"):
                    self._redis.zadd(_LATE, {f"{player}.{season.id}": 0})

    def _listed_query(self, season_id: str) -> Query[Season | UnreadableLog | None]:
        query = self._query(season_id)

        def parse(reply: object) -> Season | UnreadableLog | None:
            try:
                return query.parse(reply)
            except UnreadableLog as error:
                return error

        return Query(query.command, parse, takes_errors=True)

    def _query(self, season_id: str) -> Query[Season | None]:
        known = self._recent.get(season_id)
        # The last event that is known is read again: a failover may have replaced it.
        first = 1 if known is None else known.version
        command = ("XRANGE", keys.season_key(season_id), f"{first}-0", "+")

        def parse(reply: Any) -> Season | None:
            with _legible(season_id):
                lines = _lines(reply)
                is_known = known is not None and bool(lines) and lines[0]["hash"] == known.head
                if known is None or is_known:
                    new = lines if known is None else lines[1:]
                    season = fold(known, new) if new else known  # a fold copies what grows
                    if season is not None:
                        self._recent.put(season_id, season)
                    return season
            self._recent.drop(season_id)
            return self.find(season_id)

        return Query(command, parse, takes_errors=True)


@contextmanager
def _legible(season_id: str) -> Iterator[None]:
    """As `legible`, for the log of a season; also where its key holds something else."""
    try:
        with legible(f"season {season_id}"):
            yield
    except ResponseError as error:
        raise UnreadableLog(f"The log of season {season_id} is damaged: {error}.") from error


def _rank(season: Season) -> int:
    """Those with a higher rank come first in lists: those that are not over, of these the
    operator's, then those with more players, then the newest. So nobody buries the others under
    many empty ones."""
    newest = unix(season.announced)
    if season.ended is not None:
        return newest
    is_operators = season.rules.by is None
    return newest + 10**10 * (1 + min(len(season.active), 10_000)) + 10**15 * is_operators


def _lines(reply: Any) -> list[StoredEvent]:
    if isinstance(reply, Exception):
        raise reply
    return [json.loads(entry[EVENT]) for _, entry in reply]
