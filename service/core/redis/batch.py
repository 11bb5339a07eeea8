"""Redis queries that can be executed together, in one round trip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from redis.exceptions import ResponseError

from service.core.redis.client import Client

Parsed = TypeVar("Parsed")
Mapped = TypeVar("Mapped")
Command = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Query(Generic[Parsed]):
    """A command, and the parser of its reply, which may be an error."""

    command: Command
    parse: Callable[[Any], Parsed]

    def then(self, further: Callable[[Parsed], Mapped]) -> "Query[Mapped]":
        """The same query, with a function applied to its result."""
        return Query(self.command, lambda reply: further(self.parse(reply)))


def execute(redis: Client, query: Query[Parsed]) -> Parsed:
    """Execute one query and parse its reply."""
    send: Callable[..., Any] = redis.execute_command
    try:
        reply = send(*query.command)
    except ResponseError as error:
        reply = error
    return query.parse(reply)


def execute_many(redis: Client, queries: Sequence[Query[Any]]) -> list[Any]:
    """The raw replies to these queries, errors included; parse each with its query."""
    with redis.pipeline(transaction=False) as pipeline:
        for query in queries:
            pipeline.execute_command(*query.command)
        found: list[Any] = pipeline.execute(raise_on_error=False)
    return found
