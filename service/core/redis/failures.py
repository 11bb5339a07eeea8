"""Store failures: their cause in an operator's words, and at most one log line a minute."""

import logging
import re
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final

from redis.exceptions import (
    ConnectionError,  # noqa: A004
    MasterDownError,
    MovedError,
    OutOfMemoryError,
    ReadOnlyError,
    TimeoutError,  # noqa: A004
)

PAUSE: Final = 60.0
"""Seconds between two log lines of a process about the same cause."""
_LONGEST: Final = 300
"""The most characters quoted from a message."""

_CAUSES: Final = (
    (r"No space left|disk quota|ENOSPC", "the disk of Redis is full"),
    (r"\bMISCONF\b", "Redis cannot write to its disk"),
    (r"\bNOREPLICAS\b", "Redis has too few replicas"),
    (r"\bOOM\b|maxmemory", "the memory of Redis is full"),
    (r"\bREADONLY\b|read only replica", "Redis is a replica, which takes no writes"),
    (r"\bMASTERDOWN\b", "Redis is a replica without its master"),
    (r"\bCLUSTERDOWN\b|[Cc]luster is down|slot not served", "the Redis cluster is down"),
    (r"\bMOVED\b", "a Redis cluster is given as a single server (use redis-cluster://)"),
    (
        r"cluster support disabled|[Cc]luster mode is not enabled",
        "a single Redis server is given as a cluster (use redis://)",
    ),
    (r"\bNOPERM\b|no permissions", "Redis denies its user a command"),
    (r"invalid password|WRONGPASS|Authentication required", "Redis refuses the password"),
    (r"No matching script", "Redis has just restarted"),
    (r"\bLOADING\b|loading the dataset", "Redis still loads its data"),
)
_CLASSES: Final = (
    (MovedError, r"MOVED"),
    (ReadOnlyError, r"READONLY"),
    (OutOfMemoryError, r"OOM"),
    (MasterDownError, r"MASTERDOWN"),
)

_last: dict[str, float] = {}
_lock = threading.Lock()


def cause_of(error: BaseException) -> str:
    """The cause of the store's failure, in a few words."""
    codes = [code for kind, code in _CLASSES if isinstance(error, kind)]
    text = " ".join([*codes, str(error)])
    for pattern, cause in _CAUSES:
        if re.search(pattern, text):
            return cause
    if isinstance(error, TimeoutError):
        return "Redis does not answer in time"
    if isinstance(error, ConnectionError | OSError):
        return "Redis cannot be reached"
    return type(error).__name__


def report(
    log: logging.Logger, doing: str, error: BaseException, clock: Callable[[], float] = monotonic
) -> None:
    """Log the failed action and its cause in one line.

    Nothing is logged if this process logged the same cause within `PAUSE`. `clock` gives seconds.
    """
    cause, now = cause_of(error), clock()
    with _lock:
        if now - _last.get(cause, float("-inf")) < PAUSE:
            return
        _last[cause] = now
    quoted = " ".join(str(error).split())[:_LONGEST]
    log.warning("%s: %s (%s)", doing, cause, quoted)
