"""The cost of a request in events of logs that it reads, folds, unpacks or writes out.

The code that processes events reports them here, in any thread; a transport resets the count at
each request and charges its caller (see `service.api.rate_limits`).
"""

from contextvars import ContextVar
from typing import Final

FREE: Final = 500
"""Events that a request may process free of charge: more than a game of one round needs."""
UNIT: Final = 50
"""Events that take about as long as a plain request."""

_events: ContextVar[int] = ContextVar("events", default=0)


def begin() -> None:
    """Reset the count: a new request begins in this thread."""
    _events.set(0)


def spend(events: int) -> None:
    """Count this many more processed events."""
    _events.set(_events.get() + events)


def units() -> int:
    """The cost since `begin` in plain requests, beyond the request itself."""
    return max(0, _events.get() - FREE) // UNIT
