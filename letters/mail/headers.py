"""Heads of mails: decodes their text, recognises mails that no person wrote (nobody answers them,
or two machines would go on for ever), and parses a mail server's report about a mail that it could
not deliver (RFC 3464)."""

import codecs
import re
from collections.abc import Iterator, Sequence
from email.header import decode_header
from email.message import Message
from email.parser import HeaderParser
from email.policy import compat32
from re import fullmatch, search
from typing import Any, Final, Literal, NamedTuple

_REFUSED: Final = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7")
"""Encodings that are not decoded: slow ones, ones that no mail is written in, and one that hides
plain letters from readers (UTF-7)."""


def decoded(text: str) -> str:
    """Return the first 500 characters of a header with its encoded words (RFC 2047) decoded."""
    parts = [
        (part if isinstance(part, str) else decode(part, charset or "ascii"))
        for part, charset in decode_header(text[:500])
    ]
    return " ".join("".join(parts).split())


def decode(content: bytes, charset: str) -> str:
    """Decode bytes in this charset; in UTF-8, or else Latin-1, if the charset is unknown or
    refused. A byte that cannot be decoded becomes a replacement character."""
    try:
        codec = codecs.lookup(charset).name
        if codec not in _REFUSED:
            return content.decode(codec, "replace")
    except (LookupError, ValueError, AssertionError):
        pass
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


HOPS: Final = 50
"""A mail that passed more servers than this goes in circles."""
_BULK: Final = re.compile(r"bulk|junk|list|auto[-_]?reply", re.IGNORECASE)
_ROBOTS: Final = re.compile(
    r"(mailer-?daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+._-].*)?@", re.IGNORECASE
)
_AUTO_HEADERS: Final = ("X-Autoreply", "X-Autorespond", "X-Auto-Response", "X-Mail-Autoreply")
_LIST_HEADERS: Final = (
    "List-Id",
    "List-Unsubscribe",
    "List-Post",
    "Mailing-List",
    "X-Mailing-List",
)
_OURS: Final = "X-Scottenbury-Game"
_AWAY: Final = re.compile(
    r"""\s*(auto(matic|mated)?[ -]?(reply|response)|auto:|out\ of\ (the\ )?office|
    automatische\ antwort|abwesen|abwesenheit|r[ée]ponse\ automatique|absence\ du\ bureau|
    respuesta\ autom[áa]tica|fuera\ de\ la\ oficina|risposta\ automatica|resposta\ autom[áa]tica|
    automatisch\ antwoord|afwezig|autosvar|automatiskt\ svar|automaattinen\ vastaus|
    automatyczna\ odpowied|automatick[áa]\ odpov|автоматический\ ответ|автоответ|
    自动回复|自動回覆|自動応答|자동\ ?회신|undeliver|delivery\ status|mail\ delivery\ fail|
    returned\ mail|failure\ notice|unzustellbar)""",
    re.IGNORECASE | re.VERBOSE,
)


def reason(message: Message, sender: str | None) -> str | None:
    """Return why this mail is not from a person, as the label that counts it; None if it is from a
    person."""
    if message.get_content_type() == "multipart/report":
        return "bounce"
    if message[_OURS] is not None or len(message.get_all("Received", [])) > HOPS:
        return "loop"
    if str(message.get("Return-Path", "")).strip() == "<>":
        return "bounce"
    if any(message[name] is not None for name in _LIST_HEADERS):
        return "list"
    submitted = str(message.get("Auto-Submitted", "no")).partition(";")[0].strip().lower()
    answers = any(message[name] is not None for name in _AUTO_HEADERS)
    bulk = _BULK.fullmatch(str(message.get("Precedence", "")).strip())
    away = _AWAY.match(decoded(str(message.get("Subject", ""))))
    if submitted != "no" or answers or bulk or away or (sender and _ROBOTS.match(sender)):
        return "automatic"
    return None


_LONGEST: Final = 300
_LONGEST_HEAD: Final = 20_000
_MOST: Final = 20
_POLICY: Final = r"5\.7\..+|5\.1\.[78]"
"""Matches status codes that do not blame the address: its mail server refuses this mail, this
server or our sender (RFC 3463)."""


class DeliveryReport(NamedTuple):
    """How the delivery of a mail ended.

    `result` is `for_good` if the address does not work, `policy` if a rule refused the mail. `said`
    is the mail server's reason. `of` is the Message-ID of the mail, None if the report lacks its
    head.
    """

    result: Literal["for_good", "policy", "temporary", "delivered"]
    said: str
    of: str | None = None


def read_report(message: Message) -> DeliveryReport | None:
    """Return the report in this mail, None if there is none. Of several recipients the worst result
    counts."""
    if message.get_content_type() != "multipart/report":
        return None
    # Its own parts only: the mail that came back may hold a report too.
    parts: Any = message.get_payload() if message.is_multipart() else []
    reports = filter(None, (_of_recipient(fields) for fields in _recipients(parts)))
    order = ("for_good", "policy", "temporary", "delivered")
    worst = min(reports, key=lambda one: order.index(one.result), default=None)
    return worst and worst._replace(of=_returned(parts))


def _returned(parts: Sequence[Message]) -> str | None:
    """Return the Message-ID of the mail that came back, without brackets; None if its head is
    missing."""
    for part in parts:
        if part.get_content_type() == "message/rfc822" and part.is_multipart():
            inner: Any = part.get_payload()
            head = inner[0]
        elif part.get_content_type() in ("text/rfc822-headers", "text/rfc822"):
            head = HeaderParser(policy=compat32).parsestr(str(part.get_payload())[:_LONGEST_HEAD])
        else:
            continue
        match = search(r"<([^<>\s]{1,250})>", str(head.get("Message-ID", "")))
        return match[1] if match else None
    return None


def _recipients(parts: Sequence[Message]) -> Iterator[Message]:
    """Yield the groups of fields in each report: first one for the whole mail, then one a
    recipient."""
    for part in parts:
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            fields: Any = part.get_payload()
            yield from fields[:_MOST]


def _of_recipient(fields: Message) -> DeliveryReport | None:
    action = str(fields.get("Action", "")).strip().lower()
    status = str(fields.get("Status", "")).strip().partition(" ")[0]
    if not action or not fullmatch(r"[245]\.\d{1,3}\.\d{1,3}", status):
        return None
    said = str(fields.get("Diagnostic-Code", "")).partition(";")[2]
    words = " ".join(f"{status} {said}".split())[:_LONGEST]
    printable = "".join(c for c in words if c.isprintable())
    if action == "failed" and status.startswith("5."):
        policy = fullmatch(_POLICY, status) is not None
        return DeliveryReport("policy" if policy else "for_good", printable)
    if action in ("failed", "delayed"):
        return DeliveryReport("temporary", printable)
    return DeliveryReport("delivered", printable)
