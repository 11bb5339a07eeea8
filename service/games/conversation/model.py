"""A message from one player of a game to the other, and the rules for its text."""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import engine
from service.core.durations import DAY
from service.core.errors import RequestRejected

LONGEST: Final = 1000
"""The most characters of a message."""
MOST_LINES: Final = 40
MOST_MESSAGES: Final = 200
"""The most messages of a game; the oldest are deleted first."""
OPEN_AFTER_END: Final = 30 * DAY
"""Seconds after the end of a game for which its players can still write."""

_JOINERS: Final = "\u200c\u200d"
"""Zero-width characters that join letters and emoji."""
_BREAKS: Final = re.compile("\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
_HIDDEN: Final = ("Cc", "Cf", "Cs")
"""Unicode's categories of control and format characters, some of which reverse the text, and of
lone surrogates."""
_TAGS: Final = range(0xE0020, 0xE0080)
"""Format characters that spell flags."""


@dataclass(frozen=True, slots=True)
class GameMessage:
    """A message: its number in the game, from 1, its writer, moment (RFC 3339) and transport."""

    number: int
    by: engine.Seat
    at: str
    via: str
    text: str


def clean_text(text: str) -> str:
    """The text to store: without invisible characters and those that change how other text shows.

    Raises `RequestRejected`, `bad-message`, for an empty or too long text.
    """
    shown = plain_text(text)
    if not shown:
        raise RequestRejected("bad-message", "There is nothing in the message to be read.")
    if len(shown) > LONGEST or shown.count("\n") >= MOST_LINES:
        raise RequestRejected(
            "bad-message", f"A message has at most {LONGEST} characters and {MOST_LINES} lines."
        )
    return shown


def plain_text(text: str) -> str:
    """The text with one kind of line end, at most one empty line in a row, and nothing hidden."""
    whole = unicodedata.normalize("NFC", _BREAKS.sub("\n", text)).replace("\t", " ")
    shown = "".join(c for c in whole if c == "\n" or _is_shown(c))
    lines = "\n".join(line.rstrip() for line in shown.split("\n"))
    return re.sub("\n{3,}", "\n\n", lines).strip()


def stored_message(message: GameMessage, key: str) -> str:
    """The message as stored, with the digest of its idempotency key.

    The script that deletes old messages looks for the key at the beginning.
    """
    fields = {"key": key, "by": message.by, "at": message.at, "via": message.via}
    return json.dumps({**fields, "text": message.text}, separators=(",", ":"), ensure_ascii=False)


def read_message(number: int, stored: str | None) -> GameMessage | None:
    """The message of this number; None if it is gone or unreadable."""
    try:
        fields: Any = json.loads(stored or "")
    except ValueError:
        return None
    if stored_problem(fields) is not None:
        return None
    return GameMessage(number, fields["by"], fields["at"], fields["via"], fields["text"])


def stored_problem(value: object) -> str | None:
    """The problem with a stored message, read from JSON; None if it is valid."""
    if not isinstance(value, Mapping) or value.keys() != {"key", "by", "at", "via", "text"}:
        return "a message has other parts"
    if not all(isinstance(part, str) for part in value.values()):
        return "a part of a message is no text"
    if value["by"] not in engine.SEATS or value["via"] not in ("api", "web", "mail"):
        return "a message comes from nobody"
    if not re.fullmatch("[0-9a-f]{64}", value["key"]):
        return "a message has no key"
    if not re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", value["at"], re.ASCII):
        return "a message has no moment"
    if (
        not value["text"]
        or value["text"] != plain_text(value["text"])
        or len(value["text"]) > LONGEST
    ):
        return "the text of a message is out of form"
    return None


def _is_shown(character: str) -> bool:
    if unicodedata.category(character) not in _HIDDEN:
        return True
    return character in _JOINERS or ord(character) in _TAGS
