"""Text as mails encode it, in heads and parts."""

import codecs
from email.header import decode_header
from typing import Final

_REFUSED: Final = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7")
"""Slow ones, ones that no mail is written in, and one that hides plain letters from readers."""


def decoded(text: str) -> str:
    """A header's text with its encoded words read."""
    parts = [_as_text(part, charset) for part, charset in decode_header(text[:500])]
    return " ".join("".join(parts).split())


def _as_text(part: bytes | str, charset: str | None) -> str:
    return part if isinstance(part, str) else decode(part, charset or "ascii")


def decode(content: bytes, charset: str) -> str:
    """The text, whatever was said of its encoding; what cannot be read is marked."""
    try:
        known = codecs.lookup(charset).name
        if known not in _REFUSED:
            return content.decode(known, "replace")
    except (LookupError, ValueError, AssertionError):
        pass
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")
