"""The state of the server: its queues of jobs, the operator's page, and the gauges of `/metrics`,
which come from the store, so that every web process gives the same numbers.

Mail, incoming mail, players' channels, quick bots, slow bots and analyses each have queues of their
own: so a hanging receiver delays no bot, and a thinking bot delays neither clocks nor quick bots.
Recently slow receivers share another one, the slow lane.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from service.accounts.email_addresses import AddressFailure
from service.core.errors import STORE_FAILURE
from service.core.heartbeat import SILENCE
from service.core.redis.batch import Query, execute_many
from service.core.redis.client import servers
from service.eventlog.outbox import LATE, DeadLetter, LateNotices, by_kind
from service.mail_in.store import MailInStore

if TYPE_CHECKING:
    from rq import Queue

    from service.container import Container
    from service.games.moderation import MessageReport


PLAY: Final = "scottenbury-play"
THINK: Final = "scottenbury-think"
PONDER: Final = "scottenbury-ponder"
WEIGH: Final = "scottenbury-weigh"
MAIL: Final = "scottenbury-mail"
CHANNELS: Final = "scottenbury-channels"
SLOW_CHANNELS: Final = "scottenbury-channels-slow"
MAIL_IN: Final = "scottenbury-mail-in"
QUEUES: Final = (PLAY, MAIL, CHANNELS, SLOW_CHANNELS, MAIL_IN, THINK, PONDER, WEIGH)
FORMER: Final = "scottenbury"
"""The only queue of earlier versions, whose jobs are pickles."""


def queue_named(name: str, redis: Redis) -> Queue:
    """Return the queue of this name, whose jobs are JSON. `redis` gives bytes, as RQ wants it."""
    # Imported here, because a web process needs it only for metrics: 3 MB.
    from rq import Queue
    from rq.serializers import JSONSerializer

    return Queue(name, connection=redis, serializer=JSONSerializer)


def waiting_since(redis: Redis) -> float | None:
    """The moment when the oldest waiting job was enqueued (unix seconds); None if none waits."""
    times = [at for name in QUEUES if (at := _first(queue_named(name, redis))) is not None]
    return min(times, default=None)


def _first(queue: Queue) -> float | None:
    for job_id in queue.get_job_ids(0, 1):
        if (job := queue.fetch_job(job_id)) is not None and job.enqueued_at is not None:
            return float(job.enqueued_at.replace(tzinfo=UTC).timestamp())
    return None


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


Samples = Mapping[tuple[str, ...], float]
ONE: Final[tuple[str, ...]] = ()
"""The labels of a sample without labels."""


class Gauge(NamedTuple):
    """One measure. `samples` has a number for each combination of `labels`; a `total` only
    grows."""

    name: str
    help_text: str
    samples: Samples
    labels: tuple[str, ...] = ()
    total: bool = False


def gauges(store: Container) -> Iterator[Gauge]:
    """Yield all gauges of this moment. Raises redis-py's errors if the store is away."""
    yield from _notices(store)
    yield from _workers(store)
    yield from _stores(store)
    yield Gauge(
        "outage_seconds",
        "Outages of web or worker in the last 60 days, which running clocks get back.",
        {ONE: sum(outage.end - outage.begin for outage in store.outages.recorded_outages)},
    )
    yield Gauge(
        "outage_seconds_owed",
        "Those of them that running clocks have not got back yet.",
        {ONE: sum(outage.end - outage.begin for outage in store.outages.unapplied())},
    )
    yield from _imap(store)
    yield Gauge(
        "untranslated_by_workers",
        "Messages of mails and channels said in English, because their language lacks them.",
        {(language,): number for language, number in store.untranslated.all().items()},
        ("language",),
        total=True,
    )
    yield Gauge(
        "mails_in",
        "Mails that came in, by how they ended.",
        {(outcome,): number for outcome, number in MailInStore(store.redis).counts().items()},
        ("outcome",),
        total=True,
    )


def _notices(store: Container) -> Iterator[Gauge]:
    """Gauges of notices, counted without reading them; only the late ones are read."""
    outbox, deadlines, now = store.log.outbox, store.log.deadlines, store.now()
    groups: list[Sequence[Query[Any]]] = [
        outbox.due_queries(now),
        outbox.due_queries(now - LATE),
        outbox.claimed_queries(),
        deadlines.due_queries(now - LATE),
        [*store.dead_letters.count_queries(), store.addresses.failing.count_query()],
    ]
    replies = iter(execute_many(store.redis, [query for group in groups for query in group]))
    due, late, claimed, overdue, (dead, retrying, failing) = (
        [query.parse(next(replies)) for query in group] for group in groups
    )
    in_work = [since for bucket in claimed for since in bucket]
    late_number = sum(late) + sum(since < now - LATE for since in in_work)
    seconds = f"{LATE:.0f} seconds or more"
    for name, help_text, number in (
        ("notices_due", "Notices that have fallen due and are not done.", sum(due) + len(in_work)),
        ("notices_late", f"Those of them that are due for {seconds}.", late_number),
        ("notices_failing", "Notices that have failed and will be tried again.", retrying),
        ("dead_letters", "Notices that were given up.", dead),
        ("failing_addresses", "Addresses that mail does not reach.", failing),
        ("deadlines_overdue", f"Games past their deadline for {seconds}.", sum(overdue)),
    ):
        yield Gauge(name, help_text, {ONE: number})
    oldest = by_kind(outbox.late(now - LATE)) if late_number else []
    yield Gauge(
        "oldest_notice_seconds",
        "How long the oldest late notice has been due, by channel and kind.",
        {(one.channel, one.kind): now - one.since for one in oldest},
        ("channel", "kind"),
    )


def _workers(store: Container) -> Iterator[Gauge]:
    ages = store.heartbeat.ages().values()
    alive = sum(age <= SILENCE for age in ages)
    yield Gauge("workers", f"Workers with a heartbeat within {SILENCE:.0f} seconds.", {ONE: alive})
    lengths = queue_lengths(store.settings.queue_redis_url or store.settings.redis_url) or {}
    jobs: Samples = {(queue,): number for queue, number in lengths.items()}
    yield Gauge("queue_jobs", "Jobs that wait, by queue.", jobs, ("queue",))


def _imap(store: Container) -> Iterator[Gauge]:
    """Gauges of fetching mail by IMAP, without samples if no mailbox is set."""
    failing: Samples = {}
    fetched: Samples = {}
    if store.settings.imap_url is not None:
        from service.mail_in import polling  # here, as most servers need no IMAP

        state = polling.state(store.redis)
        failing = {ONE: 0.0 if state.since is None else store.now() - state.since}
        fetched = {("kept",): state.kept, ("refused",): state.refused}
    yield Gauge("imap_failing_seconds", "How long fetching mail by IMAP has failed.", failing)
    help_text = "Mails fetched by IMAP: kept for reading, or refused."
    yield Gauge("imap_mails", help_text, fetched, ("outcome",), total=True)


def _stores(store: Container) -> Iterator[Gauge]:
    sizes = [size for node in servers(store.redis) if (size := store_size(node))]
    for member, help_text in (
        ("memory", "Bytes of memory that Redis uses."),
        ("limit", "Bytes of memory that Redis may use; 0: all."),
        ("file", "Bytes of the append-only file."),
        ("keys", "Keys in Redis."),
    ):
        samples: Samples = {(str(node),): getattr(size, member) for node, size in enumerate(sizes)}
        yield Gauge(f"redis_{member}", help_text, samples, ("node",))
    data = store.settings.data
    free: Samples = {ONE: shutil.disk_usage(data).free} if data.exists() else {}
    yield Gauge("free_bytes", "Free space on the disk of the data folder.", free)
