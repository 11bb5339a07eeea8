"""Store failures: cause and remedy in an operator's words, and at most one log line a minute."""

import logging
import re
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from redis.exceptions import (
    ConnectionError,  # noqa: A004
    MasterDownError,
    MovedError,
    OutOfMemoryError,
    ReadOnlyError,
    TimeoutError,  # noqa: A004
)

from service.core import data_folder

PAUSE: Final = 60.0
"""Seconds between two log lines of a process about the same cause."""
_LONGEST: Final = 300
"""The most characters quoted from a message."""

_DISK_FULL: Final = "the disk of Redis is full"
_CAUSES: Final = (
    (r"No space left|disk quota|ENOSPC", _DISK_FULL),
    (r"\bMISCONF\b", "Redis cannot write to its disk"),
    (r"\bNOREPLICAS\b", "Redis has too few replicas"),
    (r"\bOOM\b|maxmemory", "the memory of Redis is full (its maxmemory)"),
    (r"\bREADONLY\b|read only replica", "Redis is a replica, which takes no writes"),
    (r"\bMASTERDOWN\b", "Redis is a replica without its master"),
    (r"\bCLUSTERDOWN\b|[Cc]luster is down|slot not served", "the Redis cluster is down"),
    (r"\bMOVED\b", "a Redis cluster is given as a single server (use redis-cluster://)"),
    (
        r"cluster support disabled|[Cc]luster mode is not enabled",
        "a single Redis server is given as a cluster (use redis://)",
    ),
    (r"\bNOPERM\b|no permissions", "Redis denies its user a command"),
    (r"password|WRONGPASS|[Aa]uthenticat", "Redis refuses the password"),
    (r"Name or service not known|nodename nor|name resolution", "its host name leads nowhere"),
    (r"CERTIFICATE_VERIFY_FAILED", "the certificate of Redis is not trusted"),
    (r"\[SSL", "Redis does not speak TLS there"),
    (r"Protocol error", "what answers there is not Redis"),
    (r"DB index is out of range", "Redis has no database of this number"),
    (r"No matching script", "Redis has just restarted"),
    (r"\bLOADING\b|loading the dataset", "Redis still loads its data"),
)
_REMEDIES: Final = {
    "Redis refuses the password": "Write it as SCHEME://USER:PASSWORD@HOST; the user may be empty.",
    "its host name leads nowhere": "Correct the host name.",
    "the certificate of Redis is not trusted": (
        "Use the name that it is made out to, or name its authority by ?ssl_ca_certs=FILE."
    ),
    "Redis does not speak TLS there": "Write redis:// instead of rediss://.",
    "what answers there is not Redis": "Correct host and port.",
    "Redis has no database of this number": "Correct the number after the host.",
}
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
    if "NOREPLICAS" in text and _is_disk_full():  # so the supervisor has Redis refuse writes
        return _DISK_FULL
    for pattern, cause in _CAUSES:
        if re.search(pattern, text):
            return cause
    if isinstance(error, TimeoutError):
        return "Redis does not answer in time"
    if isinstance(error, ConnectionError | OSError):
        return "Redis cannot be reached" + ", and the disk is full" * _is_disk_full()
    return type(error).__name__


def _is_disk_full() -> bool:
    """Whether the disk of this process's data folder is full."""
    try:
        return data_folder.is_full(data_folder.from_environment())
    except OSError:
        return False


def about_url(setting: str, url: str, error: BaseException) -> str:
    """One line about a Redis that this setting names and that does not serve: where it is, without
    user and password, the cause, and the remedy."""
    parts = urlsplit(url)
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    unread = isinstance(error, TypeError | ValueError)
    cause = "it cannot be read" if unread else cause_of(error)
    remedy = "Correct what follows the host." if unread else _REMEDIES.get(cause, "")
    if not remedy and isinstance(error, ConnectionError | TimeoutError | OSError):
        remedy = "Start Redis there, or correct host and port."
        if isinstance(error, TimeoutError) and parts.scheme.startswith("rediss"):
            remedy += " If it speaks no TLS, write redis:// instead of rediss://."
        elif re.search("reset|closed", str(error)):
            remedy += " If it expects TLS, write rediss:// instead of redis://."
    quoted = " ".join(str(error).split())[:_LONGEST]
    return f"{setting} ({shown}): {cause}. {remedy} ({quoted})".replace("  ", " ")


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
