"""Fetches mail from a mailbox by IMAP.

A mail is marked, or moved, only once it is stored: whatever a crash cuts off is fetched again, and
recognised by its Message-ID. Only one worker fetches at a time: it holds a short lease, and renews
it however slow the mailbox is. If the worker dies, mail is delayed by no more than that lease.

st:{imap}:turn            the worker that fetches, until its lease ends; then the pause, in which
                          nobody fetches
st:{imap}:state           hash: `ok`, when fetching worked last; `since`, when it began to fail, and
                          `error`; `kept` and `refused`, the numbers of mails stored and refused
st:{imap}:tries           hash: for each mail, the times that taking it in began and did not end
st:{imap}:waiting         sorted set: mails that are to be fetched later, by when (unix seconds)
"""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from imap_tools import BaseMailBox

from service.core.errors import STORE_FAILURE, RequestRejected
from service.core.redis.client import Client, script_beside
from service.core.times import DAY, MINUTE
from service.mail.budget import ACCOUNT, GAME
from service.mail.imap import ImapMailbox, opened
from service.mail_in.store import MAX_SIZE

if TYPE_CHECKING:
    from service.mail_in.intake import IncomingMail

# Seconds.
LEASE: Final = 20.0
RENEWAL: Final = 5.0
"""Between two renewals of the lease."""

_TURN: Final = "st:{imap}:turn"
_PAUSING: Final = "nobody"
_PASS_ON: Final = script_beside(__file__, "pass_turn")


class PollingTurn:
    """The lease as one worker sees it; `name` is that worker's own."""

    def __init__(self, redis: Client, name: str) -> None:
        self._redis = redis
        self._name = name
        self._pass_on = redis.register_script(_PASS_ON)

    def take(self) -> bool:
        """Take the lease, unless another worker holds it or the pause lasts. Return whether we hold
        it."""
        taken = self._redis.set(_TURN, self._name, nx=True, px=_milliseconds(LEASE))
        return bool(taken)

    def renew(self) -> bool:
        """Extend the lease; return False if another worker has it by now."""
        return self._replace(self._name, self._name, LEASE)

    @contextmanager
    def renewed(self, longest: float) -> Iterator[None]:
        """Renew the lease in a thread while the context lasts, for `longest` seconds at most."""
        ended = threading.Event()
        renewing = threading.Thread(target=self._keep_renewing, args=[ended, longest], daemon=True)
        renewing.start()
        try:
            yield
        finally:
            ended.set()
            renewing.join()

    def end(self, pause: float) -> None:
        """Replace the lease by a pause of so many seconds, unless another worker holds it by
        now."""
        self._replace(self._name, _PAUSING, pause)

    def _keep_renewing(self, ended: threading.Event, longest: float) -> None:
        for _ in range(int(longest / RENEWAL)):
            if ended.wait(RENEWAL):
                return
            with suppress(*STORE_FAILURE):  # the next renewal may come in time
                self.renew()

    def _replace(self, holder: str, successor: str, seconds: float) -> bool:
        args: list[str | int] = [holder, successor, _milliseconds(seconds)]
        return bool(self._pass_on(keys=[_TURN], args=args))


def hurry(redis: Client) -> None:
    """End the pause, if there is one: somebody waits for a mail."""
    PollingTurn(redis, _PAUSING).end(0)


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)


# Seconds.
TIMEOUT = 15.0
LONGEST: Final = 120.0
"""Most seconds that one fetch takes."""
PAUSE: Final = 30.0
LONGEST_PAUSE: Final = 15.0 * MINUTE
BATCH: Final = 50
"""Mails fetched at once."""
MOST_WAITING: Final = 200
"""Most mails that are left in the mailbox because their senders have written too many."""
MOST_TRIES: Final = 2
"""Times that a mail is tried if taking it in kills the process or raises an unforeseen error."""

_STATE: Final = "st:{imap}:state"
_WAITING: Final = "st:{imap}:waiting"
_TRIES: Final = "st:{imap}:tries"
_UID: Final = re.compile(rb"\bUID (\d{1,10})\b", re.IGNORECASE)
_SIZE: Final = re.compile(rb"\bRFC822\.SIZE (\d{1,18})\b", re.IGNORECASE)

log = logging.getLogger(__name__)


class PollingState(NamedTuple):
    """The state of fetching: when it worked last (`ok`), since when it has failed and why (unix
    seconds), how many mails were stored (`kept`), and how many were refused because they are
    malformed or not for this server."""

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
        incoming: "IncomingMail",
        mailbox: ImapMailbox,
        name: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._redis = redis
        self._incoming = incoming
        self._mailbox = mailbox
        self._turn = PollingTurn(redis, name)
        self._now = now

    def poll(self) -> bool:
        """Fetch new mail, unless the pause lasts or another worker fetches. Return whether this one
        did.

        Raises redis-py's errors; errors of the mailbox are stored for an operator to see.
        """
        if not self._turn.take():
            return False
        try:
            with self._turn.renewed(LONGEST):
                pause = PAUSE if self._fetch() < BATCH else 0.0
            self._redis.hset(_STATE, "ok", repr(self._now()))
            self._redis.hdel(_STATE, "since", "error")
        except STORE_FAILURE:
            raise
        except Exception as error:  # a mailbox may answer anything
            pause = self._failed(error)
        self._turn.end(pause)
        return True

    def _fetch(self) -> int:
        """Take in up to `BATCH` mails, and return how many were due, those included."""
        with opened(self._mailbox, TIMEOUT, LONGEST) as box:
            unread = box.uids("UNSEEN" if self._mailbox.done is None else "ALL", charset=None)
            self._redis.zremrangebyscore(_WAITING, "-inf", self._now())
            waiting = set(cast(list[str], self._redis.zrange(_WAITING, 0, -1)))
            # A UID names the same mail only while the mailbox's UIDVALIDITY stays the same.
            said: Any = box.client.untagged_responses.get("UIDVALIDITY", [b""])[-1]
            validity = str(said, "ascii", "replace")[:20]
            names = {uid: f"{validity}:{uid}" for uid in unread}
            uids = [uid for uid in unread if names[uid] not in waiting]
            sizes = _sizes(box, uids[:BATCH])
            for uid in uids[:BATCH]:
                if not self._turn.renew():  # a successor reads on
                    break
                is_too_large = sizes.get(uid, 0) > MAX_SIZE
                raw = None if is_too_large else _raw(box, uid)
                if raw is None and not is_too_large:
                    self._leave(names[uid], LONGEST_PAUSE)
                counted = self._tried(raw, names[uid]) if raw is not None else None
                if is_too_large or counted is not None:
                    self._redis.hincrby(_STATE, counted or "refused", 1)
                    self._mark(box, uid)
        return len(uids)

    def _tried(self, raw: bytes, name: str) -> str | None:
        """Take the mail in, or give it up after `MOST_TRIES` tries, so that it does not block all
        others for ever. Return the field to count it in; None to try again later."""
        if int(self._redis.hincrby(_TRIES, name, 1)) > MOST_TRIES:
            log.error("mail %s in the mailbox is given up: it could not be taken in", name)
            self._redis.hdel(_TRIES, name)
            return "refused"
        self._redis.expire(_TRIES, 2 * DAY)
        try:
            counted = self._take_in(raw, name)
        except STORE_FAILURE:
            with suppress(*STORE_FAILURE):  # the mail is not to blame
                self._redis.hincrby(_TRIES, name, -1)
            raise
        except Exception:
            log.exception("mail %s in the mailbox could not be taken in", name)
            return None
        self._redis.hdel(_TRIES, name)
        return counted

    def _take_in(self, raw: bytes, name: str) -> str | None:
        """Store the mail, and return the field to count it in; None if it is to be fetched later
        because its player has written too many."""
        try:
            for recipient in self._incoming.recipients_of(raw) or [""]:
                self._incoming.accept(recipient, "envelope", raw)
        except RequestRejected as rejection:
            if rejection.members.get("budget") in (GAME, ACCOUNT):  # a player's
                return None if self._leave(name, rejection.members["retry_after"]) else "refused"
            # No sending server waits for an answer here that could be asked to try again later.
            log.info("a mail in the mailbox was refused: %s", rejection.detail)
            return "refused"
        return "kept"

    def _leave(self, name: str, seconds: float) -> bool:
        """Leave a mail in the mailbox for so many seconds; return False if too many are left
        there."""
        if self._redis.zcard(_WAITING) >= MOST_WAITING:
            return False
        self._redis.zadd(_WAITING, {name: self._now() + seconds})
        self._redis.expire(_WAITING, 2 * DAY)
        return True

    def _mark(self, box: BaseMailBox, uid: str) -> None:
        if self._mailbox.done is not None:
            box.move(uid, self._mailbox.done)
            return
        result = box.client.uid("STORE", uid, "+FLAGS", r"(\Seen)")
        if result[0] != "OK":
            raise OSError(f"a mail cannot be marked as read: {result[1]}")

    def _failed(self, error: Exception) -> float:
        """Store the error, and return how many seconds to wait: as long as fetching has failed,
        within limits."""
        log.warning("no mail can be fetched: %s", error)
        self._redis.hsetnx(_STATE, "since", repr(self._now()))
        self._redis.hset(_STATE, "error", f"{type(error).__name__}: {error}"[:300])
        since = state(self._redis).since
        lasted = self._now() - (self._now() if since is None else since)
        return min(max(lasted, PAUSE), LONGEST_PAUSE)


def state(redis: Client) -> PollingState:
    stored = cast(dict[str, str], redis.hgetall(_STATE))
    ok, since = (float(stored[name]) if name in stored else None for name in ("ok", "since"))
    kept, refused = (int(stored.get(name, 0)) for name in ("kept", "refused"))
    return PollingState(ok, since, stored.get("error", ""), kept, refused)


def _sizes(box: BaseMailBox, uids: Sequence[str]) -> dict[str, int]:
    """Return the sizes of these mails in bytes, by UID, as far as the mailbox gives them."""
    if not uids:
        return {}
    status, data = box.client.uid("FETCH", ",".join(uids), "(UID RFC822.SIZE)")
    if status != "OK":
        raise OSError(f"the sizes of mails cannot be fetched: {data}")
    lines = [line for line in data if isinstance(line, bytes)]
    pairs = [(_UID.search(line), _SIZE.search(line)) for line in lines]
    return {uid[1].decode(): int(size[1]) for uid, size in pairs if uid and size}


def _raw(box: BaseMailBox, uid: str) -> bytes | None:
    """Return the first `MAX_SIZE` + 1 bytes of a mail: that many mean that it is too large.

    None if it is gone, or the mailbox refuses it; so the other mails can still be fetched.
    """
    status, data = box.client.uid("FETCH", uid, f"(BODY.PEEK[]<0.{MAX_SIZE + 1}>)")
    if status != "OK":
        log.warning("mail %s in the mailbox cannot be fetched: %s", uid, data)
        return None
    parts = [part for part in data if isinstance(part, tuple) and len(part) > 1]
    return bytes(parts[0][1]) if parts else None
