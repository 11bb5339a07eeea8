"""Mails that came in: kept before they are acknowledged, until they are answered.

st:mail-in:ID             hash: `to`; `from` (the envelope's sender), `raw`, until the mail is read;
                          `outcome`, JSON of what to answer, from then on; `told` once it is sent;
                          `tries`, how often reading it has begun and not ended
st:mail-in:of:GAME:SEAT   set while a mail of this seat's player is carried out and answered
st:{mail-in}:counts       hash: how many mails ended in which way
"""

import json
from typing import Final, NamedTuple, cast

from service.core.durations import DAY, MINUTE
from service.core.redis.batch import Query, raising
from service.core.redis.client import Client

READ: Final = "mail-in"
"""The kind of notice to read a mail that came in."""
LONGEST: Final = MINUTE
"""Seconds for which anything waits for an answer."""
KEPT: Final = 14 * DAY
"""Seconds for which the same mail is known when it comes again."""


class StoredMailIn(NamedTuple):
    """A mail that came in: its recipient, the sender of its envelope, and its bytes."""

    to: str
    sender: str
    raw: bytes


class MailInState(NamedTuple):
    """The `mail`, if it is still to be read; from then on the `outcome` that is to be answered, and
    whether it was."""

    mail: StoredMailIn | None
    outcome: dict[str, object] | None
    is_answered: bool


class MailInStore:
    """What came in. Every call may be repeated."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def add(self, mail_id: str, mail: StoredMailIn) -> bool:
        """Keep a mail, before anybody is told that it was accepted; false if it was read before.

        Of two with the same id the first stays: its sender was told that it is kept.
        """
        key = _key(mail_id)
        # Bytes as text: the client gives text, and a mail may hold any bytes.
        fields = {"to": mail.to, "from": mail.sender, "raw": mail.raw.decode("latin-1")}
        if self._redis.hexists(key, "outcome"):
            return False
        with self._redis.pipeline(transaction=True) as pipeline:
            for name, value in fields.items():
                pipeline.hsetnx(key, name, value)
            pipeline.expire(key, KEPT)
            pipeline.execute()
        return True

    def state(self, mail_id: str) -> MailInState:
        """What became of a mail so far."""
        found = self._redis.hmget(_key(mail_id), ["to", "from", "raw", "outcome", "told"])
        to, sender, raw, outcome, told = cast(list[str | None], found)
        mail = None
        if to is not None and raw is not None:
            mail = StoredMailIn(to, sender or "", raw.encode("latin-1"))
        return MailInState(mail, None if outcome is None else json.loads(outcome), told is not None)

    def finish(self, mail_id: str, outcome: dict[str, object], label: str) -> None:
        """The mail is read: keep what to answer in its place, and count how it ended."""
        key = _key(mail_id)
        with self._redis.pipeline(transaction=True) as pipeline:
            pipeline.hset(key, "outcome", json.dumps(outcome))
            pipeline.hdel(key, "from", "raw", "tries")
            pipeline.expire(key, KEPT)
            pipeline.execute()
        self.count(label)

    def begin_try(self, mail_id: str) -> int:
        """Note that a mail is about to be carried out; how many times that has begun."""
        return int(self._redis.hincrby(_key(mail_id), "tries", 1))

    def end_try(self, mail_id: str) -> None:
        """Whatever became of it: nobody died of it."""
        self._redis.hdel(_key(mail_id), "tries")

    def recipient(self, mail_id: str) -> str:
        """The address that a mail came to, even if it is read; empty for one that is forgotten."""
        return cast(str | None, self._redis.hget(_key(mail_id), "to")) or ""

    def begin(self, game: str, seat: str) -> None:
        """A mail of the player in this seat is being carried out."""
        self._redis.set(_seat_key(game, seat), "1", ex=LONGEST)

    def end(self, game: str, seat: str) -> None:
        """It is answered, or nobody is to be."""
        self._redis.delete(_seat_key(game, seat))

    def has_begun_query(self, game: str, seat: str) -> Query[bool]:
        """A query whether a mail of the player in this seat is carried out, or still to be
        answered."""
        return Query(("EXISTS", _seat_key(game, seat)), raising(bool))

    def mark_answered(self, mail_id: str) -> None:
        """The answer was sent."""
        self._redis.hset(_key(mail_id), "told", "1")

    def count(self, label: str) -> None:
        """Count one more mail that ended like this."""
        self._redis.hincrby(_COUNTS, label, 1)

    def counts(self) -> dict[str, int]:
        """How many mails ended in which way."""
        found = cast(dict[str, str], self._redis.hgetall(_COUNTS))
        return {label: int(count) for label, count in sorted(found.items())}


_COUNTS: Final = "st:{mail-in}:counts"


def _key(mail_id: str) -> str:
    return f"st:mail-in:{mail_id}"


def _seat_key(game: str, seat: str) -> str:
    return f"st:mail-in:of:{game}:{seat}"
