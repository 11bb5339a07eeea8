"""Builds the event log over one Redis: events, side state, outbox and deadlines."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from service.core.redis.client import Client
from service.eventlog.due_set import DeadlineSet
from service.eventlog.event_store import EventStore
from service.eventlog.outbox import Outbox
from service.eventlog.side_state import SideStateStore


@dataclass(frozen=True, slots=True)
class EventLog:
    """Events and side state of the games, with their notices and deadlines.

    One append of `events` writes to all four.
    """

    events: EventStore
    side_state: SideStateStore
    outbox: Outbox
    deadlines: DeadlineSet


def event_log(redis: Client, now: Callable[[], float] = time.time, replicas: int = 0) -> EventLog:
    """The event log over this Redis; an append waits for this many replicas. `now`: unix
    seconds."""
    return EventLog(
        EventStore(redis, replicas),
        SideStateStore(redis),
        Outbox(redis, now),
        DeadlineSet(redis, now),
    )
