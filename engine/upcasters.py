"""Events of older versions, brought up to date as they are read.

A log is never rewritten, and its hashes are always over what is stored. So when a type of event
changes, its new version gets a new number, and an upcaster here tells what the older one meant.
"""

from collections.abc import Callable
from typing import Final

from engine.events import Event

Upcaster = Callable[[Event], Event]
"""The same fact as the next version of its type tells it."""

UPCASTERS: Final[dict[tuple[str, int], Upcaster]] = {}
"""By type and version. All types are in their first version still."""


def upcast(event: Event) -> Event:
    """The fact in the newest version of its type."""
    while upcaster := UPCASTERS.get((event.type, event.v)):
        event = upcaster(event)._replace(v=event.v + 1)
    return event
