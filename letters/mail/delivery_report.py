"""Parses a mail server's report about a mail that it could not deliver (RFC 3464)."""

from collections.abc import Iterator, Sequence
from email.message import Message
from email.parser import HeaderParser
from email.policy import compat32
from re import fullmatch, search
from typing import Any, Final, Literal, NamedTuple

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
