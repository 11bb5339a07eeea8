"""Whether a request repeats an earlier one under its key, and was not carried out again.

The code that recognises keys reports it here, in the thread of the request; the transport reads it
at the end (see `service.api.request_ids`).
"""

from contextvars import ContextVar
from typing import Final

_replayed: Final[ContextVar[bool]] = ContextVar("replayed", default=False)


def begin() -> None:
    """Reset the report: a new request begins in this thread."""
    _replayed.set(False)


def report() -> None:
    """Report that this request gets the answer to an earlier one."""
    _replayed.set(True)


def is_replayed() -> bool:
    """Whether `report` was called since `begin`."""
    return _replayed.get()
