"""Reading one mail: who wrote it, whether a machine did, and the text.

Nothing in a mail can make this fail, or take long: its size, head and parts are counted before
the library parses them.
"""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message
from email.utils import getaddresses
from typing import Any, Final, NamedTuple

from service.mail_in.reading import automatic, html_text
from service.mail_in.reading.delivery_report import DeliveryReport, read_report
from service.mail_in.reading.headers import decode, decoded

MAX_SIZE: Final = 2 * 1024 * 1024
"""Bytes of a mail. An answer is short; a picture in a signature is not."""
MAX_HEAD: Final = 64 * 1024
MAX_HEADERS: Final = 1000
"""Lines of a mail's head."""
MAX_PARTS: Final = 100
MAX_TEXT: Final = 64 * 1024
"""Characters of text that are read. Below it lie quotations of quotations."""

_MULTIPARTS: Final = 20
_BARE: Final = re.compile(rb"\r(?!\n)")
_OLD_FROM: Final = re.compile(rb"^from[ \t]+:", re.IGNORECASE | re.MULTILINE)
"""`From :`, which mail servers may read as a sender, and the library passes over."""
_QUOTED: Final = re.compile(r'"(?:\\.|[^"\\])*"')
_FROM: Final = re.compile(
    r"\s*(?:(?:[^<>()@]|\([^()]*\))*<\s*([^<>()\s,;:]+@[^<>()\s,;:@]+)\s*>|([^<>()\s,;:]+@[^<>()\s,;:@]+))"
    r"\s*(?:\([^()]*\)\s*)?"
)
"""One sender, in a form that nobody reads as another."""
_MESSAGE_ID: Final = re.compile(r"<([^<>\s]{1,250})>")
_ENCRYPTED: Final = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


class MalformedMail(Exception):
    """Bytes that are no mail we take; the message is a sentence for whoever sent it."""


class Text(NamedTuple):
    """The text of a mail; `flowed` and `delsp` say how its lines continue (RFC 3676).

    Of HTML, `below` is what stands where a copy of another mail has begun.
    """

    text: str
    flowed: bool = False
    delsp: bool = False
    below: str = ""


class IncomingMessage(NamedTuple):
    """What matters of a mail.

    `sender` is the one address that it is from, in lower case, None if there is not exactly one;
    `name` what stands beside it. `automatic` says why it is not from a person, None for a person's.
    `answers` are the Message-IDs that it answers. `problem` is `encrypted` or `no-text` where
    there is no text to read. `report` is a mail server's, of a mail that it could not deliver.
    """

    id: str | None
    sender: str | None
    name: str
    recipients: tuple[str, ...]
    answers: tuple[str, ...]
    automatic: str | None
    authentication: tuple[str, ...]
    text: Text
    problem: str | None
    report: DeliveryReport | None = None


def check_form(raw: bytes) -> bytes:
    """The mail with plain line ends. Raises `MalformedMail` for one too large, or out of form."""
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
    """Read a mail. Raises `MalformedMail`, and nothing else."""
    lines = check_form(raw)
    try:
        return _read(message_from_bytes(lines, policy=policy.compat32))
    except (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        # The library raises all kinds of errors for what is out of form.
        raise MalformedMail("The mail cannot be read.") from None


def _read(message: Message) -> IncomingMessage:
    if sum(1 for _ in message.walk()) > MAX_PARTS:
        raise MalformedMail("The mail has too many parts.")
    name, sender = _sender(message)
    text, problem = _text(message)
    ids = _ids(message, "Message-ID")
    return IncomingMessage(
        id=ids[0] if ids else None,
        sender=sender,
        name=name,
        recipients=_recipients(message),
        answers=(*_ids(message, "In-Reply-To"), *_ids(message, "References")),
        automatic=automatic.reason(message, sender),
        authentication=tuple(map(str, message.get_all("Authentication-Results", []))),
        text=text,
        problem=problem,
        report=read_report(message),
    )


def _sender(message: Message) -> tuple[str, str | None]:
    """The name and the address in `From`."""
    values = [str(value) for value in message.get_all("From", [])]
    if len(values) != 1 or len(values[0]) > 2000:
        return "", None
    found = getaddresses(values)
    plain = _FROM.fullmatch(_QUOTED.sub("", values[0]))
    if len(found) != 1 or plain is None or found[0][1] not in plain.groups():
        return "", None
    return decoded(found[0][0]), found[0][1].lower()


def _recipients(message: Message) -> tuple[str, ...]:
    """The addresses to which the mail was delivered, those that a mail server noted first."""
    found: list[str] = []
    for header in ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc"):
        values = [str(value)[:4000] for value in message.get_all(header, [])[:10]]
        found += [address.lower() for _, address in getaddresses(values) if "@" in address]
    return tuple(dict.fromkeys(found))


def _ids(message: Message, header: str) -> list[str]:
    values = [str(value) for value in message.get_all(header, [])[:2]]
    return [found for value in values for found in _MESSAGE_ID.findall(value)][-50:]


def _text(message: Message) -> tuple[Text, str | None]:
    kinds = {part.get_content_type() for part in message.walk()}
    if kinds.intersection(_ENCRYPTED) and not _is_signed_only(message):
        return Text(""), "encrypted"
    texts = list(_texts(message))
    joined = "\n".join(text.text for text in texts)[:MAX_TEXT]
    if "-----BEGIN PGP MESSAGE-----" in joined:
        return Text(""), "encrypted"
    below = "\n".join(text.below for text in texts)[:MAX_TEXT]
    if not joined.strip():
        return Text("", below=below), "no-text"
    flowed = all(text.flowed for text in texts)
    return Text(joined, flowed, flowed and all(text.delsp for text in texts), below), None


def _is_signed_only(message: Message) -> bool:
    """Whether the text can be read beside the signature, which is then a part of its own."""
    return message.get_content_type() == "multipart/signed"


def _texts(part: Message) -> Iterator[Text]:
    """The texts for people in this part, in their order; of alternatives the plain one."""
    kind = part.get_content_type()
    if part.get_content_maintype() == "message":
        return  # another mail, or a report of one
    if part.is_multipart():
        parts: list[Any] = list(part.get_payload())
        if kind != "multipart/alternative":
            for inner in parts:
                yield from _texts(inner)
            return
        choices = [list(_texts(inner)) for inner in parts]
        plain = [found for inner, found in zip(parts, choices, strict=True) if _is_plain(inner)]
        wanted = [found for found in (*plain, *choices) if any(one.text.strip() for one in found)]
        yield from wanted[0] if wanted else ()
    elif part.get_content_disposition() != "attachment" and not part.get_filename():
        if kind == "text/plain":
            flowed = str(part.get_param("format", "")).lower() == "flowed"
            yield Text(_content(part), flowed, str(part.get_param("delsp", "")).lower() == "yes")
        elif kind == "text/html":
            read = html_text.text_of(_content(part))
            yield Text(read.text, below=read.below)


def _is_plain(part: Message) -> bool:
    return part.get_content_type() == "text/plain"


def _content(part: Message) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    return decode(content, part.get_content_charset() or "utf-8")
