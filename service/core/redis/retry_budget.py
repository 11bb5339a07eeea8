"""How long a web request tries to reach Redis: a time budget, and a circuit breaker behind it.

A request has a limited time, within which Redis may restart. Redis that answers too late hangs: the
request gives up, and for a while no other request of the process asks either, except for one at a
time that finds out whether Redis is back. A thread outside a request, like a worker's, tries for as
long as the client library does.
"""

import threading
from time import monotonic
from typing import Final

REQUEST_SECONDS: Final = 1.5
"""Seconds of a request after which it makes no further attempt."""
PAUSE: Final = 1.0
"""Seconds without any attempt after Redis did not answer in time."""
PROBE_SECONDS: Final = 3.0
"""Seconds for which only one request tries, unless Redis answers before."""
LONGEST_QUEUED: Final = 0.5
"""A request that waited longer for a thread does not probe: its answer would come too late."""


class _CurrentRequest(threading.local):
    until: float | None = None
    """When the budget ends; None outside a request."""
    admitted = False
    may_probe = True


class _CircuitBreaker:
    """Keeps the requests of this process from a Redis that does not answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open_until = 0.0

    def open(self) -> None:
        """Redis has not answered in time."""
        self._open_until = monotonic() + PAUSE

    def close(self) -> None:
        """Redis has answered."""
        if self._open_until:
            self._open_until = 0.0

    def admits(self, may_probe: bool) -> bool:
        """Whether a request may ask Redis: while the breaker is open, one probe at a time."""
        if not (self._open_until and may_probe):
            return not self._open_until
        with self._lock:
            now = monotonic()
            if now < self._open_until:
                return False
            self._open_until = now + PROBE_SECONDS
            return True


_request = _CurrentRequest()
_breaker = _CircuitBreaker()


def start_request(arrived: float | None = None) -> None:
    """This thread serves a request from now on; it `arrived` at this time of `monotonic`."""
    now = monotonic()
    _request.until = now + REQUEST_SECONDS
    _request.admitted = False
    _request.may_probe = arrived is None or now - arrived < LONGEST_QUEUED


def end_request() -> None:
    """This thread serves no request any more."""
    _request.until = None


def may_try() -> bool:
    """Whether this thread may ask Redis, or ask it again."""
    if _request.until is None:
        return True
    if monotonic() >= _request.until:
        return False
    if not _request.admitted:
        _request.admitted = _breaker.admits(_request.may_probe)
    return _request.admitted


def timed_out() -> None:
    """Redis has not answered this thread in time."""
    if _request.until is not None:
        _request.until = 0.0
        _breaker.open()


def answered() -> None:
    """Redis has answered this thread."""
    _breaker.close()
