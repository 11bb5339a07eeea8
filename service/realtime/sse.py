"""Server-sent events, as the HTML standard defines them."""

from collections.abc import Iterable
from typing import Final

MIMETYPE: Final = "text/event-stream"
COMMENT: Final = b":\n\n"
"""An empty comment, which keeps proxies and clients from closing an idle connection."""
RESET: Final = "reset"
"""The type of the message that a stream is not what it was: some may be missing, or all begin anew.
No event has this type."""
RETRY: Final = 2000
"""Milliseconds after which a client whose connection broke reconnects."""


def preamble(last_id: str) -> str:
    """Return the start of a stream. It contains the position `last_id`, for a client that has to
    reconnect at once."""
    return f"retry: {RETRY}\nid: {last_id}\n\n"


def message(event: str, last_id: str, text: str) -> str:
    """Return a message of type `event`, with a text of one line.

    A browser's `EventSource` has a listener for each type, by its name. It uses the names `open`,
    `message` and `error` itself.
    """
    return f"id: {last_id}\nevent: {event}\ndata: {text}\n\n"


def messages(parts: Iterable[tuple[str, str, str]]) -> str:
    """Return the messages for these triples of type, id and text, joined."""
    return "".join(message(event, last_id, text) for event, last_id, text in parts)
