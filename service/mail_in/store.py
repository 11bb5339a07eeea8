"""Stores incoming mails before they are acknowledged, and then for two weeks how each ended.

st:mail-in:ID             hash: `to`; `from` (the envelope's sender), `raw`, until the mail is read;
                          `payer`, whose time for reading it takes (see `StoredMailIn`);
                          `outcome`, JSON of what to answer, from then on; `told` once it is sent;
                          `tries`, how often reading it has begun and not ended
st:mail-in:of:GAME:SEAT   exists while a mail of this seat's player is carried out and answered
st:{mail-in}:counts       hash: how many mails ended under each label
st:{mail-in}:words:GAME:SEAT  the words of the newest mail to a seat, to recognise copies of it:
                          a filter of one kilobyte (`SentWords`), for a month
"""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from engine import SEATS, Seat
from service.core.redis.batch import Query, execute
from service.core.redis.client import Client
from service.core.times import DAY, MINUTE

if TYPE_CHECKING:
    from letters.mail.quotation import SentWords

MAX_SIZE: Final = 2 * 1024 * 1024
"""Most bytes of a mail. An answer is short; a picture in a signature is not."""
READ: Final = "mail-in"
READ_STRANGERS: Final = "strangers-mail-in"
"""The kinds of notice to read a mail that came in: from a player, or from a stranger or large."""
LONGEST: Final = MINUTE
"""Most seconds for which a mail counts as being carried out and answered."""
LIFE: Final = 14 * DAY
"""Seconds for which a mail is recognised if it comes again."""


class StoredMailIn(NamedTuple):
    """A mail that came in: its recipient, the sender of its envelope, and its bytes.

    `payer` is whose time for reading it takes: a player's, or that of all strangers. Empty in mails
    that an earlier version stored.
    """

    to: str
    sender: str
    raw: bytes
    payer: str = ""


class MailInState(NamedTuple):
    """The `mail`, until it is read; then the `outcome` that is to be answered, and whether it
    was."""

    mail: StoredMailIn | None
    outcome: dict[str, object] | None
    is_answered: bool


@dataclass(eq=False, repr=False)
class MailInStore:
    """Stores incoming mails. Every call may be repeated."""

    _redis: Client

    def add(self, mail_id: str, mail: StoredMailIn) -> bool:
        """Store a mail before its sender gets an acknowledgement; return False if it was read
        already.

        Of two mails with the same id the first stays: its sender has the acknowledgement.
        """
        key = _key(mail_id)
        # Bytes as text: the client gives text, and a mail may hold any bytes.
        fields = {"to": mail.to, "from": mail.sender, "raw": mail.raw.decode("latin-1")}
        fields["payer"] = mail.payer
        if self._redis.hexists(key, "outcome"):
            return False
        with self._redis.pipeline(transaction=True) as pipeline:
            for name, value in fields.items():
                pipeline.hsetnx(key, name, value)
            pipeline.expire(key, LIFE)
            pipeline.execute()
        return True

    def state(self, mail_id: str) -> MailInState:
        """Return what is stored about a mail."""
        values = self._redis.hmget(_key(mail_id), ["to", "from", "raw", "payer", "outcome", "told"])
        to, sender, raw, payer, outcome, answered = cast(list[str | None], values)
        mail = None
        if to is not None and raw is not None:
            mail = StoredMailIn(to, sender or "", raw.encode("latin-1"), payer or "")
        parsed = None if outcome is None else json.loads(outcome)
        return MailInState(mail, parsed, answered is not None)

    def finish(self, mail_id: str, outcome: dict[str, object], label: str) -> None:
        """Store a mail's outcome in place of the mail, and count it under `label`."""
        key = _key(mail_id)
        with self._redis.pipeline(transaction=True) as pipeline:
            pipeline.hset(key, "outcome", json.dumps(outcome))
            pipeline.hdel(key, "from", "raw", "tries")
            pipeline.expire(key, LIFE)
            pipeline.execute()
        self.count(label)

    def begin_try(self, mail_id: str) -> int:
        """Record that the mail is about to be carried out. Return how many tries have begun and not
        ended, this one included."""
        return int(self._redis.hincrby(_key(mail_id), "tries", 1))

    def end_try(self, mail_id: str) -> None:
        """Delete the count of tries: the process has survived this one."""
        self._redis.hdel(_key(mail_id), "tries")

    def payer(self, mail_id: str) -> str:
        """Return whose time for reading a mail takes; empty if that is not known."""
        return cast(str | None, self._redis.hget(_key(mail_id), "payer")) or ""

    def recipient(self, mail_id: str) -> str:
        """Return the address that a mail came to, even after it was read; empty if the mail is no
        longer stored."""
        return cast(str | None, self._redis.hget(_key(mail_id), "to")) or ""

    def begin(self, game: str, seat: str) -> None:
        """Record that a mail of the player in this seat is being carried out."""
        self._redis.set(_seat_key(game, seat), "1", ex=LONGEST)

    def end(self, game: str, seat: str) -> None:
        """Record that the seat's mail was answered, or needs no answer."""
        self._redis.delete(_seat_key(game, seat))

    def has_begun_query(self, game: str, seat: str) -> Query[bool]:
        """Return a query whether a mail of the player in this seat is being carried out, or waits
        for its answer."""
        return Query(("EXISTS", _seat_key(game, seat)), bool)

    def mark_answered(self, mail_id: str) -> None:
        """Record that the answer was sent."""
        self._redis.hset(_key(mail_id), "told", "1")

    def count(self, label: str) -> None:
        """Count one more mail that ended under this label."""
        self._redis.hincrby(_COUNTS, label, 1)

    def counts(self) -> dict[str, int]:
        """Return the number of mails that ended under each label."""
        stored = cast(dict[str, str], self._redis.hgetall(_COUNTS))
        return {label: int(count) for label, count in sorted(stored.items())}


_COUNTS: Final = "st:{mail-in}:counts"


def _key(mail_id: str) -> str:
    return f"st:mail-in:{mail_id}"


def _seat_key(game: str, seat: str) -> str:
    return f"st:mail-in:of:{game}:{seat}"


_LIFE: Final = 30 * DAY


@dataclass(eq=False, repr=False)
class SentMailWords:
    """Stores the words of mails. Every call is idempotent."""

    _redis: Client

    def store(self, game: str, seat: Seat, text: str) -> None:
        """Store the words of a mail in place of those of the seat's mail before."""
        execute(self._redis, self.store_query(game, seat, text))

    def store_query(self, game: str, seat: Seat, text: str) -> Query[bool]:
        """Return the query that does what `store` does."""
        from letters.mail.quotation import SentWords  # here: the web never needs it

        command = ("SET", _words_key(game, seat), str(SentWords.of(text)), "EX", _LIFE)
        return Query(command, bool)

    def forget_game(self, game: str) -> None:
        """Delete the words of the mails about a removed game."""
        for seat in SEATS:
            self._redis.unlink(_words_key(game, seat))

    def find(self, game: str, seat: Seat) -> "SentWords":
        """Return the words of the newest mail; empty if it is older than a month."""
        from letters.mail.quotation import SentWords

        text = cast(str | None, self._redis.get(_words_key(game, seat)))
        return SentWords.read(text) if text is not None else SentWords()


def _words_key(game: str, seat: Seat) -> str:
    return f"st:{{mail-in}}:words:{game}:{seat}"
