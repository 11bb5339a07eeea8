"""The results of a write to a game's log or side state, and the mark in place of a game that the
operator removed.

A result can be that of an earlier request under the same key: nothing was carried out again. What
recognises keys reports that here, in the thread of the request, and the transport reads it at the
end.

st:{BUCKET}:g:GAME:removed    hash: at (RFC 3339); words, from the operator to the players; and
                              `of`, the ids of players and lists that may still hold the game
"""

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from marshmallow import fields

from service.core.ids import PLAYER_ID
from service.core.redis.batch import Query
from service.core.redis.snapshot_keys import kept_key, text, timestamp_text
from service.eventlog import keys

LONGEST_WORDS: Final = 300
"""The most characters of the words for the players."""
_replayed: Final[ContextVar[bool]] = ContextVar("replayed", default=False)
_IDS: Final = rf"(?:{PLAYER_ID}|lobby|archive)"


class _Mark(fields.Field[object]):
    """The form of a mark in a backup."""

    def _deserialize(self, value: Any, *args: Any, **options: Any) -> Any:
        words = text(rf"(?s:[^\ud800-\udfff]{{0,{LONGEST_WORDS}}})")
        parts = {"at": timestamp_text(), "words": words, "of": text(f"({_IDS}( {_IDS})*)?")}
        fields.Dict(text("at|words|of")).deserialize(value)
        for name, part in parts.items():
            if name in value or name != "of":
                part.deserialize(value.get(name))
        return value


LASTING_KEYS: Final = (kept_key(keys.REMOVED_PATTERN, "hash", _Mark(), *keys.PARTS),)
"""Keys that a backup holds."""


class Removal(NamedTuple):
    """The removal of a game: its moment (RFC 3339), and the operator's words for the players. `of`
    are the players, and other lists, that may still hold data of the game."""

    at: str
    words: str
    of: tuple[str, ...] = ()


def removal_query(game_id: str) -> Query[Removal | None]:
    """The query for the mark of this game, None without one."""

    def parse(held: dict[str, str]) -> Removal | None:
        return read_removal(held) if held else None

    return Query(("HGETALL", keys.removed_key(game_id)), parse)


def read_removal(held: Mapping[str, str]) -> Removal:
    """The mark from the fields of its key."""
    return Removal(held["at"], held["words"], tuple(held.get("of", "").split()))


class IdempotencyKey(NamedTuple):
    """A client's name for its request, scoped by caller, and a fingerprint of the request.

    `scope` is the caller alone, for counting.
    """

    key: str
    fingerprint: str
    scope: str = ""


class FieldChange(NamedTuple):
    """A change of a side state field from one text to another; an absent field is empty.

    With equal texts nothing changes, but the write is refused if the field holds another text.
    """

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Appended:
    """The events are in the log, which now has this version."""

    version: int


@dataclass(frozen=True, slots=True)
class Changed:
    """The fields of the side state hold the new texts."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """The idempotency key is that of an earlier request, after which the log had this version."""

    version: int


def repeated(version: int) -> Repeated:
    """The result of a repeat, which is reported to the transport."""
    report_repeat()
    return Repeated(version)


@dataclass(frozen=True, slots=True)
class KeyReused:
    """The idempotency key is that of an earlier request with other content."""


@dataclass(frozen=True, slots=True)
class VersionConflict:
    """The log is at another version than expected.

    If both versions are equal, the last event is not the expected one: a failover lost events.
    """

    expected: int | None
    version: int


@dataclass(frozen=True, slots=True)
class Removed:
    """The operator has removed the game: nothing begins again under its id."""


@dataclass(frozen=True, slots=True)
class SideStateConflict:
    """The side state does not hold the expected texts; this is all that it holds."""

    expected: Mapping[str, str]
    actual: Mapping[str, str]


AppendResult = Appended | Repeated | KeyReused | VersionConflict | SideStateConflict | Removed
ChangeResult = Changed | Repeated | KeyReused | VersionConflict | SideStateConflict


def side_state_conflict(changes: Sequence[FieldChange], texts: Sequence[str]) -> SideStateConflict:
    """The conflict between these changes and the texts that a script read."""
    expected = {change.field: change.before for change in changes}
    return SideStateConflict(expected, dict(zip(texts[::2], texts[1::2], strict=True)))


def begin_request() -> None:
    """Reset the report: a new request begins in this thread."""
    _replayed.set(False)


def report_repeat() -> None:
    """Report that this request gets the result of an earlier one."""
    _replayed.set(True)


def is_repeat() -> bool:
    """Whether `report_repeat` was called since `begin_request`."""
    return _replayed.get()
