"""What a view says beside its answer where more may follow.

A server that does not look at it sends the answer as it is: a long poll then answers at once, and a
stream ends early, upon which its client comes again with `Last-Event-ID`.
"""

from typing import Any, Final, NamedTuple

HELD: Final = "scottenbury.held"
AGAIN: Final = "scottenbury.again"
"""In the WSGI environment of a request that the front asks again for a client who waits."""


class Wait(NamedTuple):
    """Nothing to tell yet: ask again at news of these topics, and after `seconds` for good."""

    topics: frozenset[str]
    seconds: float


class Follow(NamedTuple):
    """A stream up to event `last_id`: ask again from there at news of these topics, or `at_once`
    where there is more already."""

    topics: frozenset[str]
    last_id: str
    at_once: bool = False


Held = Wait | Follow


def hold(environ: dict[str, Any], held: Held) -> None:
    """Ask the front to go on with this request."""
    environ[HELD] = held


def asked_again(environ: dict[str, Any]) -> bool:
    """Whether this request was asked before, for a client who has been waiting since."""
    return AGAIN in environ
