"""The events of every game: appended by one script, read as JSON texts."""

import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Final, TypeVar, cast

from redis.client import NEVER_DECODE
from redis.exceptions import ResponseError

from service.core.cache import ThreadSafeCache, recently_used
from service.core.redis.batch import Query, execute, execute_all
from service.core.redis.client import Client, news_channel
from service.eventlog import keys
from service.eventlog.compaction import (
    HEAD,
    UnreadableLog,
    compact,
    compacted_version,
    expand,
    practice_texts,
)
from service.eventlog.derived import derive, is_reference
from service.eventlog.keys import load
from service.eventlog.outbox import Notice, check_due, due_args
from service.eventlog.replication import Replicas
from service.eventlog.results import (
    Appended,
    AppendResult,
    FieldChange,
    IdempotencyKey,
    KeyReused,
    Removal,
    Removed,
    Repeated,
    VersionConflict,
    removal_query,
    repeated,
    side_state_conflict,
)

CACHE_SIZE: Final = 16 * 1024 * 1024
"""The most characters of expanded logs that a process caches: a long match, or some hundred
games."""
_AT_ONCE: Final = 1000
"""The number of logs looked at in one round trip."""

Parsed = TypeVar("Parsed")


@dataclass(eq=False, repr=False)
class EventStore:
    """Every game's events.

    A game's log is a stream whose entry ids are `VERSION-0`, or once it is compacted a string under
    the same key. Its version is the number of its events. The first entry can refer to another game
    and stand for several events (`derived`); who reads the log gets the events. An append waits
    until it has reached `replicas` replicas of its server, if it can.
    """

    _append = load("append")
    _compact = load("compact")
    _repair = load("repair")
    _remove = load("remove")
    _withdraw = load("withdraw")

    _redis: Client
    _wait_replicas: int = 0
    measure: Callable[[float], object] = field(
        init=False, default_factory=lambda: lambda seconds: None
    )
    """Called with the seconds that each append took, including the wait for replicas."""
    _expanded: ThreadSafeCache[str, list[str]] = field(
        init=False,
        default_factory=lambda: recently_used(CACHE_SIZE, lambda texts: sum(map(len, texts))),
    )

    @cached_property
    def _replicas(self) -> Replicas:
        return Replicas(self._redis, self._wait_replicas)

    # Writing

    def append(
        self,
        game_id: str,
        expected: int,
        events: Sequence[str],
        *,
        head: str | None = None,
        notices: Sequence[Notice] = (),
        deadline: float | None = None,
        key: IdempotencyKey | None = None,
        side_state: Sequence[FieldChange] = (),
        obsolete: Notice | None = None,
    ) -> AppendResult:
        """Append `events` (JSON texts) to the log if it is at version `expected`, or do nothing.

        The first text of a new log can be a reference to another game, as `derived.refer` makes it.
        `head` is the expected `hash` of the last event, None for any: after a failover of Redis,
        other events may have replaced lost ones. The same write adds the notices, sets the deadline
        (unix seconds; None clears it) and changes the fields of the side state. It removes the
        `obsolete` notice if that is due at this time or earlier: once claimed, it is due later. A
        `key` seen before returns the result of that first request and writes nothing.

        Raises ValueError for a write that can never be valid, and the library's errors if Redis
        cannot be reached: then the write may have happened, and only a key makes it safe to repeat.
        """
        if not events:
            raise ValueError("an append holds at least one event")
        check_due(game_id, notices, deadline)
        client_key, fingerprint, _ = key or IdempotencyKey("", "")
        due, *outbox = due_args(deadline, notices)
        # Should the client library send this again, the script recognises the id.
        request_id = secrets.token_urlsafe(8)
        first = json.loads(events[0])["seq"] if is_reference(events[0]) else expected + 1
        request: list[str | float] = [
            *(game_id, news_channel(game_id), expected, first, request_id),
            *(client_key, fingerprint, due),
            "" if head is None else f'"hash":"{head}"',
            *(len(events), len(side_state), *(obsolete or ("", ""))),
        ]
        changes = [part for change in side_state for part in change]
        args = [*request, *events, *changes, *outbox]
        began = time.perf_counter()
        tag, version, *texts = self._append(keys=_keys_of_append(game_id), args=args)
        match tag:
            case "appended" | "repeated":
                self._replicas.await_write(keys.mark_key(game_id))
                self.measure(time.perf_counter() - began)
                return Appended(version) if tag == "appended" else repeated(version)
            case "reused":
                return KeyReused()
            case "side-state-conflict":
                return side_state_conflict(side_state, texts)
            case "removed":
                return Removed()
            case _:
                return VersionConflict(expected, version)

    def recall(self, game_id: str, key: IdempotencyKey) -> Repeated | KeyReused | None:
        """The result of the first write under this key, None for an unused key."""
        answer = cast(str | None, self._redis.hget(keys.answers_key(game_id), key.key))
        if answer is None:
            return None
        version, fingerprint = answer.split(" ", 1)
        return repeated(int(version)) if fingerprint == key.fingerprint else KeyReused()

    def compact(self, game_id: str) -> bool:
        """Compact a finished game's log for ever. Return False if it has changed meanwhile.

        It reads as before, but accepts no more events. Side state and the results under idempotency
        keys are dropped. May be repeated; a crash leaves the log as it was.
        """
        try:
            texts = self.whole(_texts(self._redis.xrange(keys.log_key(game_id))))
        except ResponseError as error:
            return bool(self._compacted(game_id, error, HEAD))
        if not texts:
            return False
        touched = [
            keys.log_key(game_id),
            keys.answers_key(game_id),
            keys.side_state_key(game_id),
            keys.deadlines_key(keys.bucket_of(game_id)),
        ]
        return bool(self._compact(keys=touched, args=[game_id, len(texts), compact(texts)]))

    def repair(
        self, game_id: str, version: int, *, notices: Sequence[Notice], deadline: float | None
    ) -> bool:
        """Restore lost notices and the deadline of a game at this version.

        Return False if the game is at another version; then nothing has changed. May be repeated.
        """
        check_due(game_id, notices, deadline)
        bucket = keys.bucket_of(game_id)
        touched = [keys.log_key(game_id), keys.outbox_key(bucket), keys.deadlines_key(bucket)]
        args = [game_id, version, *due_args(deadline, notices)]
        return bool(self._repair(keys=touched, args=args))

    def withdraw(self, game_id: str, version: int, head: str, left: int) -> bool:
        """Remove all events after version `left` of a running game at this version.

        `head` is the `hash` of its last event. Return False if version or hash differ. After a
        crash the log is sound and shorter. Only for a restore, and for events of the server's own:
        acknowledged events are never lost.
        """
        args: list[str | int] = [version, f'"hash":"{head}"', left]
        return bool(self._withdraw(keys=[keys.log_key(game_id)], args=args))

    def remove(
        self, game_id: str, version: int | None, removal: Removal, notices: Sequence[Notice] = ()
    ) -> bool:
        """Remove a game at this version (None: any) for good, and store this mark of its removal.

        One write deletes log, side state, messages, notices and deadline, and adds these `notices`.
        Return False if the game is at another version; then nothing has changed. May be repeated.
        """
        check_due(game_id, notices, None)
        bucket = keys.bucket_of(game_id)
        touched = [
            *_keys_of_append(game_id)[:3],
            keys.messages_key(game_id),
            keys.removed_key(game_id),
            keys.outbox_key(bucket),
            keys.claimed_key(bucket),
            keys.deadlines_key(bucket),
        ]
        expected = "" if version is None else version
        mark = [removal.at, removal.words, " ".join(removal.of)]
        args = [game_id, news_channel(game_id), expected, *mark, *due_args(None, notices)[1:]]
        done = bool(self._remove(keys=touched, args=args))
        self._replicas.await_write(keys.mark_key(game_id))
        self._expanded.drop(game_id)
        return done

    def finish_removal(self, game_id: str, *, marked: bool = True) -> None:
        """Record that no data of a removed game is left; unless `marked`, as if it had not been."""
        key = keys.removed_key(game_id)
        self._redis.hdel(key, "of") if marked else self._redis.delete(key)

    # Reading

    def exists(self, game_id: str) -> bool:
        """Whether there is a log of this game, readable or not."""
        return bool(self._redis.exists(keys.log_key(game_id)))

    def removal(self, game_id: str) -> Removal | None:
        """The mark of a removed game; None for any other."""
        return self.execute(removal_query(game_id))

    def read(self, game_id: str, after: int = 0, upto: int | None = None) -> list[str]:
        """The events after version `after`, up to and including version `upto`, as JSON texts.

        Empty if there are none, or no such game. Raises `UnreadableLog` for a log that a later
        version of this program compacted, or that refers to a game that is not there.
        """
        return self.execute(self.events_query(game_id, after, upto))

    def version(self, game_id: str) -> int:
        """The number of events in the log; 0 for a game that does not exist."""
        return self.execute(self.version_query(game_id))

    def versions(self, game_ids: Iterable[str]) -> dict[str, int]:
        """The versions of these games, by id, in one round trip."""
        ids = [*game_ids]
        return dict(zip(ids, self.execute_all(map(self.version_query, ids)), strict=True))

    def execute(self, query: Query[Parsed]) -> Parsed:
        return execute(self._redis, query)

    def execute_all(self, queries: Iterable[Query[Parsed]]) -> list[Parsed]:
        """The results of queries about games, in one round trip."""
        return execute_all(self._redis, [*queries])

    def events_query(
        self, game_id: str, after: int = 0, upto: int | None = None
    ) -> Query[list[str]]:
        """The query that `read` executes."""
        last = "+" if upto is None else f"{upto}-0"

        def parse(reply: object) -> list[str]:
            if isinstance(reply, ResponseError):
                return self._expand(game_id, reply)[after:upto]
            texts = _texts(reply)
            if not texts and upto is not None and upto > after:
                return self.read(game_id)[after:upto]  # a later entry may stand for them
            whole = self.whole(texts)
            return texts if whole is texts else whole[after:]

        command = ("XRANGE", keys.log_key(game_id), f"{after + 1}-0", last)
        return Query(command, parse, takes_errors=True)

    def last_events_query(
        self, game_id: str, count: int, upto: int | None = None
    ) -> Query[list[str]]:
        """The query for the last `count` events up to and including version `upto`, oldest
        first."""
        last = "+" if upto is None else f"{upto}-0"

        def parse(reply: object) -> list[str]:
            if isinstance(reply, ResponseError):
                return self._expand(game_id, reply)[:upto][-count:]
            texts = _texts(reply)[::-1]
            if not texts and upto is not None:
                return self.read(game_id)[:upto][-count:]
            return self.whole(texts)[-count:]

        command = ("XREVRANGE", keys.log_key(game_id), last, "-", "COUNT", count)
        return Query(command, parse, takes_errors=True)

    def version_query(self, game_id: str) -> Query[int]:
        """The query that `version` executes."""

        def parse(reply: Any) -> int:
            if isinstance(reply, ResponseError):
                return compacted_version(self._compacted(game_id, reply, HEAD))
            return int(reply[0][0].partition("-")[0]) if reply else 0

        command = ("XREVRANGE", keys.log_key(game_id), "+", "-", "COUNT", 1)
        return Query(command, parse, takes_errors=True)

    def whole(self, texts: list[str]) -> list[str]:
        """The events of these entries of a log: a reference is replaced by what it stands for."""
        if not texts or not is_reference(texts[0]):
            return texts
        known = self._expanded.get(texts[0])
        if known is None:
            reference = json.loads(texts[0])
            source = self.read(reference["from"], upto=reference["upto"])
            try:
                known = derive(reference, source)
            except (LookupError, ValueError) as why:
                raise UnreadableLog(
                    f"The log begins as that of game {reference['from']}, but {why}."
                ) from why
            self._expanded.put(texts[0], known)
        return [*known, *texts[1:]]

    def game_ids(self) -> Iterator[str]:
        """The id of every stored game, each once, in no order.

        Games created meanwhile may be missing.
        """
        seen: set[str] = set()  # a scan may return a key twice
        for log_key in self._redis.scan_iter(match=keys.LOG_PATTERN, count=1000):
            if (game_id := keys.game_of(log_key)) not in seen:
                seen.add(game_id)
                yield game_id

    def practised_from(self, game_id: str) -> set[str]:
        """The ids of the practice games from this game, and from these; it looks at every game."""
        sources: dict[str, str | None] = {}
        ids = self.game_ids()
        while batch := list(islice(ids, _AT_ONCE)):
            found = zip(batch, self.execute_all(map(self._source_query, batch)), strict=True)
            sources |= {each: source for each, source in found if source}
        practised, ahead = set[str](), {game_id}
        while ahead:
            ahead = {each for each, source in sources.items() if source in ahead} - practised
            practised |= ahead
        return practised

    def _source_query(self, game_id: str) -> Query[str | None]:
        """The query for the game from which a practice game was begun; None for other games."""

        def parse(reply: object) -> str | None:
            if isinstance(reply, ResponseError):
                try:
                    texts = practice_texts(self._compacted(game_id, reply))
                except UnreadableLog:
                    return None
            else:
                texts = _texts(reply)
            first: dict[str, Any] = json.loads(texts[0]) if texts else {}
            if "from" in first:
                return str(first["from"])
            practice = first.get("data", {}).get("terms", {}).get("practice")
            return practice and str(practice["game"])

        command = ("XRANGE", keys.log_key(game_id), "-", "+", "COUNT", 1)
        return Query(command, parse, takes_errors=True)

    def _compacted(self, game_id: str, error: ResponseError, length: int = 0) -> bytes:
        """The compacted log that caused a stream command's error, or its first `length` bytes."""
        if not str(error).startswith("WRONGTYPE"):
            raise error
        # This client decodes replies; a compacted log is not text.
        get: Callable[..., bytes] = self._redis.execute_command
        return get("GETRANGE", keys.log_key(game_id), 0, length - 1, **{NEVER_DECODE: True})

    def _expand(self, game_id: str, error: ResponseError) -> list[str]:
        """The events of the compacted log that caused a stream command's error."""
        if (expanded := self._expanded.get(game_id)) is not None:
            return expanded
        try:
            texts = expand(self._compacted(game_id, error))
        except UnreadableLog as why:
            raise UnreadableLog(f"The log of game {game_id} cannot be read: {why}.") from why
        self._expanded.put(game_id, texts)
        return texts


def _keys_of_append(game_id: str) -> list[str]:
    bucket = keys.bucket_of(game_id)
    return [
        keys.log_key(game_id),
        keys.answers_key(game_id),
        keys.side_state_key(game_id),
        keys.outbox_key(bucket),
        keys.deadlines_key(bucket),
        keys.removed_key(game_id),
    ]


def _texts(entries: object) -> list[str]:
    return [fields["event"] for _, fields in cast(list[tuple[str, dict[str, str]]], entries)]
