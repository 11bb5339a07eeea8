"""Gauges for alarms in `/metrics`: the waiting work, and the state of the parts that do it. They
come from the store, so every web process gives the same numbers."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.container import Container
from service.core.outage_ledger import SILENCE
from service.core.redis.batch import Query, execute_many
from service.core.redis.client import servers
from service.eventlog.backlog import LATE, by_kind
from service.mail_in.store import MailInStore
from service.ops.server_status import queue_lengths, store_size

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
