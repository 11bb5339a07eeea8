"""The state of the server, for the operator's page."""

from typing import Final, NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from service.accounts.email_addresses import AddressFailure
from service.container import Container
from service.core.outage import STORE_FAILURE
from service.core.redis.client import servers
from service.eventlog.backlog import LATE, LateNotices, by_kind
from service.eventlog.dead_letters import DeadLetter
from service.games.conversation.moderation import MessageReport
from service.ops.queue import QUEUES, queue_named

_QUEUE_PATIENCE: Final = 2.0


class StoreSize(NamedTuple):
    """The size of one Redis server: the bytes of memory that it uses and may use (0: no limit), the
    bytes of its append-only file, and its number of keys."""

    memory: int
    limit: int
    file: int
    keys: int


class ServerStatus(NamedTuple):
    """The state of the server. `workers` has the seconds since each worker's last heartbeat;
    `queues` the numbers of waiting jobs, None if unknown; `failing` the failures by digest of the
    address."""

    late: list[LateNotices]
    dead: list[DeadLetter]
    retrying: int
    failing: dict[str, AddressFailure]
    workers: dict[str, float]
    queues: dict[str, int] | None
    reports: list[MessageReport]
    muted: dict[str, str]
    sizes: list[StoreSize]


def server_status(store: Container) -> ServerStatus:
    """The present state of the server."""
    moderation = store.games.conversations.moderation
    return ServerStatus(
        late=by_kind(store.log.outbox.late(store.now() - LATE)),
        dead=store.dead_letters.all(),
        retrying=len(store.dead_letters.retrying()),
        failing=store.addresses.failing.by_digest(),
        workers=dict(sorted(store.heartbeat.ages().items())),
        queues=queue_lengths(store.settings.queue_redis_url or store.settings.redis_url),
        reports=moderation.reports(),
        muted=moderation.muted(),
        sizes=[size for server in servers(store.redis) if (size := store_size(server))],
    )


def queue_lengths(url: str | None) -> dict[str, int] | None:
    """The number of waiting jobs by queue; None if their Redis does not answer."""
    if url is None:
        return None
    try:
        redis = Redis.from_url(
            url, socket_connect_timeout=_QUEUE_PATIENCE, socket_timeout=_QUEUE_PATIENCE
        )
        return {name: int(queue_named(name, redis).count) for name in QUEUES}
    except (*STORE_FAILURE, OSError, ValueError):
        return None


def store_size(server: Redis) -> StoreSize | None:
    """The size of this server; None if it does not report it, like some hosted ones."""
    try:
        memory, written, keys = server.info("memory"), server.info("persistence"), server.dbsize()
    except ResponseError:
        return None
    file = int(written.get("aof_current_size", 0))
    limit = int(memory.get("maxmemory", 0))
    return StoreSize(int(memory["used_memory"]), limit, file, int(keys))
