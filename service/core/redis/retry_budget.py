"""Limits to how long a web request tries to reach Redis: a time budget and a circuit breaker.

Redis may restart within a limited time from its first failure; what else a request takes, on a busy
machine or waiting for another server, does not count. If Redis answers too late, it hangs:
the request gives up, and for a while no other request of the process asks either, except one at a
time that probes whether Redis is back. A thread outside a request, like a worker's, tries for as
long as the client library does.
"""

import threading
from math import inf
from time import monotonic
from typing import Final

REQUEST_SECONDS: Final = 1.5
"""Seconds from its first failed attempt after which a request makes no further one."""
PAUSE: Final = 1.0
"""Seconds without any attempt after Redis failed to answer in time."""
PROBE_SECONDS: Final = 3.0
"""Seconds for which only one request tries, unless Redis answers before."""
LONGEST_QUEUED: Final = 0.5
"""Seconds in the queue after which a request does not probe: its answer would come too late."""


class _CurrentRequest(threading.local):
    until: float | None = None
    """The end of the budget, infinite while Redis answers; None outside a request."""
    admitted = False
    may_probe = True


class _CircuitBreaker:
    """Stops this process's requests to a Redis that does not answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open_until = 0.0

    def open(self) -> None:
        """Open the breaker: Redis has not answered in time."""
        self._open_until = monotonic() + PAUSE

    def close(self) -> None:
        """Close the breaker: Redis has answered."""
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
    """Begin this thread's request, which `arrived` at this time of `monotonic`."""
    _request.until = inf
    _request.admitted = False
    _request.may_probe = arrived is None or monotonic() - arrived < LONGEST_QUEUED


def end_request() -> None:
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


def failed() -> None:
    """Record that Redis has failed this thread, otherwise than by silence: the budget begins."""
    if _request.until == inf:
        _request.until = monotonic() + REQUEST_SECONDS


def timed_out() -> None:
    """Record that Redis has not answered this thread in time."""
    if _request.until is not None:
        _request.until = 0.0
        _breaker.open()


def answered() -> None:
    """Record that Redis has answered this thread."""
    if _request.until:
        _request.until = inf
    _breaker.close()
