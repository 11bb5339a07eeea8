"""Server-sent events, as the HTML standard has them."""

from collections.abc import Iterable
from typing import Final

MIMETYPE: Final = "text/event-stream"
COMMENT: Final = b":\n\n"
"""Says nothing, and keeps proxies and clients from giving the connection up."""
RETRY: Final = 2000
"""Milliseconds after which a client whose connection broke comes again."""


def beginning(last_id: str) -> str:
    """How a stream begins: where it stands, for a client who has to come again at once."""
    return f"retry: {RETRY}\nid: {last_id}\n\n"


def named(event: str, last_id: str, text: str) -> str:
    """A message of a type of its own, with a text of one line."""
    return f"event: {event}\nid: {last_id}\ndata: {text}\n\n"


def messages(numbered: Iterable[tuple[str, str]]) -> str:
    """A message for each pair of an id and a text of one line."""
    return "".join(f"id: {number}\ndata: {text}\n\n" for number, text in numbered)
