"""Events as they are stored: the type's name and version, `data` for everyone, `private` for some.

A log is never rewritten, and its hashes always cover what is stored. Only the newest version of a
type has a class. When a type changes, its new version gets a new number, and an upcaster turns the
stored form of the older version into that of the next one.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, get_args

from engine.cards import Seat
from engine.errors import UnknownEvent
from engine.events import Event


class EncodedEvent(NamedTuple):
    """An event in its stored form, before it is sealed. `v` is the version of its type."""

    type: str
    by: Seat | None
    data: Mapping[str, Any]
    private: Mapping[str, object] | None = None
    v: int = 1


EVENT_TYPES: Final[Mapping[tuple[str, int], type[Event]]] = {
    (class_.TYPE, class_.VERSION): class_ for class_ in get_args(Event)
}
"""The class of each type and version of event that this program knows."""


def encode(event: Event) -> EncodedEvent:
    """The stored form of an event."""
    return EncodedEvent(event.TYPE, event.by, event.to_data(), event.to_private(), event.VERSION)


def decode(encoded: EncodedEvent) -> Event:
    """The event of an up-to-date stored form.

    Raises `UnknownEvent` for an unknown type or version; LookupError, TypeError, ValueError or
    AttributeError for malformed `data`.
    """
    class_ = EVENT_TYPES.get((encoded.type, encoded.v))
    if class_ is None:
        raise UnknownEvent(f"An event {encoded.type} v{encoded.v} is not known here.")
    return class_.from_data(encoded.by, encoded.data, encoded.private)


Upcaster = Callable[[EncodedEvent], EncodedEvent]

UPCASTERS: Final[dict[tuple[str, int], Upcaster]] = {}
"""The upcasters by type and version. Empty: all types are still in their first version."""


def upcast(encoded: EncodedEvent) -> EncodedEvent:
    """The event in the newest version of its type; unknown types and versions stay as they are."""
    while upcaster := UPCASTERS.get((encoded.type, encoded.v)):
        encoded = upcaster(encoded)._replace(v=encoded.v + 1)
    return encoded
