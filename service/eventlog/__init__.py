"""The log: every game as a stream of events in Redis, and what falls due because of them."""

from service.eventlog.compaction import UnreadableLog
from service.eventlog.event_store import (
    Answer,
    Appended,
    Conflict,
    GameLog,
    IdempotencyKey,
    KeyReused,
    NoteChange,
    Noted,
    Repeated,
)
from service.eventlog.outbox import Notice, NoticeParts, notice_id, parse_notice_id

__all__ = [
    "Answer",
    "Appended",
    "Conflict",
    "GameLog",
    "IdempotencyKey",
    "KeyReused",
    "NoteChange",
    "Noted",
    "Notice",
    "NoticeParts",
    "Repeated",
    "UnreadableLog",
    "notice_id",
    "parse_notice_id",
]
