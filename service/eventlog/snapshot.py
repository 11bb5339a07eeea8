"""Games at one moment: their logs, side state and notices."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from redis.exceptions import RedisError

from service.core.redis.client import Client, unavailable
from service.eventlog import keys
from service.eventlog.compaction import UnreadableLog
from service.eventlog.event_store import EventStore
from service.eventlog.keys import load
from service.eventlog.outbox import Notice, parse_notice_id

_AT_ONCE: Final = 20
"""The number of games read by one call of the script, which must not hold up other clients."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One game at one moment; it can have side state before it has events.

    `life` is the number of seconds until the side state expires, None: never. `fault` says why the
    log cannot be read, None if it can.
    """

    game: str
    events: list[str] = field(default_factory=list)
    side_state: dict[str, str] = field(default_factory=dict)
    life: int | None = None
    notices: list[Notice] = field(default_factory=list)
    fault: str | None = None


@dataclass(eq=False, repr=False)
class Snapshots:
    """Reads games with their side state and notices, several at a time."""

    _read = load("snapshot")

    _redis: Client
    _events: EventStore

    def ids(self) -> set[str]:
        """The id of every game, and of every challenge that may become one."""
        names = self._redis.scan_iter(match=keys.GAME_PATTERN, count=1000)
        return {keys.game_of(key) for key in names if key.endswith(keys.LOG_OR_SIDE_STATE)}

    def of(self, game_ids: Iterable[str]) -> Iterator[Snapshot]:
        """Snapshots of these games, bucket by bucket.

        A game that cannot be read comes with its fault; one that is gone is left out.
        """
        by_bucket: dict[int, list[str]] = defaultdict(list)
        for game_id in game_ids:
            by_bucket[keys.bucket_of(game_id)].append(game_id)
        for bucket in sorted(by_bucket):
            remaining = iter(sorted(by_bucket[bucket]))
            while batch := list(islice(remaining, _AT_ONCE)):
                yield from self._batch(bucket, batch)

    def _batch(self, bucket: int, game_ids: Sequence[str]) -> Iterator[Snapshot]:
        try:
            of_games = (
                key for game in game_ids for key in (keys.log_key(game), keys.side_state_key(game))
            )
            due, *parts = self._read(keys=[keys.outbox_key(bucket), *of_games])
        except (RedisError, UnicodeDecodeError) as error:
            if unavailable(error):
                raise
            if len(game_ids) == 1:
                yield Snapshot(game_ids[0], fault=f"Redis cannot give it: {error}")
            else:
                # One broken game makes the reply for all of them unreadable.
                for game_id in game_ids:
                    yield from self._batch(bucket, [game_id])
            return
        notices: dict[str, list[Notice]] = defaultdict(list)
        for notice, at in _paired(due).items():
            with suppress(ValueError):  # not one of our notices
                notices[parse_notice_id(notice).subject].append(Notice(notice, float(at)))
        for game_id, (kind, entries, side_state, life) in zip(game_ids, parts, strict=True):
            if kind != "none" or side_state:
                yield self._snapshot(game_id, kind, entries, side_state, life, notices[game_id])

    def _snapshot(
        self,
        game_id: str,
        kind: str,
        entries: list[Any],
        side_state: list[str],
        life: int,
        notices: list[Notice],
    ) -> Snapshot:
        try:
            texts = self._events.whole([_paired(entry[1])["event"] for entry in entries])
            if kind == "string":
                texts = self._events.read(game_id)
            elif kind not in ("stream", "none"):
                raise UnreadableLog(f"its log is a {kind}")
        except (UnreadableLog, LookupError, ValueError) as error:
            return Snapshot(game_id, fault=str(error))
        return Snapshot(game_id, texts, _paired(side_state), None if life < 0 else life, notices)


def _paired(flat: Sequence[str]) -> dict[str, str]:
    return dict(zip(flat[::2], flat[1::2], strict=True))
