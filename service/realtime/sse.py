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


def message(event: str, last_id: str, text: str) -> str:
    """A message of the type `event`, with a text of one line.

    Clients of a browser's `EventSource` listen for each type by name. `open`, `message` and `error`
    are its own.
    """
    return f"id: {last_id}\nevent: {event}\ndata: {text}\n\n"


def messages(several: Iterable[tuple[str, str, str]]) -> str:
    """A message for each type, id and text."""
    return "".join(message(event, last_id, text) for event, last_id, text in several)
