"""What a request costs beside its own coming and going: the events of logs that it works through.

Whoever reads, folds, unpacks or writes out events says so here, in whichever thread; a transport
begins anew with each request and charges its caller (see `service.api.rate_limits`).
"""

from contextvars import ContextVar
from typing import Final

FREE: Final = 500
"""Events that a request may work through for nothing: more than a game of one round needs."""
UNIT: Final = 50
"""Events whose work takes about as long as a plain request."""

_events: ContextVar[int] = ContextVar("events", default=0)


def begin() -> None:
    """Count from nothing: a new request begins in this thread."""
    _events.set(0)


def spend(events: int) -> None:
    """So many more events were worked through."""
    _events.set(_events.get() + events)


def units() -> int:
    """How many plain requests the work since `begin` is worth, beyond the one that it is."""
    return max(0, _events.get() - FREE) // UNIT
