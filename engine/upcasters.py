"""Events of older versions, brought up to date as they are read.

A log is never rewritten, and its hashes always cover what is stored. When a type of event changes,
its new version gets a new number, and an upcaster here turns the stored form of the older version
into that of the next one.
"""

from collections.abc import Callable
from typing import Final

from engine.event_codec import EncodedEvent

Upcaster = Callable[[EncodedEvent], EncodedEvent]

UPCASTERS: Final[dict[tuple[str, int], Upcaster]] = {}
"""The upcasters by type and version. Empty: all types are still in their first version."""


def upcast(encoded: EncodedEvent) -> EncodedEvent:
    """The event in the newest version of its type; unknown types and versions stay as they are."""
    while upcaster := UPCASTERS.get((encoded.type, encoded.v)):
        encoded = upcaster(encoded)._replace(v=encoded.v + 1)
    return encoded
