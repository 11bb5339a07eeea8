"""Writes a mail as the bytes that leave the server: its head is written once and never parsed.

The library's header classes parse their input, in some versions again on output, so that a name can
become another header. Here text becomes either plain ASCII or encoded words (RFC 2047), a line at a
time, and the finished mail is checked before it leaves.
"""

import re
from binascii import b2a_qp
from collections.abc import Mapping
from email.errors import HeaderParseError
from email.header import Header, decode_header
from email.headerregistry import Address as ParsedAddress
from functools import lru_cache
from typing import Final, NamedTuple

OWN_HEADERS: Final = frozenset(
    {
        *("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"),
        *("Auto-Submitted", "X-Auto-Response-Suppress"),
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
