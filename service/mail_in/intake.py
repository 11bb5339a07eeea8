"""Takes in mail: stores it, then acknowledges it; a worker then carries it out and answers it.

Whether a mail comes by SMTP, a pipe or HTTP, it goes through `accept`. Its Message-ID and its
recipient identify it, so a copy changes nothing. Whatever a crash cuts off falls due again. Mail
that the server sends to itself, to test delivery, goes to `check+TOKEN@DOMAIN`.

st:mail-check:ID          JSON of the mail that came back to this check's address, and when
"""

import hmac
import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, cast

from redis.exceptions import RedisError

from service.accounts.email_addresses import ADDRESS
from service.accounts.mail_preferences import MailPreferences
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.core.settings import Settings
from service.core.times import HOUR
from service.eventlog import Notice, Outbox, notice_id
from service.mail.budget import (
    ACCOUNT,
    GAME,
    PAIR,
    RECIPIENT,
    STRANGERS,
    MailBudget,
    mailbox_of,
    short_wait,
)
from service.mail_in import desk, senders, sentences
from service.mail_in.addresses import ReplyAddresses, SentMailAddresses, UnsubscribeAddresses
from service.mail_in.answering import Answering
from service.mail_in.apart import SMALL
from service.mail_in.desk import Bounces, Confirmations, Desk
from service.mail_in.message import IncomingMessage, MalformedMail, read, read_head, recipients
from service.mail_in.outcome import Dropped, Outcome, read_outcome
from service.mail_in.store import READ, READ_STRANGERS, MailInStore, SentMailWords, StoredMailIn
from service.mail_in.wording import PlayerWords

_ADDRESS: Final = re.compile(rf"check\+(?P<id>{ids.GAME_ID})-(?P<mac>[a-z2-7]{{20}})")
_SIGNATURE: Final = re.compile(r"(?:^|;)\s*(d|s)\s*=\s*([A-Za-z0-9._-]{1,250})\s*(?=;|$)")
_BY: Final = re.compile(r"\bby\s+([A-Za-z0-9.-]{1,250})")
"""Matches the server that wrote a `Received` header."""
_MOST: Final = 10


class Arrival(NamedTuple):
    """A mail of ours that came back.

    - `at`: when it came back (unix seconds)
    - `signatures`: the domain and selector of each DKIM signature
    - `results`: what our own mail server found out, by method; empty if this is unknown
    - `is_local`: whether the mail never left the mail server that it was handed to, which does not
      check mail of its own users
    """

    at: float
    signatures: list[tuple[str, str]]
    results: dict[str, str]
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class SelfChecks:
    """Writes the addresses of checks, and records mail that comes to them. `now` gives unix
    seconds."""

    redis: Client
    secret_key: str = field(repr=False)
    addresses: ReplyAddresses
    mail_authserv: str | None
    now: Callable[[], float] = time.time

    def write(self, check: str) -> str:
        """Return the address of a check; `check` is an id in the form of a game's."""
        return f"check+{check}-{self._mac(check)}@{self.addresses.domain}"

    def read(self, address: str) -> str | None:
        """Return the id of the check that an address belongs to; None unless its code shows that
        `write` returned it."""
        match = _ADDRESS.fullmatch(self.addresses.local_part(address))
        if match is None:
            return None
        return match["id"] if hmac.compare_digest(match["mac"], self._mac(match["id"])) else None

    def note(self, check: str, raw: bytes) -> None:
        """Record that a mail of this check has come back."""
        message = read_head(raw.replace(b"\r\n", b"\n"))
        headers = [str(value) for value in message.get_all("DKIM-Signature", [])[:_MOST]]
        tags = [dict(_SIGNATURE.findall("".join(header.split()))) for header in headers]
        checks = [str(value) for value in message.get_all("Authentication-Results", [])]
        hops = [str(value) for value in message.get_all("Received", [])]
        servers = {by[1].lower() for hop in hops if (by := _BY.search(hop))}
        arrival = Arrival(
            self.now(),
            [(tag["d"].lower(), tag["s"]) for tag in tags if "d" in tag and "s" in tag],
            senders.results(checks, self.mail_authserv),
            not checks and len(servers) == 1,
        )
        self.redis.set(_key(check), json.dumps(arrival._asdict()), ex=HOUR)

    def arrival(self, check: str) -> Arrival | None:
        """Return the mail that came back; None while none has."""
        stored = cast(str | None, self.redis.get(_key(check)))
        if stored is None:
            return None
        fields: dict[str, Any] = json.loads(stored)
        signatures = [(domain, selector) for domain, selector in fields["signatures"]]
        return Arrival(**{**fields, "signatures": signatures})

    def _mac(self, check: str) -> str:
        return ids.proof(self.secret_key, "check address", check)


def _key(check: str) -> str:
    return f"st:mail-check:{check}"


_OF_PLAYERS: Final = "mail-in"
_STRANGERS: Final = "mail-of-strangers"
_ASTRAY: Final = "astray"
"""Names of the budgets for incoming mail."""
_MOST_TRIES: Final = 2
"""Times that a mail is read if the process dies each time."""
_MOST_ANSWERS: Final = 8
"""Further times that a mail is tried once it is given up: that answer needs none of its text."""
_MOST_RECIPIENTS: Final = 5
_DONE: Final = ("declined", "entered", "joined", "said")
"""Labels of mails that have changed something, and are answered beyond the limit of other answers;
mails that have played are answered without a limit."""
_LONGEST_OF_STRANGERS: Final = 16 * 1024
"""Most bytes of a stranger's mail that are stored, besides its head."""


@dataclass(eq=False, repr=False)
class IncomingMail:
    """Takes mail in, and carries it out. `now` gives unix seconds."""

    addresses: ReplyAddresses
    unsubscribing: UnsubscribeAddresses
    checks: SelfChecks
    bouncing: SentMailAddresses
    _store: MailInStore
    _outbox: Outbox
    _answering: Answering
    sent_words: SentMailWords
    _desk: Desk
    confirming: Confirmations
    _bounces: Bounces
    _preferences: MailPreferences
    _budget: MailBudget
    _settings: Settings
    _player_words: PlayerWords
    _now: Callable[[], float] = time.time

    # Coming in

    def takes(self, address: str) -> bool:
        if self.addresses.takes(address) or self.unsubscribing.read(address) is not None:
            return True
        named = self.bouncing.read(address) or self.confirming.read(address)
        return (named or self.checks.read(address)) is not None

    def recipients_of(self, raw: bytes) -> list[str]:
        """Return the addresses of ours in a mail's own headers, for programs that bring it without
        an envelope; at most 5.

        Raises `RequestRejected` with `malformed-mail`.
        """
        try:
            named = recipients(read(raw))
        except MalformedMail as error:
            raise _malformed(error) from None
        of_one_thing = (self.addresses.read, self.confirming.read)
        replies = [each for each in named if any(read(each) for read in of_one_thing)]
        return (replies or [each for each in named if self.takes(each)])[:_MOST_RECIPIENTS]

    def accept(self, recipient: str, sender: str, raw: bytes) -> None:
        """Store a mail. Once this returns, the mail cannot be lost and will be carried out.

        `sender` is that of the envelope, empty or `<>` for none. Raises `RequestRejected`:
        `unknown-recipient`, `malformed-mail`, `too-many-mails`; redis-py's errors if the mail could
        not be stored.
        """
        if not self.takes(recipient):
            raise RequestRejected("unknown-recipient", "This address takes no mail here.")
        try:
            message = read(raw)
        except MalformedMail as error:
            raise _malformed(error) from None
        if (check := self.checks.read(recipient)) is not None:
            self.checks.note(check, raw)
            return
        what = message.id or ids.digest(raw.decode("latin-1"))
        # The same for the same mail to the same address.
        mail_id = ids.derived_game_id(self._settings.secret_key, "mail in", recipient.lower(), what)
        kind, by = self._counted_for(recipient, message)
        axis, reading, payer = GAME, READ, by.get(ACCOUNT) or by.get(GAME, "")
        if kind != _OF_PLAYERS:
            axis, reading, payer = STRANGERS, READ_STRANGERS, STRANGERS
            head, end, text = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
            raw = head + end + text[:_LONGEST_OF_STRANGERS]
        elif len(raw) > SMALL:  # what takes long to read waits behind what does not
            reading = READ_STRANGERS
        self._budget.check_reading(payer, axis)
        self._budget.spend(kind, mail_id, **by)
        mail = StoredMailIn(recipient.lower(), sender.strip("<> "), raw, payer)
        if self._store.add(mail_id, mail):
            notice = notice_id(mail_id, 1, "server", "log", reading)
            self._outbox.add(Notice(notice, self._now()))

    def _counted_for(self, recipient: str, message: IncomingMessage) -> tuple[str, dict[str, str]]:
        """Return the name of the budget for a mail to this address, and its subject on each axis,
        such as the seat on `GAME`."""
        if (reply_to := self.addresses.read(recipient)) is not None:
            seat = f"{reply_to.game} {reply_to.seat}"
            is_own = self._answering.is_from_player(reply_to, message)
            if is_own and message.sender is not None:
                return _OF_PLAYERS, {GAME: seat, ACCOUNT: mailbox_of(message.sender)}
            return _STRANGERS, {STRANGERS: seat}
        if (returned := self.bouncing.read(recipient)) is not None:
            return _OF_PLAYERS, {GAME: f"returned to {returned.of}"}
        if (question := self.confirming.read(recipient)) is not None:
            return _OF_PLAYERS, {GAME: f"asked {question.mail.of}"}
        if (subscription := self.unsubscribing.read(recipient)) is not None:
            return _OF_PLAYERS, {GAME: f"unsubscribing {subscription.reader}"}
        return _ASTRAY, {PAIR: message.sender or "nobody", RECIPIENT: "the sender of our mails"}

    # Being carried out

    def wait(self, mail_id: str) -> int:
        """Return the seconds until this mail may be read, since reading others of its sender has
        taken too long; 0 if it may be read now."""
        return self._budget.reading_wait(self._store.payer(mail_id))

    def process(self, mail_id: str) -> str:
        """Carry out a mail, have it answered, and return the label that it is counted under.
        Idempotent.

        Returns "gone" if the mail is no longer stored.
        """
        state = self._store.state(mail_id)
        if state.outcome is not None:
            outcome = read_outcome(state.outcome)
        elif state.mail is None:
            return "gone"
        else:
            outcome = self._tried(mail_id, state.mail)
            self._store.finish(mail_id, outcome.to_json(), outcome.label)
        if outcome.kind is None:
            self._end(mail_id)
        elif not state.is_answered:
            recipient = outcome.player or ADDRESS
            notice = notice_id(mail_id, 1, recipient, "mail", outcome.kind)
            self._outbox.add(Notice(notice, self._now()))
        return outcome.label

    def outcome(self, mail_id: str) -> Outcome | None:
        """Return the outcome to answer; None if the mail is not carried out yet, or answered
        already."""
        state = self._store.state(mail_id)
        if state.outcome is None or state.is_answered:
            return None
        return read_outcome(state.outcome)

    def mark_answered(self, mail_id: str) -> None:
        """Record that the answer was sent."""
        self._end(mail_id)
        self._store.mark_answered(mail_id)

    def _end(self, mail_id: str) -> None:
        reply_to = self.addresses.read(self._store.recipient(mail_id))
        if reply_to is not None and reply_to.seat is not None:
            self._store.end(reply_to.game, reply_to.seat)

    def counts(self) -> dict[str, int]:
        """Return the number of mails that ended under each label."""
        return self._store.counts()

    def _tried(self, mail_id: str, mail: StoredMailIn) -> Outcome:
        """Carry out a stored mail, and return its outcome.

        A mail whose reading has killed two processes is given up: from then on its text is not
        read.
        """
        tries = self._store.begin_try(mail_id)
        if tries > _MOST_TRIES + _MOST_ANSWERS:
            return Outcome("unreadable")
        try:
            return self._outcome(mail_id, mail, is_given_up=tries > _MOST_TRIES)
        finally:
            with suppress(RedisError):
                self._store.end_try(mail_id)

    def _outcome(self, mail_id: str, mail: StoredMailIn, *, is_given_up: bool) -> Outcome:
        # First of all: mail programs send these by themselves.
        if (subscription := self.unsubscribing.read(mail.to)) is not None:
            self._preferences.turn_off(subscription)
            return Outcome("unsubscribed")
        began, message = time.thread_time(), None
        try:
            message = _reading(mail, is_given_up)
            if (returned := self.bouncing.read(mail.to)) is not None:
                return self._bounces.process(returned, message)
            return self._counted(mail_id, self._answer(mail_id, mail, message))
        except Dropped as dropped:
            return Outcome(str(dropped))
        except RequestRejected as rejection:
            if rejection.code != "too-many-mails":
                raise
            return Outcome("too-many")
        finally:
            seconds = time.thread_time() - began + (message.seconds_apart if message else 0)
            self._budget.charge_reading(mail.payer, seconds)

    def _counted(self, mail_id: str, outcome: Outcome) -> Outcome:
        """Spend the budget for the answer to a mail that played nothing, and return the outcome;
        the last answer for a while says that it is the last. Raises `RequestRejected` beyond the
        budget."""
        who = outcome.player or outcome.email or ""
        wait, last = 0, sentences.LAST_AT_DESK
        if outcome.label in (desk.ASKED, desk.LED_BACK):
            wait = self._budget.spend("led-back", mail_id, **{RECIPIENT: who})
        elif outcome.label == desk.STRANGER:
            by = {RECIPIENT: mailbox_of(who), STRANGERS: "the sender of our mails"}
            self._budget.spend("stranger-led-back", mail_id, **by)
        elif outcome.label in ("stranger", "forged"):  # these use up no answer of the player's own
            self._budget.spend("warning", mail_id, **{RECIPIENT: who})
        elif outcome.label not in ("played", "done"):
            about = f"{outcome.about} {who}"
            has_done = outcome.label in _DONE
            kind = "question" if has_done or outcome.confirms is not None else "answer"
            last = sentences.LAST_QUESTION if kind == "question" else sentences.LAST_ANSWER
            wait = self._budget.spend(kind, mail_id, **{GAME: about, RECIPIENT: who})
        if not wait:
            return outcome
        words = self._player_words.of(outcome.player, outcome.about)
        said = sentences.say(words, last, time=short_wait(wait))
        return outcome._replace(sentences=(*outcome.sentences, said))

    def _answer(self, mail_id: str, mail: StoredMailIn, message: IncomingMessage) -> Outcome:
        if message.automatic is not None:
            raise Dropped(message.automatic)
        if not mail.sender:
            raise Dropped("bounce")
        if message.sender is not None and self.takes(message.sender):
            raise Dropped("loop")
        if (question := self.confirming.read(mail.to)) is not None:
            return self.confirming.answer(question, message)
        reply_to = self.addresses.read(mail.to)
        if reply_to is None:
            return self._desk.answer(mail_id, message)
        if reply_to.seat is not None:
            self._store.begin(reply_to.game, reply_to.seat)
        return self._answering.answer(mail_id, reply_to, message)


def _reading(mail: StoredMailIn, is_given_up: bool) -> IncomingMessage:
    """Parse the head of a stored mail; its body is read on demand, or never if the mail is given
    up. Raises `Dropped`."""
    try:
        message = read(mail.raw)
    except MalformedMail:
        raise Dropped("malformed") from None
    return replace(message, is_given_up=is_given_up, is_brief=mail.payer == STRANGERS)


def _malformed(error: MalformedMail) -> RequestRejected:
    return RequestRejected("malformed-mail", str(error))
