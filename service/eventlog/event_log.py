"""The event log over one Redis; and the side state of a game, stored next to its log: texts that
are compared and changed by field.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from service.core.redis.batch import Query, execute
from service.core.redis.client import Client
from service.eventlog import keys
from service.eventlog.due_set import DeadlineSet
from service.eventlog.event_store import EventStore
from service.eventlog.keys import load
from service.eventlog.outbox import Notice, Outbox, check_due
from service.eventlog.results import (
    Changed,
    ChangeResult,
    FieldChange,
    IdempotencyKey,
    KeyReused,
    VersionConflict,
    repeated,
    side_state_conflict,
)


@dataclass(eq=False, repr=False)
class SideStateStore:
    """The side state of every game. It can exist before the game does."""

    _change = load("change_side_state")

    _redis: Client

    def read(self, game_id: str) -> dict[str, str]:
        """The side state of a game: its texts by field; empty without any."""
        return execute(self._redis, self.query(game_id))

    def query(self, game_id: str) -> Query[dict[str, str]]:
        """The query that `read` executes."""

        command = ("HGETALL", keys.side_state_key(game_id))
        return Query(command, lambda reply: cast(dict[str, str], reply))

    def change(
        self,
        game_id: str,
        changes: Sequence[FieldChange],
        *,
        version: int | None = None,
        notices: Sequence[Notice] = (),
        life: int | None = None,
        key: IdempotencyKey | None = None,
    ) -> ChangeResult:
        """Change fields if they hold the expected texts and the log is at `version`.

        None means any version. The same write adds the notices. The whole side state expires `life`
        seconds after the last change, None: never. May be repeated. A `key` seen before returns the
        result of that first request and changes nothing; the last twenty keys of each scope are
        stored.
        """
        check_due(game_id, notices, None)
        limits = ["" if limit is None else limit for limit in (life, version)]
        of_key = key or IdempotencyKey("", "")
        parts = [part for several in (changes, notices) for one in several for part in one]
        args: list[str | float] = [*limits, *of_key, len(changes), *parts]
        tag, current, *texts = self._change(keys=_keys(game_id), args=args)
        match tag:
            case "changed":
                return Changed()
            case "repeated":
                return repeated(current)
            case "reused":
                return KeyReused()
            case "side-state-conflict":
                return side_state_conflict(changes, texts)
            case _:
                return VersionConflict(version, current)


def _keys(game_id: str) -> list[str]:
    return [
        keys.side_state_key(game_id),
        keys.log_key(game_id),
        keys.answers_key(game_id),
        keys.outbox_key(keys.bucket_of(game_id)),
    ]


@dataclass(frozen=True, slots=True)
class EventLog:
    """Events and side state of the games, with their notices and deadlines.

    One append of `events` writes to all four.
    """

    events: EventStore
    side_state: SideStateStore
    outbox: Outbox
    deadlines: DeadlineSet
