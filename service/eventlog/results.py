"""The results of a write to a game's log or side state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from service.core import replayed


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
    replayed.report()
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
