"""The log: every game as a stream of events in Redis, with its notices and deadlines."""

from service.eventlog.compaction import UnreadableLog, legible
from service.eventlog.event_log import EventLog, SideStateStore
from service.eventlog.event_store import EventStore
from service.eventlog.outbox import Notice, NoticeParts, Outbox, notice_id, parse_notice_id
from service.eventlog.results import (
    Appended,
    AppendResult,
    Changed,
    FieldChange,
    IdempotencyKey,
    KeyReused,
    Removal,
    Removed,
    Repeated,
    SideStateConflict,
    VersionConflict,
)

__all__ = [
    "AppendResult",
    "Appended",
    "Changed",
    "EventLog",
    "EventStore",
    "FieldChange",
    "IdempotencyKey",
    "KeyReused",
    "Notice",
    "NoticeParts",
    "Outbox",
    "Removal",
    "Removed",
    "Repeated",
    "SideStateConflict",
    "SideStateStore",
    "UnreadableLog",
    "VersionConflict",
    "legible",
    "notice_id",
    "parse_notice_id",
]
