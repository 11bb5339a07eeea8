"""The state of the server, for the operator's page and `/metrics`."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from service.accounts.failing_addresses import AddressFailure
from service.container import Container
from service.core.outage import STORE_FAILURE
from service.core.redis.batch import Query, execute_many
from service.core.redis.client import servers
from service.eventlog.backlog import LATE, Delays, LateNotices, by_kind
from service.eventlog.dead_letters import DeadLetter
from service.games.conversation.moderation import MessageReport
from service.ops.queue import QUEUES, queue_named

_QUEUE_PATIENCE: Final = 2.0


class StoreSize(NamedTuple):
    """The size of one server of the store: its memory and append-only file in bytes, its keys."""

    memory: int
    file: int
    keys: int


class ServerStatus(NamedTuple):
    """The whole state. `workers` are seconds since each worker's last sign of life; `queues` are
    the numbers of waiting jobs, None if unknown; `failing` is by digest of the address."""

    late: list[LateNotices]
    dead: list[DeadLetter]
    retrying: int
    failing: dict[str, AddressFailure]
    workers: dict[str, float]
    queues: dict[str, int] | None
    reports: list[MessageReport]
    muted: dict[str, str]
    sizes: list[StoreSize]


class WorkCounts(NamedTuple):
    """Cheap counts: notices due, late, given up and failing, addresses that fail; and the delays of
    notices."""

    due: int
    late: int
    dead: int
    retrying: int
    failing: int
    delays: list[Delays]


def server_status(store: Container) -> ServerStatus:
    """The present state of the server."""
    moderation = store.games.conversations.moderation
    return ServerStatus(
        late=by_kind(store.log.outbox.late(store.now() - LATE)),
        dead=store.dead_letters.all(),
        retrying=len(store.dead_letters.retrying()),
        failing=store.addresses.failing.by_digest(),
        workers=dict(sorted(store.heartbeat.ages().items())),
        queues=_queues(store.settings.queue_redis_url or store.settings.redis_url),
        reports=moderation.reports(),
        muted=moderation.muted(),
        sizes=[size for server in servers(store.redis) if (size := _size(server))],
    )


def counts(store: Container) -> WorkCounts:
    """The state in numbers, without reading the waiting notices; two round trips."""
    outbox, now = store.log.outbox, store.now()
    groups: list[Sequence[Query[Any]]] = [
        outbox.due_queries(now),
        outbox.due_queries(now - LATE),
        outbox.claimed_queries(),
        [*store.dead_letters.count_queries(), store.addresses.failing.count_query()],
    ]
    replies = iter(execute_many(store.redis, [query for group in groups for query in group]))
    due, late, claimed, kept = [[query.parse(next(replies)) for query in group] for group in groups]
    in_work = [since for bucket in claimed for since in bucket]
    dead, retrying, failing = kept
    return WorkCounts(
        due=sum(due) + len(in_work),
        late=sum(late) + sum(since < now - LATE for since in in_work),
        dead=dead,
        retrying=retrying,
        failing=failing,
        delays=store.delays.all(),
    )


def _queues(url: str | None) -> dict[str, int] | None:
    if url is None:
        return None
    try:
        redis = Redis.from_url(
            url, socket_connect_timeout=_QUEUE_PATIENCE, socket_timeout=_QUEUE_PATIENCE
        )
        return {name: int(queue_named(name, redis).count) for name in QUEUES}
    except (*STORE_FAILURE, OSError, ValueError):
        return None


def _size(server: Redis) -> StoreSize | None:
    """None if the server does not report it, as some hosted ones."""
    try:
        memory, written, keys = server.info("memory"), server.info("persistence"), server.dbsize()
    except ResponseError:
        return None
    file = int(written.get("aof_current_size", 0))
    return StoreSize(int(memory["used_memory"]), file, int(keys))
