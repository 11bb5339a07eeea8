"""The log of all games."""

import math
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar, cast

from redis.client import NEVER_DECODE
from redis.exceptions import ResponseError

from service.core import cost
from service.core.cache import Recent
from service.core.redis.batch import Query, execute, execute_many
from service.core.redis.client import Client
from service.eventlog import keys
from service.eventlog.compaction import HEAD as PACKED_HEAD
from service.eventlog.compaction import UnreadableLog, pack, packed_version, unpack
from service.eventlog.due_set import DueSet, Which
from service.eventlog.outbox import Notice, parse_notice_id
from service.eventlog.replication import Replicas
from service.eventlog.scripts import load

UNPACKED: Final = 16 * 1024 * 1024
"""Characters of packed logs that a process keeps unpacked: a long match, or some hundred games."""

Answered = TypeVar("Answered")


@dataclass(frozen=True, slots=True)
class Appended:
    """The events are in the log, which now has this version."""

    version: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """The request is known by its idempotency key: this was the version after it."""

    version: int


@dataclass(frozen=True, slots=True)
class KeyReused:
    """The idempotency key is known, but from another request."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The log was not at the expected version: this is its current one."""

    version: int


@dataclass(frozen=True, slots=True)
class Noted:
    """A note beside the log says something else than the writer thought."""


Answer = Appended | Repeated | KeyReused | Conflict | Noted


class IdempotencyKey(NamedTuple):
    """A client's name for its request, scoped by caller, and a fingerprint of what it asked.

    `scope` is the caller alone, for counting.
    """

    key: str
    fingerprint: str
    scope: str = ""


class NoteChange(NamedTuple):
    """That the note in `field` says `before` and shall say `after`; empty where there is none."""

    field: str
    before: str
    after: str


class GameLog:
    """Every game's events, and in the same write what falls due because of them.

    A game's log is a stream whose entry ids are `VERSION-0`, or once it is packed a string under
    the same key; its version is the number of its events. `now` gives the time in seconds since
    the epoch. An append waits until it has reached `replicas` replicas of its server, if it can.
    """

    def __init__(
        self, redis: Client, now: Callable[[], float] = time.time, replicas: int = 0
    ) -> None:
        self._redis = redis
        self._replicas = Replicas(redis, replicas)
        self._append = redis.register_script(load("append"))
        self._pack = redis.register_script(load("pack"))
        self._note = redis.register_script(load("note"))
        self._mend = redis.register_script(load("mend"))
        self._notices = DueSet(redis, keys.notices_key, _bucket_of_notice, now, keys.claimed_key)
        self._deadlines = DueSet(redis, keys.deadlines_key, keys.bucket_of, now)
        # A packed log is never changed again.
        self._unpacked: Recent[str, list[str]] = Recent(UNPACKED, _length)

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
        notes: Sequence[NoteChange] = (),
    ) -> Answer:
        """Append `events` (JSON texts) to the log if it is at version `expected`, or do nothing.

        `head` is the `hash` of the last event so far: should a failover of Redis have lost events,
        and others taken their place, the log is not at this version any more. None: any will do.
        The notices fall due, the deadline (seconds since the epoch; None clears it) is set and the
        `notes` are changed in the same write. A `key` seen before answers for that first request
        and writes nothing.

        Raises ValueError for a write that can never be right, and the library's errors when Redis
        cannot be reached: then the write may have happened, and only a key makes it safe to repeat.
        """
        if not events:
            raise ValueError("an append holds at least one event")
        _check(game_id, notices, deadline)
        client_key, fingerprint, _ = key or IdempotencyKey("", "")
        # One id a call: should the client library send the script again, it finds its own write.
        write = secrets.token_urlsafe(8)
        due, *outbox = _due(deadline, notices)
        request: list[str | float] = [game_id, expected, write, client_key, fingerprint, due]
        changes = [part for change in notes for part in change]
        last = "" if head is None else f'"hash":"{head}"'
        args = [*request, last, len(events), len(notes), *events, *changes, *outbox]
        tag, version = self._append(keys=_keys_of_write(game_id), args=args)
        answer = _answer(tag, version)
        if isinstance(answer, Appended | Repeated):
            self._replicas.await_write(keys.mark_key(game_id))
        return answer

    def recall(self, game_id: str, key: IdempotencyKey) -> Repeated | KeyReused | None:
        """What a write under this key would answer if the key is known, None if it is not."""
        answer = cast(str | None, self._redis.hget(keys.answers_key(game_id), key.key))
        if answer is None:
            return None
        version, fingerprint = answer.split(" ", 1)
        return Repeated(int(version)) if fingerprint == key.fingerprint else KeyReused()

    def read(self, game_id: str, after: int = 0, upto: int | None = None) -> list[str]:
        """The events after version `after`, up to and with version `upto`, as JSON texts.

        Empty when there are none, as for a game that is not there. Raises `UnreadableLog` for a
        log that was packed by a later version of this program.
        """
        return self.execute(self.events_query(game_id, after, upto))

    def version(self, game_id: str) -> int:
        """The number of events in the log; 0 for a game that is not there."""
        return self.execute(self.version_query(game_id))

    def versions(self, game_ids: Iterable[str]) -> dict[str, int]:
        """The versions of these games, by id, in one round trip."""
        asked = {game_id: self.version_query(game_id) for game_id in game_ids}
        answers = self.execute_many(list(asked.values()))
        return {
            game_id: query.parse(answer)
            for (game_id, query), answer in zip(asked.items(), answers, strict=True)
        }

    def execute(self, query: Query[Answered]) -> Answered:
        """Execute a query about a game."""
        return execute(self._redis, query)

    def execute_many(self, queries: Sequence[Query[Any]]) -> list[Any]:
        """What comes back for queries about games, in one round trip."""
        return execute_many(self._redis, queries)

    def events_query(
        self, game_id: str, after: int = 0, upto: int | None = None
    ) -> Query[list[str]]:
        """The query that `read` executes."""
        last = "+" if upto is None else f"{upto}-0"

        def parse(reply: Any) -> list[str]:
            if not isinstance(reply, ResponseError):
                return _texts(reply)
            return self._unpack(game_id, reply)[after:upto]

        return Query(("XRANGE", keys.log_key(game_id), f"{after + 1}-0", last), parse)

    def last_events_query(
        self, game_id: str, count: int, upto: int | None = None
    ) -> Query[list[str]]:
        """The query for the last `count` events up to and with version `upto`, oldest first."""
        last = "+" if upto is None else f"{upto}-0"

        def parse(reply: Any) -> list[str]:
            if not isinstance(reply, ResponseError):
                return _texts(reply)[::-1]
            return self._unpack(game_id, reply)[:upto][-count:]

        return Query(("XREVRANGE", keys.log_key(game_id), last, "-", "COUNT", count), parse)

    def version_query(self, game_id: str) -> Query[int]:
        """The query that `version` asks."""

        def parse(reply: Any) -> int:
            if isinstance(reply, ResponseError):
                return packed_version(self._packed(game_id, reply, PACKED_HEAD))
            return int(reply)

        return Query(("XLEN", keys.log_key(game_id)), parse)

    def pack(self, game_id: str) -> bool:
        """Make a finished game's log small, for ever; false where it has changed meanwhile.

        It is read as before. Its notes and the answers under its idempotency keys are dropped, and
        nothing can be appended any more. May be repeated; a crash in between leaves the log as it
        was.
        """
        try:
            texts = _texts(self._redis.xrange(keys.log_key(game_id)))
        except ResponseError as error:
            return bool(self._packed(game_id, error, PACKED_HEAD))
        if not texts:
            return False
        bucket = keys.bucket_of(game_id)
        touched = [
            keys.log_key(game_id),
            keys.answers_key(game_id),
            keys.notes_key(game_id),
            keys.deadlines_key(bucket),
        ]
        return bool(self._pack(keys=touched, args=[game_id, len(texts), pack(texts)]))

    def notes(self, game_id: str) -> dict[str, str]:
        """What is noted beside the game's log, by field. There may be notes before a game is."""
        return self.execute(self.notes_query(game_id))

    def notes_query(self, game_id: str) -> Query[dict[str, str]]:
        """The query that `notes` asks."""

        def parse(reply: Any) -> dict[str, str]:
            if isinstance(reply, Exception):
                raise reply
            return cast(dict[str, str], reply)

        return Query(("HGETALL", keys.notes_key(game_id)), parse)

    def note(
        self,
        game_id: str,
        changes: Sequence[NoteChange],
        *,
        version: int | None = None,
        notices: Sequence[Notice] = (),
        life: int | None = None,
        key: IdempotencyKey | None = None,
    ) -> bool | Repeated | KeyReused:
        """Change notes; false, and nothing is done, where they do not say what was thought.

        Nor where the log is not at `version`; None: at whichever it is. The notices fall due in the
        same write. `life` is how many seconds the game's notes live if they are not changed again,
        None: for ever. May be repeated. A `key` seen before answers for that first request and
        changes nothing.
        """
        _check(game_id, notices, None)
        bucket = keys.bucket_of(game_id)
        touched = [
            *(keys.notes_key(game_id), keys.log_key(game_id), keys.answers_key(game_id)),
            keys.notices_key(bucket),
        ]
        parts = [part for several in (changes, notices) for one in several for part in one]
        limits = ["" if limit is None else limit for limit in (life, version)]
        client_key, fingerprint, _ = key or IdempotencyKey("", "")
        args: list[str | float] = [*limits, client_key, fingerprint, len(changes), *parts]
        tag, first = self._note(keys=touched, args=args)
        if tag in ("repeated", "reused"):
            return Repeated(first) if tag == "repeated" else KeyReused()
        return bool(tag == "noted")

    def mend(
        self, game_id: str, version: int, *, notices: Sequence[Notice], deadline: float | None
    ) -> bool:
        """Put back the deadline and the notices, where lost, of a game that is at this version.

        False where it is at another, and nothing was done. May be repeated.
        """
        _check(game_id, notices, deadline)
        bucket = keys.bucket_of(game_id)
        touched = [keys.log_key(game_id), keys.notices_key(bucket), keys.deadlines_key(bucket)]
        args = [game_id, version, *_due(deadline, notices)]
        return bool(self._mend(keys=touched, args=args))

    def _packed(self, game_id: str, refusal: ResponseError, length: int = 0) -> bytes:
        """The packed log, where the stream was refused for being one; its first `length` bytes."""
        if not str(refusal).startswith("WRONGTYPE"):
            raise refusal
        # This client gives text: a packed log is none.
        get: Callable[..., bytes] = self._redis.execute_command
        return get("GETRANGE", keys.log_key(game_id), 0, length - 1, **{NEVER_DECODE: True})

    def _unpack(self, game_id: str, refusal: ResponseError) -> list[str]:
        """The events of a log that is packed: the stream was refused for that."""
        if (known := self._unpacked.get(game_id)) is not None:
            return known
        texts = _unpacked(game_id, self._packed(game_id, refusal))
        cost.spend(len(texts))
        self._unpacked.put(game_id, texts)
        return texts

    def game_ids(self) -> Iterator[str]:
        """The id of every stored game, each once, in no order.

        Games made meanwhile may or may not be among them.
        """
        seen: set[str] = set()  # a scan may give a key twice
        for log_key in self._redis.scan_iter(match=keys.LOG_PATTERN, count=1000):
            game_id = keys.game_of(log_key)
            if game_id not in seen:
                seen.add(game_id)
                yield game_id

    def due_now(
        self, limit: int, lease: float, which: Which = "all", at: float | None = None
    ) -> list[str]:
        """Claim up to `limit` due notices: others see them again `lease` seconds after `at`."""
        return self._notices.due_now(limit, lease, which, at)

    def renew_notice(self, notice: str, lease_end: float, until: float) -> bool:
        """Hold a claimed notice for longer; false where it is not held any more."""
        return self._notices.renew(notice, lease_end, until)

    def waiting_since(self) -> dict[str, float]:
        """Since when each claimed notice is due, in seconds since the epoch."""
        return self._notices.waiting_since()

    def add_notice(self, notice: Notice) -> None:
        """Let a notice fall due that no event gives rise to; one that is there stays as it is."""
        self._notices.add(notice.id, notice.due)

    def finish_notice(self, notice: str) -> None:
        """Forget a notice: it was sent, or is no longer true."""
        self._notices.finish(notice)

    def postpone_notice(self, notice: str, until: float) -> None:
        """Let a notice fall due at `until`, unless it is finished."""
        self._notices.postpone(notice, until)

    def pending(self) -> Iterator[Notice]:
        """Every notice that is not finished; `due` of a claimed one is the end of its lease."""
        return (Notice(*due) for due in self._notices.pending())

    def overdue_now(self, limit: int, lease: float, at: float | None = None) -> list[str]:
        """Claim games whose deadline is over, `limit` at most, as `due_now` does notices.

        The next append to the game sets or clears its deadline, which ends the claim.
        """
        return self._deadlines.due_now(limit, lease, at=at)

    def renew_overdue(self, game_id: str, lease_end: float, until: float) -> bool:
        """Hold a game claimed for its deadline for longer; false where it is not held any more."""
        return self._deadlines.renew(game_id, lease_end, until)


def _keys_of_write(game_id: str) -> list[str]:
    bucket = keys.bucket_of(game_id)
    return [
        keys.log_key(game_id),
        keys.answers_key(game_id),
        keys.notes_key(game_id),
        keys.notices_key(bucket),
        keys.deadlines_key(bucket),
    ]


def _length(texts: Sequence[str]) -> int:
    return sum(map(len, texts))


def _unpacked(game_id: str, packed: bytes) -> list[str]:
    try:
        return unpack(packed)
    except UnreadableLog as error:
        raise UnreadableLog(f"The log of game {game_id} cannot be read: {error}.") from error


def _texts(entries: Any) -> list[str]:
    return [fields["event"] for _, fields in cast(list[tuple[str, dict[str, str]]], entries)]


def _bucket_of_notice(notice: str) -> int:
    return keys.bucket_of(parse_notice_id(notice).game)


def _due(deadline: float | None, notices: Sequence[Notice]) -> list[str | float]:
    """What falls due, as the scripts take it: the deadline, then id and time of each notice."""
    return ["" if deadline is None else deadline, *(part for notice in notices for part in notice)]


def _check(game_id: str, notices: Sequence[Notice], deadline: float | None) -> None:
    """Refuse here what would stop the script between two writes, or be lost after it."""
    if strangers := [n.id for n in notices if parse_notice_id(n.id).game != game_id]:
        raise ValueError(f"notices of another game than {game_id}: {strangers}")
    times = [notice.due for notice in notices] + ([] if deadline is None else [deadline])
    if not all(map(math.isfinite, times)):
        raise ValueError("a notice or deadline falls due at no time at all")


def _answer(tag: str, version: int) -> Answer:
    match tag:
        case "appended":
            return Appended(version)
        case "repeated":
            return Repeated(version)
        case "reused":
            return KeyReused()
        case "noted":
            return Noted()
        case _:
            return Conflict(version)
