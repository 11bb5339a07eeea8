"""The logs of all seasons in Redis.

st:{BUCKET}:season:SEASON   stream: the events, with ids `VERSION-0` (`eventlog.keys`)
st:{seasons}:all            sorted set: season to the moment (unix seconds) when it was announced;
                            an index of the logs
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from marshmallow import fields

from engine.chain import NO_HASH, StoredEvent, links
from service.core.cache import ThreadSafeCache, recently_used
from service.core.ids import GAME_ID
from service.core.redis.batch import Query, execute_all, raising
from service.core.redis.client import Client, Lua, news_channel
from service.core.redis.snapshot_keys import JsonText, kept_key
from service.core.times import timestamp, unix
from service.eventlog import Notice, keys
from service.eventlog.outbox import due_args
from service.seasons.season import Season, SeasonAnnounced, SeasonEvent, encode, fold

EVENT: Final = "event"
"""The field of a stream's entries."""
_ALL: Final = "st:{seasons}:all"
LASTING_KEYS: Final = (
    kept_key(
        keys.SEASON_PATTERN, "stream", fields.List(JsonText(fields.Dict())), "[0-9]{2}", GAME_ID
    ),
)
"""Keys that a backup holds."""
_CACHED: Final = 200
"""The seasons that a process remembers, to read only the ends of their logs."""


@dataclass(eq=False, repr=False)
class SeasonStore:
    """The logs of all seasons. `now` gives unix seconds; every call may be repeated."""

    _append = Lua(__file__, "append")

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
        first = events[0]
        rules = first if isinstance(first, SeasonAnnounced) else cast(Season, before).rules
        assert rules.secret is not None, "whoever writes has read the whole log"
        after, head = (before.version, before.head) if before else (0, NO_HASH)
        at, key = max(timestamp(self._now()), before.latest if before else ""), rules.secret
        new = [*links(map(encode, events), after=after, at=at, via=via, secret=key, previous=head)]
        # First: an event that cannot follow raises an error, and is not written.
        season = fold(before, [json.loads(link.text) for link in new])
        assert season is not None, "it has events"
        if before is None:
            self._index(rules.id, at)  # first: an entry without a log is in no list
        last, bucket = f'"hash":"{head}"' if before else "", keys.bucket_of(rules.id)
        args: list[str | float] = [news_channel(rules.id), after, last, len(new)]
        is_written = self._append(
            keys=[keys.season_key(rules.id), keys.outbox_key(bucket)],
            args=[*args, *(link.text for link in new), *due_args(None, notices)[1:]],
        )
        if not is_written:
            return None
        self._recent.put(rules.id, season)
        return season

    def find(self, season_id: str) -> Season | None:
        """The season as it is now; None if there is none."""
        return self.find_all([season_id])[0]

    def find_all(self, season_ids: Sequence[str]) -> list[Season | None]:
        """These seasons as they are now, in one round trip; of those that are over nothing is read
        again."""
        return execute_all(self._redis, [*map(self._query, season_ids)])

    def ids(self) -> list[str]:
        """The ids of all seasons, the newest first."""
        return cast(list[str], self._redis.zrevrange(_ALL, 0, -1))

    def lines(self, season_id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """The events after version `after`, at most `limit`, as they are stored."""
        first = f"{after + 1}-0"
        return _lines(self._redis.xrange(keys.season_key(season_id), first, "+", limit))

    def reindex(self) -> int:
        """Rebuild the index from the logs; returns the number of seasons."""
        found = [*self._redis.scan_iter(match=keys.SEASON_PATTERN, count=1000)]
        for season_id in (key.rpartition(":")[2] for key in found):
            if (season := self.find(season_id)) is not None:
                self._index(season_id, season.announced)
        return len(found)

    def _index(self, season_id: str, moment: str) -> None:
        self._redis.zadd(_ALL, {season_id: unix(moment)})

    def _query(self, season_id: str) -> Query[Season | None]:
        known = self._recent.get(season_id)
        # The last event that is known is read again: a failover may have replaced it.
        first = 1 if known is None else known.version
        command = ("XRANGE", keys.season_key(season_id), f"{first}-0", "+")

        def parse(reply: Any) -> Season | None:
            lines = _lines(reply)
            if known is not None and (not lines or lines[0]["hash"] != known.head):
                self._recent.drop(season_id)
                return self.find(season_id)
            season = fold(known, lines if known is None else lines[1:])
            if season is not None:
                self._recent.put(season_id, season)
            return season

        return Query(command, raising(parse))


def _lines(reply: Any) -> list[StoredEvent]:
    return [json.loads(entry[EVENT]) for _, entry in reply]
