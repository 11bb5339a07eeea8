"""An event log over any Redis, without a site."""

import time
from collections.abc import Callable

from service.core.redis.client import Client
from service.eventlog import EventLog, EventStore, Outbox, SideStateStore
from service.eventlog.due_set import DeadlineSet


def event_log(redis: Client, now: Callable[[], float] = time.time, replicas: int = 0) -> EventLog:
    """The event log over this Redis; an append waits for this many replicas. `now`: unix
    seconds."""
    return EventLog(
        EventStore(redis, replicas),
        SideStateStore(redis),
        Outbox(redis, now),
        DeadlineSet(redis, now),
    )
