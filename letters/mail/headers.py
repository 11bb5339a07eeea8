"""Decodes text in the heads and parts of mails."""

import codecs
from email.header import decode_header
from typing import Final

_REFUSED: Final = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7")
"""Encodings that are not decoded: slow ones, ones that no mail is written in, and one that hides
plain letters from readers (UTF-7)."""


def decoded(text: str) -> str:
    """Return the first 500 characters of a header with its encoded words (RFC 2047) decoded."""
    parts = [_as_text(part, charset) for part, charset in decode_header(text[:500])]
    return " ".join("".join(parts).split())


def _as_text(part: bytes | str, charset: str | None) -> str:
    return part if isinstance(part, str) else decode(part, charset or "ascii")


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
