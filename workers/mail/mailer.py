"""Sends mail, to a mail server by SMTP or into the local mailbox, and logs one line for each mail
sent or deliberately not sent:

    mail outcome=held kind=turn about=GAME player=PLAYER id=<MESSAGE-ID> reason=quiet-hours

The line has ids only: no address, no name, no card, and no secret.

Writes a mail as the bytes that leave the server: its head is written once and never parsed.

The library's header classes parse their input, in some versions again on output, so that a name can
become another header. Here text becomes either plain ASCII or encoded words (RFC 2047), a line at a
time, and the finished mail is checked before it leaves.
"""

import logging
import re
import smtplib
from binascii import b2a_qp
from collections.abc import Mapping
from email.errors import HeaderParseError
from email.header import Header, decode_header
from email.headerregistry import Address as ParsedAddress
from functools import lru_cache
from typing import Final, Literal, NamedTuple, Protocol

from service.accounts.email_addresses import FailingAddresses
from service.eventlog import NoticeParts
from service.mail.mailbox import Mailbox
from service.mail.smtp import connected, names_sender, read_smtp_url, send
from workers.leases import retry_until_saved

OWN_HEADERS: Final = frozenset(
    {
        *("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"),
        *("Content-Language", "Auto-Submitted", "X-Auto-Response-Suppress"),
        *("List-Id", "List-Unsubscribe", "List-Unsubscribe-Post"),
        *("X-Scottenbury-Game", "X-Scottenbury-Version", "X-Scottenbury-Head"),
        *("MIME-Version", "Content-Type", "Content-Transfer-Encoding"),
    }
)
"""The headers allowed in our mail, each at most once."""

_LONGEST_LINE: Final = 998  # RFC 5322, section 2.1.1, without CR LF
_LINE: Final = 76
_BOUNDARY: Final = "=_scottenbury"  # quoted-printable text never holds `=_` (RFC 2045, 6.7)
_PLAIN_PHRASE: Final = re.compile(r"[A-Za-z0-9'+_-]+(?: [A-Za-z0-9'+_-]+)*")
_FIELD: Final = re.compile(rb"([A-Za-z-]+): [\x20-\x7e]+")
_CONTINUED: Final = re.compile(rb"[ \t][\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*")


class UnsafeMail(Exception):
    """A mail that could be misread as something else. It must not be sent."""


class Address(NamedTuple):
    """A display name, which may be empty, and an address: `ada@example.org`."""

    name: str
    email: str


class Message(NamedTuple):
    """A checked mail: its Message-ID, the addresses of its envelope, its bytes, and its plain text.

    `author`, the address in `From`, is the sender if a mail server accepts no other.
    """

    id: str
    sender: str
    recipient: str
    raw: bytes
    author: str
    text: str


class Body(NamedTuple):
    """The content of a mail, as text and as HTML."""

    text: str
    html: str


def build(
    sender: Address, to: Address, subject: str, headers: Mapping[str, str], body: Body
) -> Message:
    """Build a mail from these headers, which include Message-ID, plus From, To and Subject.

    Values are written unchanged. Raises `UnsafeMail`.
    """
    plain = subject.isascii() and subject.isprintable() and "=?" not in subject
    fits = plain and len(subject) <= _LONGEST_LINE // 2
    head = [
        ("From", _address("From", sender)),
        ("To", _address("To", to)),
        ("Subject", subject if fits else _encoded("Subject", subject)),
        *headers.items(),
    ]
    lines = "".join(f"{name}: {value}\r\n" for name, value in head)
    # Text comes first: mail programs show the last part that they support.
    parts = _part("plain", body.text), _part("html", body.html)
    mime = f'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="{_BOUNDARY}"\r\n'
    mixed = b"".join(f"--{_BOUNDARY}\r\n".encode() + part for part in parts)
    raw = lines.encode("ascii", "backslashreplace") + mime.encode()
    raw += b"\r\n" + mixed + f"--{_BOUNDARY}--\r\n".encode()
    check(raw)
    return Message(headers["Message-ID"], sender.email, to.email, raw, sender.email, body.text)


def check(raw: bytes) -> None:
    """Raise `UnsafeMail` unless this has our headers only, each once, and no stray line break."""
    if not raw.count(b"\r\n") == raw.count(b"\r") == raw.count(b"\n") or b"\0" in raw:
        raise UnsafeMail("a line break or a zero byte stands alone")
    lines = raw.split(b"\r\n")
    if max(map(len, lines)) > _LONGEST_LINE:
        raise UnsafeMail("a line is too long")
    seen: set[str] = set()
    for line in lines[: lines.index(b"")]:
        if _CONTINUED.fullmatch(line):
            continue
        field = _FIELD.fullmatch(line)
        name = field[1].decode() if field else ""
        if name not in OWN_HEADERS or name in seen:
            raise UnsafeMail(f"the head has a line that is not ours: {line!r}")
        seen.add(name)
    try:  # encoded words hold one line, and no further encoded words
        head = decode_header(raw.partition(b"\r\n\r\n")[0].decode("ascii"))
        words = [word for word, charset in head if charset]
        decoded = b" ".join(word for word in words if isinstance(word, bytes)).decode()
    except (HeaderParseError, ValueError) as error:
        raise UnsafeMail(f"the head cannot be decoded: {error}") from error
    if "=?" in decoded or not decoded.isprintable():
        raise UnsafeMail("the head hides something in an encoded word")


def _part(subtype: str, text: str) -> bytes:
    head = (
        f'Content-Type: text/{subtype}; charset="utf-8"\r\n'
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    )
    return head.encode() + b2a_qp(text.replace("\n", "\r\n").encode()) + b"\r\n"


def _address(header: str, address: Address) -> str:
    """Return a name and an address in the form for a header (RFC 5322, `mailbox`)."""
    spec = _addr_spec(address.email)
    if not address.name:
        return spec
    if _PLAIN_PHRASE.fullmatch(address.name):
        return f"{address.name} <{spec}>"
    # A name in encoded words may fill its last line, so the address begins another.
    return f"{_encoded(header, address.name)}\r\n <{spec}>"


@lru_cache(1000)
def _addr_spec(email: str) -> str:
    """Return the e-mail address unchanged, if it is exactly one. Raises `UnsafeMail` otherwise."""
    try:
        same = ParsedAddress(addr_spec=email).addr_spec == email
    except (HeaderParseError, ValueError, IndexError):
        same = False
    if not same or not email.isascii() or not email.isprintable() or "=?" in email:
        raise UnsafeMail(f"not an address that mail can go to: {email!r}")
    return email


def _encoded(header: str, text: str) -> str:
    """Return the text as encoded words, a line each. Raises `UnsafeMail`."""
    try:
        written = Header(text, "utf-8", maxlinelen=_LINE, header_name=header)
        return written.encode(linesep="\r\n")
    except UnicodeError as error:
        raise UnsafeMail(f"{header} cannot be encoded: {error}") from error


TIMEOUT = 15.0
"""Seconds for each response of the mail server except the last."""
LAST_TIMEOUT = 600.0
"""Seconds for the response to the mail itself (RFC 5321, 4.5.3.2.6): the server may have accepted
it already, and giving up early would send it twice."""
MOST_ANSWERS: Final = 16
"""Number of responses before the last: to connection, encryption, password, and two senders."""
# Enhanced status codes (RFC 3463).
_ADDRESS: Final = re.compile(rb"5\.[12]\.")
_POLICY: Final = re.compile(rb"5\.7\.")

log = logging.getLogger(__name__)


class Mailer(Protocol):
    """A way to send mail."""

    needs_address: bool
    """Whether it reaches only players with a verified e-mail address."""

    def send(self, message: Message) -> None:
        """Send the mail; any failure raises."""


class MailboxMailer:
    """Sends into the local mailbox, which stores each mail once."""

    needs_address = False

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    def send(self, message: Message) -> None:
        self._mailbox.add(message.id, message.raw.decode("ascii").replace("\r\n", "\n"))


class SmtpMailer:
    """Sends to a mail server, over a connection for each mail: the server may restart."""

    needs_address = True

    def __init__(self, url: str) -> None:
        self._server = read_smtp_url(url)

    def send(self, message: Message) -> None:
        with connected(self._server, TIMEOUT, LAST_TIMEOUT) as smtp:
            send(smtp, (message.sender, message.author), message.recipient, message.raw)


class WatchingMailer:
    """Sends through another mailer, and records which addresses are refused for good."""

    def __init__(self, mailer: Mailer, failing: FailingAddresses) -> None:
        self._mailer = mailer
        self._failing = failing
        self.needs_address = mailer.needs_address

    def send(self, message: Message) -> None:
        try:
            self._mailer.send(message)
        except smtplib.SMTPException as error:
            if refusal := read_refusal(error):
                said, by_policy = refusal
                self._failing.mark(message.recipient, said, by_policy=by_policy)
            raise
        retry_until_saved(lambda: self._failing.clear_refusal(message.recipient))


class Refusal(NamedTuple):
    """A mail server's text when it refused a mail for good, and whether the reason is a rule of its
    own, such as one against spam or relaying, rather than the address."""

    said: str
    by_policy: bool


def read_refusal(error: smtplib.SMTPException) -> Refusal | None:
    """Return the refusal to show to the recipient; None if it is temporary, or if the server
    refuses our sender, which concerns only the operator."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        by_policy = _POLICY.match(said) is not None
    elif isinstance(error, smtplib.SMTPDataError):
        code, text = error.smtp_code, error.smtp_error
        said = text.encode() if isinstance(text, str) else text
        by_policy = _ADDRESS.match(said) is None
    else:
        return None
    if code < 500 or names_sender(said):
        return None
    return Refusal(f"{code} {said.decode(errors='replace')}", by_policy)


def is_permanent(error: Exception) -> bool:
    """Whether a retry is useless: the address is refused, or the mail is unsafe."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code >= 500
    return isinstance(error, UnsafeMail)


Written = Literal["sent", "held", "dropped"]
_WORDS: Final[dict[str, Written]] = {"sent": "sent", "postponed": "held", "dropped": "dropped"}


def log_outcome(notice: NoticeParts, message_id: str, outcome: str, reason: str) -> None:
    """Log the outcome of this notice's mail."""
    _write(logging.INFO, notice, message_id, _WORDS[outcome], reason)


def log_failure(notice: NoticeParts, message_id: str, error: Exception, *, is_final: bool) -> None:
    """Log a failed mail, which is retried unless the failure `is_final`."""
    level = logging.ERROR if is_final else logging.WARNING
    _write(level, notice, message_id, "dropped" if is_final else "held", failure(error))


def failure(error: Exception) -> str:
    """Return the name and status of an error, without the mail server's text, which may contain an
    address."""
    name = type(error).__name__
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "-".join([name, *{str(code) for code, _ in error.recipients.values()}])
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{name}-{error.smtp_code}"
    return name


def _write(level: int, notice: NoticeParts, message_id: str, outcome: Written, reason: str) -> None:
    line = "mail outcome=%s kind=%s about=%s player=%s id=%s reason=%s"
    said = (outcome, notice.kind, notice.subject, notice.recipient, message_id, reason)
    log.log(level, line, *said)
