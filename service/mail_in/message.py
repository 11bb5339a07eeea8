"""Reads one mail: its sender, whether a machine wrote it, and, once asked for, its text; and that
as a player's letter, with the names that it may hold and the lines that the player signs with.
Every mail that may ask for something is read here.

The head alone decides whether a mail is counted, stored and trusted. Only then is its text parsed,
which anybody may have made hard to parse.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from email.errors import MessageError
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import getaddresses
from functools import cached_property
from typing import Final

from letters.commands import Unread, read_commands
from letters.letter import Letter, read_letter
from letters.mail import body
from letters.mail.body import GIVEN_UP, MAX_PARTS, ReadBody, decoded, read_beginning
from letters.mail.lines import NOTHING_SENT, Line, WriterFacts, plain_form
from letters.mail.phrases import OTHER, takes_back
from letters.mail.quotation import Ours, SentWords
from letters.mail.sign_offs import may_be_name
from service.accounts.mail_state import MailSignatures
from service.accounts.player import Player
from service.accounts.players import Players
from service.mail_in.apart import read_apart
from service.mail_in.store import MAX_SIZE

MAX_HEAD: Final = 64 * 1024
MAX_HEADERS: Final = 1000
"""Most lines of a mail's head."""

_FAILURES: Final = (
    MessageError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
)
"""What the library raises for malformed mails."""
_MULTIPARTS: Final = 20
_BARE: Final = re.compile(rb"\r(?!\n)")
_OLD_FROM: Final = re.compile(rb"^from[ \t]+:", re.IGNORECASE | re.MULTILINE)
"""Matches `From :`, which mail servers may read as a sender, and the library ignores."""
_QUOTED: Final = re.compile(r'"(?:\\.|[^"\\])*"')
_FROM: Final = re.compile(
    r"(?:(?:[^<>()@]|\([^()]*\))*<\s*([^<>()\s,;:]+@[^<>()\s,;:@]+)\s*>|([^<>()\s,;:]+@[^<>()\s,;:@]+))"
    r"\s*(?:\([^()]*\)\s*)?"
)
"""Matches one sender, in a form that no program reads as another."""
_LANGUAGE: Final = re.compile(r"(?<![\w;=-])[A-Za-z]{2,3}(?:-\w{1,8})*")
_MESSAGE_ID: Final = re.compile(r"<([^<>\s]{1,250})>")


class MalformedMail(Exception):
    """Bytes that we do not take as a mail; the message is a sentence for its sender."""


@dataclass(frozen=True)
class IncomingMessage:
    """The parts of a mail that matter here.

    `sender` is the one address in `From`, in lower case, None if there is not exactly one; `name`
    is the name in front of it. `automatic` says why the mail is not from a person, None if it is.
    `answers` are the Message-IDs of the mails that it answers, `languages` the codes of those that
    its head names, first its own.
    """

    id: str | None
    sender: str | None
    name: str
    subject: str
    answers: tuple[str, ...]
    automatic: str | None
    authentication: tuple[str, ...]
    content: bytes = field(repr=False)
    languages: tuple[str, ...] = ()
    is_given_up: bool = False
    """Whether its body is no longer read, because this was tried too often."""
    is_brief: bool = False
    """Whether only the beginning of its body is read, since nobody knows who wrote it."""

    def answers_notice(self, kind: str) -> bool:
        """Whether it answers a mail of ours of this kind, by its Message-ID."""
        answered = next(iter(self.answers), "").partition("@")[0]
        return answered.rpartition(".")[2] == kind

    @property
    def seconds_apart(self) -> float:
        """The processor time that another process has taken to read its body."""
        body: ReadBody | None = self.__dict__.get("body")
        return body.seconds if body else 0.0

    @cached_property
    def body(self) -> ReadBody:
        """The body: its text, or why there is none. Read on first access. Raises OSError."""
        if self.is_given_up:
            return GIVEN_UP
        return read_beginning(self.content) if self.is_brief else read_apart(self.content)


def check_form(raw: bytes) -> bytes:
    """Return the mail with plain line ends. Raises `MalformedMail` if it is too large or
    malformed."""
    if len(raw) > MAX_SIZE:
        raise MalformedMail(f"A mail may have at most {MAX_SIZE // 1024 // 1024} MiB.")
    if _BARE.search(raw) or b"\0" in raw:
        raise MalformedMail("The mail holds a line break of half a kind, or a zero byte.")
    lines = raw.replace(b"\r\n", b"\n")
    head = lines.partition(b"\n\n")[0]
    if len(head) > MAX_HEAD or head.count(b"\n") > MAX_HEADERS:
        raise MalformedMail("The head of the mail is too long.")
    if _OLD_FROM.search(head):
        raise MalformedMail("The mail names its sender in a form that nobody writes any more.")
    if lines.count(b"\n--") > 5 * MAX_PARTS or lines.lower().count(b"multipart/") > _MULTIPARTS:
        raise MalformedMail("The mail has too many parts.")
    return lines


def read(raw: bytes) -> IncomingMessage:
    """Read a mail's head. Raises `MalformedMail`, and nothing else."""
    lines = check_form(raw)
    try:
        return _read(lines)
    except _FAILURES:
        raise MalformedMail("The mail cannot be read.") from None


def recipients(message: IncomingMessage) -> tuple[str, ...]:
    """Return the addresses of the recipients, in lower case: first those in headers that mail
    servers add, such as `Delivered-To`, then those in `To` and `Cc`. Raises `MalformedMail`."""
    head, addresses = read_head(message.content), list[str]()
    try:
        for header in ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc"):
            values = [str(value)[:4000] for value in head.get_all(header, [])[:10]]
            addresses += [address.lower() for _, address in getaddresses(values) if "@" in address]
    except _FAILURES:
        raise MalformedMail("The mail cannot be read.") from None
    return tuple(dict.fromkeys(addresses))


def read_head(lines: bytes) -> Message:
    """Parse the head of a mail with plain line ends."""
    return BytesHeaderParser(policy=compat32).parsebytes(lines.partition(b"\n\n")[0] + b"\n\n")


def _read(lines: bytes) -> IncomingMessage:
    head = read_head(lines)
    name, sender = _sender(head)
    ids = _ids(head, "Message-ID")
    return IncomingMessage(
        id=ids[0] if ids else None,
        sender=sender,
        name=name,
        subject=decoded(str(head.get("Subject", ""))),
        answers=(*_ids(head, "In-Reply-To"), *_ids(head, "References")),
        automatic=body.reason(head, sender),
        authentication=tuple(map(str, head.get_all("Authentication-Results", []))),
        content=lines,
        languages=tuple(_languages(head)),
    )


def _sender(message: Message) -> tuple[str, str | None]:
    """Return the name and the address in `From`; "" and None unless it names exactly one sender."""
    values = [str(value) for value in message.get_all("From", [])]
    if len(values) != 1 or len(values[0]) > 2000:
        return "", None
    senders = getaddresses(values)
    plain = _FROM.fullmatch(_QUOTED.sub("", values[0]).strip())
    if len(senders) != 1 or plain is None or senders[0][1] not in plain.groups():
        return "", None
    return decoded(senders[0][0]), senders[0][1].lower()


def _languages(message: Message) -> Iterator[str]:
    for header in ("Content-Language", "Accept-Language"):
        for value in message.get_all(header, [])[:1]:
            yield from _LANGUAGE.findall(str(value)[:200])


def _ids(message: Message, header: str) -> list[str]:
    values = [str(value) for value in message.get_all(header, [])[:2]]
    return [message_id for value in values for message_id in _MESSAGE_ID.findall(value)][-50:]


@dataclass(frozen=True, slots=True)
class LetterReader:
    """Reads mails as letters."""

    players: Players
    signatures: MailSignatures
    ours: Ours

    def read(
        self,
        message: IncomingMessage,
        player: Player | None,
        at_table: Iterable[str] = (),
        sent: SentWords = NOTHING_SENT,
        asked_about: Iterable[str] = (),
    ) -> Letter:
        """Read the mail of this player, None for somebody without an account.

        `at_table` holds the ids of the game's players, whom the letter may greet. `sent` holds the
        words of the mail that it answers. `asked_about` are lines that count as confirmed to be
        the player's signature.
        """
        others_at_table = {each for each in at_table if player is None or each != player.id}
        others = [each.name for each in self.players.by_id(others_at_table).values()]
        own = [message.name, self.ours.name]
        own += [player.name] if player else _names_in_address(message.sender or "")
        signature = self.signatures.of(player.id) if player else ()
        greeted = {
            name for name in _names([self.ours.name, *others]) if may_be_name(plain_form(name))
        }
        names = _names(own) | {OTHER + name for name in greeted}
        facts = WriterFacts(names, {*signature, *asked_about}, self.ours, sent)
        return read_letter(message.body, message.subject, facts)


def _names_in_address(address: str) -> list[str]:
    """Return the words of an address before its @, for somebody of whom no name may be known. None
    is a word that takes something back."""
    words = re.findall(r"[^\W\d_]{2,}", address.partition("@")[0])
    return [word for word in words if not takes_back(word)]


def _names(names: Iterable[str]) -> set[str]:
    """Return these names and the parts of them, without any that reads as a command: a player
    called "Pass" does not sign with it."""
    parts = {part for name in names for part in (name, *name.split())}
    read = ((part, read_commands([Line(1, plain_form(part))])) for part in parts if part)
    return {part for part, commands in read if isinstance(commands, Unread)}
