"""The log: every game as a stream of events in Redis, and what falls due because of them."""

from service.log.log import (
    Answer,
    Appended,
    Conflict,
    GameLog,
    IdempotencyKey,
    KeyReused,
    Repeated,
)
from service.log.notices import Notice, NoticeParts, notice_id, parse_notice_id

__all__ = [
    "Answer",
    "Appended",
    "Conflict",
    "GameLog",
    "IdempotencyKey",
    "KeyReused",
    "Notice",
    "NoticeParts",
    "Repeated",
    "notice_id",
    "parse_notice_id",
]
