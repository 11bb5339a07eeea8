"""The local mailbox: it receives mail while no mail server is set. The page `/mailbox` shows it.

st:{mailbox}:newest       sorted set: ids by time of arrival
st:{mailbox}:mails        hash: id → JSON of the mail as text and that time
"""

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_string
from email.message import EmailMessage
from email.policy import EmailPolicy, Policy
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from service.core.redis.client import Client, Lua

CAPACITY = 1000

_NEWEST = "st:{mailbox}:newest"
_MAILS = "st:{mailbox}:mails"


_PARTED: Final = re.compile(r"\?=\s+=\?utf-8\?q\?")
"""Between two encoded words, which are read as one (RFC 2047, 6.2): in a name the library puts a
space there."""


class _Policy(EmailPolicy):
    """Parses equal headers once: the library parses a header each time that it is read, and many
    mails share their sender, recipient and content types."""

    @staticmethod
    @lru_cache(1000)
    def _parsed(name: str, value: str) -> Any:
        return EmailPolicy().header_fetch_parse(name, _PARTED.sub("", value))

    def header_fetch_parse(self, name: str, value: str) -> Any:
        """Return the header's value as the object into which the library parses it."""
        return self._parsed(name, value)


_POLICY: Final = cast("Policy[EmailMessage]", _Policy())


class StoredMail(NamedTuple):
    """A mail in the box: its Message-ID, its arrival (unix seconds), and its source."""

    id: str
    at: float
    text: str

    @property
    def message(self) -> EmailMessage:
        """The parsed mail. For a malformed one the library raises all kinds of errors, here and
        when a header is read; older versions stored such mails."""
        return message_from_string(self.text, policy=_POLICY)


@dataclass(eq=False, repr=False)
class Mailbox:
    """Stores the latest mails to everybody, newest first. Every call may be repeated."""

    _add = Lua(__file__, "mailbox_add")

    _redis: Client
    _now: Callable[[], float] = time.time
    capacity: int = CAPACITY

    def add(self, mail_id: str, text: str) -> bool:
        """Add a mail under its Message-ID; return False if it was there already."""
        at = self._now()
        stored = json.dumps({"at": at, "text": text})
        return bool(self._add(keys=[_NEWEST, _MAILS], args=[mail_id, stored, at, self.capacity]))

    def newest(self, limit: int = 100) -> list[StoredMail]:
        """Return the last `limit` mails, newest first."""
        ids = cast(list[str], self._redis.zrevrange(_NEWEST, 0, limit - 1))
        if not ids:
            return []
        stored = cast(list[str | None], self._redis.hmget(_MAILS, ids))
        return [_mail(id_, text) for id_, text in zip(ids, stored, strict=True) if text]

    def get(self, mail_id: str) -> StoredMail | None:
        """Return the mail with that Message-ID; None if there is none."""
        stored = cast(str | None, self._redis.hget(_MAILS, mail_id))
        return _mail(mail_id, stored) if stored else None


def _mail(mail_id: str, stored: str) -> StoredMail:
    try:
        fields = json.loads(stored)
        return StoredMail(mail_id, float(fields["at"]), str(fields["text"]))
    except (ValueError, TypeError, LookupError, RecursionError):
        return StoredMail(mail_id, 0.0, stored)  # damaged: the others can still be read
