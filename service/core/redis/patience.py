"""How long a thread tries to reach the store while somebody waits for its answer.

A web request has a limited time, within which the store may restart. Where the store was silent for
too long it hangs: that request does not ask again, and for a moment no other of the process does,
but for one in a while that finds out whether it is back. A thread for which nobody waits, like a
worker's, tries as long as the client library does.
"""

import threading
from time import monotonic
from typing import Final

SECONDS: Final = 1.5
"""Of a request, after which no further attempt is made."""
PAUSE: Final = 1.0
"""For so long nobody asks after the store was silent."""
LOOK: Final = 3.0
"""For so long only one request looks whether the store is back, unless that is known before."""


QUEUED: Final = 0.5
"""Who has waited so long for a thread does not look, too: his answer would come too late."""


class _Waiting(threading.local):
    until: float | None = None
    looking = False
    may_look = True


class _Silence:
    """What this process knows of a store that does not answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = 0.0

    def began(self) -> None:
        """It has not answered in time."""
        self._until = monotonic() + PAUSE

    def ended(self) -> None:
        """It has answered."""
        if self._until:
            self._until = 0.0

    def lets_look(self, may_look: bool) -> bool:
        """Whether to ask it: while it is silent, one at a time of those who may."""
        if not (self._until and may_look):
            return not self._until
        with self._lock:
            now = monotonic()
            if now < self._until:
                return False
            self._until = now + LOOK
            return True


_waiting = _Waiting()
_silence = _Silence()


def begin(arrived: float | None = None) -> None:
    """Somebody waits for this thread from now on, and for an answer since `arrived`, as `monotonic`
    has it.
    """
    now = monotonic()
    _waiting.until = now + SECONDS
    _waiting.looking = False
    _waiting.may_look = arrived is None or now - arrived < QUEUED


def end() -> None:
    """Nobody waits for this thread any more."""
    _waiting.until = None


def left() -> bool:
    """Whether this thread may ask the store, or ask it again."""
    if _waiting.until is None:
        return True
    if monotonic() >= _waiting.until:
        return False
    if not _waiting.looking:
        _waiting.looking = _silence.lets_look(_waiting.may_look)
    return _waiting.looking


def lost() -> None:
    """The store has not answered this thread in time."""
    if _waiting.until is not None:
        _waiting.until = 0.0
        _silence.began()


def rewarded() -> None:
    """The store has answered this thread."""
    _silence.ended()
