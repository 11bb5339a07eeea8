"""Round trips to Redis, counted where commands leave for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from redis.connection import AbstractConnection


class RoundTrips:
    """How often something was sent: a pipeline, or the run of a script, is one round trip."""

    count = 0


@contextmanager
def round_trips() -> Iterator[RoundTrips]:
    """Count what this process sends to Redis meanwhile."""
    counted, send = RoundTrips(), AbstractConnection.send_packed_command

    def counting(connection: AbstractConnection, *args: Any, **options: Any) -> None:
        counted.count += 1
        send(connection, *args, **options)

    AbstractConnection.send_packed_command = counting  # type: ignore[method-assign]
    try:
        yield counted
    finally:
        AbstractConnection.send_packed_command = send  # type: ignore[method-assign]
