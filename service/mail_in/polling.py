"""Mail that is fetched from a mailbox by IMAP.

A mail is marked, or moved, only once it is kept: whatever a crash cuts off is fetched again, and
known by its Message-ID. Of several workers one fetches at a time.

st:{imap}:turn            who fetches, until when nobody else may: a lease, and then the pause
st:{imap}:state           hash: `ok`, when fetching worked last; `since`, when it began to fail, and
                          `error`; `kept` and `refused`, how many mails
"""

import logging
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

from imap_tools import BaseMailBox
from redis.exceptions import RedisError

from service.core.durations import MINUTE
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.mail.imap import ImapMailbox, opened
from service.mail_in.intake import IncomingMail
from service.mail_in.message import MAX_SIZE

# Seconds.
TIMEOUT = 15.0
LONGEST: Final = 120.0
"""One fetching takes no longer; who holds the turn for so long and a little more is dead."""
LEASE: Final = 150.0
PAUSE: Final = 30.0
LONGEST_PAUSE: Final = 15.0 * MINUTE
BATCH: Final = 50
"""Mails fetched at once."""

_TURN: Final = "st:{imap}:turn"
_PAUSING: Final = "nobody"
_STATE: Final = "st:{imap}:state"

log = logging.getLogger(__name__)


class PollingState(NamedTuple):
    """When fetching worked last, since when it fails and why (unix seconds), and how many mails
    were kept, and refused because they are none of ours or out of form."""

    ok: float | None
    since: float | None
    error: str
    kept: int
    refused: int


class Polling:
    """Fetches mail from one mailbox. `now` gives unix seconds; `name` is this process's."""

    def __init__(
        self,
        redis: Client,
        incoming: IncomingMail,
        mailbox: ImapMailbox,
        name: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._redis = redis
        self._incoming = incoming
        self._mailbox = mailbox
        self._name = name
        self._now = now

    def poll(self) -> bool:
        """Fetch what has come, if it is time and nobody else does; whether it was.

        Raises redis-py's errors; the mailbox's are kept for an operator to see.
        """
        if not self._redis.set(_TURN, self._name, nx=True, px=_milliseconds(LEASE)):
            return False
        try:
            pause = PAUSE if self._fetch() < BATCH else 0.0
            self._succeeded()
        except RedisError:
            raise
        except Exception as error:  # a mailbox may answer anything
            pause = self._failed(error)
        self._pass_on(pause)
        return True

    def _fetch(self) -> int:
        """Take in a batch of mails; how many there were."""
        with opened(self._mailbox, TIMEOUT, LONGEST) as box:
            uids = box.uids("UNSEEN" if self._mailbox.done is None else "ALL", charset=None)
            for uid in uids[:BATCH]:
                raw = _raw(box, uid)
                if raw is not None:
                    self._redis.hincrby(_STATE, self._take_in(raw), 1)
                    self._mark(box, uid)
        return len(uids)

    def _take_in(self, raw: bytes) -> str:
        """Keep the mail; how it ended, as the field to count it in."""
        try:
            for recipient in self._incoming.recipients_of(raw) or [""]:
                self._incoming.accept(recipient, "envelope", raw)
        except RequestRejected as rejection:
            # Nobody tries again later who could be told to: what is too much is lost.
            log.info("a mail in the mailbox was refused: %s", rejection.detail)
            return "refused"
        return "kept"

    def _mark(self, box: BaseMailBox, uid: str) -> None:
        if self._mailbox.done is not None:
            box.move(uid, self._mailbox.done)
            return
        result = box.client.uid("STORE", uid, "+FLAGS", r"(\Seen)")
        if result[0] != "OK":
            raise OSError(f"a mail cannot be marked as read: {result[1]}")

    def _succeeded(self) -> None:
        self._redis.hset(_STATE, "ok", repr(self._now()))
        self._redis.hdel(_STATE, "since", "error")

    def _failed(self, error: Exception) -> float:
        """Note the trouble; how long to wait: as long as it has lasted, within limits."""
        log.warning("no mail can be fetched: %s", error)
        self._redis.hsetnx(_STATE, "since", repr(self._now()))
        self._redis.hset(_STATE, "error", f"{type(error).__name__}: {error}"[:300])
        since = state(self._redis).since
        lasted = self._now() - (self._now() if since is None else since)
        return min(max(lasted, PAUSE), LONGEST_PAUSE)

    def _pass_on(self, pause: float) -> None:
        """Let nobody fetch for so long, unless the turn has passed on already."""
        if self._redis.get(_TURN) != self._name:
            return
        if pause:
            self._redis.set(_TURN, _PAUSING, px=_milliseconds(pause))
        else:
            self._redis.unlink(_TURN)


def hurry(redis: Client) -> None:
    """Let whoever is next fetch at once: somebody waits for a mail."""
    if redis.get(_TURN) == _PAUSING:
        redis.unlink(_TURN)


def state(redis: Client) -> PollingState:
    """How fetching goes."""
    found = cast(dict[str, str], redis.hgetall(_STATE))
    ok, since = (float(found[name]) if name in found else None for name in ("ok", "since"))
    kept, refused = (int(found.get(name, 0)) for name in ("kept", "refused"))
    return PollingState(ok, since, found.get("error", ""), kept, refused)


def _raw(box: BaseMailBox, uid: str) -> bytes | None:
    """The mail, as far as one too large is known as such; None if it is gone."""
    status, data = box.client.uid("FETCH", uid, f"(BODY.PEEK[]<0.{MAX_SIZE + 1}>)")
    if status != "OK":
        raise OSError(f"a mail cannot be fetched: {data}")
    found: list[Any] = [part for part in data if isinstance(part, tuple) and len(part) > 1]
    return bytes(found[0][1]) if found else None


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
