"""A view's request to let its client wait, because more may follow; and server-sent events, as the
HTML standard defines them.

A server that ignores it sends the response as it is: a long poll then returns at once, and a stream
ends early, whereupon its client reconnects with `Last-Event-ID`.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

DEFERRAL: Final = "scottenbury.deferral"
"""Key in the WSGI environment of the `Deferral`, set by the view."""
MOVED: Final = "scottenbury.moved"
"""Key in the WSGI environment of a rerun: the `Moved`, if the reason for the rerun is known."""
RERUN: Final = "scottenbury.rerun"
"""Key in the WSGI environment that is present if a request is run again for a waiting client."""


class LongPoll(NamedTuple):
    """Nothing to report yet: run the view again when one of these topics changes.

    After `seconds` the latest response is sent, even if it reports nothing new.
    """

    topics: frozenset[str]
    seconds: float


class OpenStream(NamedTuple):
    """A stream that has been sent up to `last_id`: run the view from there when a topic changes.

    With `more` the view is run again at once, because not everything fitted into this response.
    `left`, of the first response, is called if the client is gone before the stream ends.
    """

    topics: frozenset[str]
    last_id: str
    more: bool = False
    left: Callable[[], None] | None = None


class Moved(NamedTuple):
    """The topics that a client waited for, and those with news since the last run."""

    topics: frozenset[str]
    news: frozenset[str]


Deferral = LongPoll | OpenStream


def defer(environ: dict[str, object], deferral: Deferral) -> None:
    """Ask the server to keep the client of this request waiting."""
    environ[DEFERRAL] = deferral


def is_rerun(environ: dict[str, object]) -> bool:
    """Whether this is a rerun for a client who has been waiting."""
    return RERUN in environ


def moved(environ: dict[str, Any]) -> Moved | None:
    """Return the changes since the last run of this request; None if they are unknown."""
    changes: Moved | None = environ.get(MOVED)
    return changes


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
