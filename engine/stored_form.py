"""The stored form of events: the base of the classes of `engine.events`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from engine.cards import Seat

Json = Mapping[str, Any]


class StoredForm:
    """The stored form of an event. By default `data` has all fields of the class, and none is
    private.

    `from_data` accepts the results of `to_data` and `to_private`, read back from JSON. A missing or
    additional member raises TypeError or KeyError.
    """

    __slots__: tuple[str, ...] = ()

    TYPE: ClassVar[str]
    VERSION: ClassVar[int] = 1

    def to_data(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__ if name != "by"}

    def to_private(self) -> dict[str, object] | None:
        return None


@dataclass(frozen=True, slots=True)
class PlayersEvent(StoredForm):
    """An event that a player causes."""

    by: Seat

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        return cls(player_of(cls.TYPE, by), **data)


@dataclass(frozen=True, slots=True)
class AnybodysEvent(StoredForm):
    """An event that a player causes, or the rules or the server (None)."""

    by: Seat | None

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        return cls(by, **data)


@dataclass(frozen=True, slots=True)
class ServersEvent(StoredForm):
    """An event that the rules or the server cause."""

    by: ClassVar[None] = None

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        return cls(**data)


def player_of(type_: str, by: Seat | None) -> Seat:
    if by is None:
        raise ValueError(f"{type_} is what a player does, and names none")
    return by
