"""The log: every game as a stream of events in Redis, and what falls due because of them."""

from service.log.log import (
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
from service.log.notices import Notice, NoticeParts, notice_id, parse_notice_id
from service.log.packing import UnreadableLog

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
