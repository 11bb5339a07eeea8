"""Redis queries, and runs of a script, that are executed together in one round trip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from redis import RedisCluster
from redis.commands.core import Script
from redis.exceptions import ResponseError

from service.core.redis.client import Client

Parsed = TypeVar("Parsed")
Mapped = TypeVar("Mapped")
Command = tuple[str | int, ...]
Keys = Sequence[str]
Args = Sequence[str | float]


@dataclass(frozen=True, slots=True)
class Query(Generic[Parsed]):
    """A command, and the parser of its reply, which may be an error."""

    command: Command
    parse: Callable[[Any], Parsed]

    def then(self, further: Callable[[Parsed], Mapped]) -> "Query[Mapped]":
        """The same query, with a function applied to its result."""
        return Query(self.command, lambda reply: further(self.parse(reply)))


def raising(parse: Callable[[Any], Parsed]) -> Callable[[Any], Parsed]:
    """This parser for replies that are no errors: an error is raised."""

    def checked(reply: Any) -> Parsed:
        if isinstance(reply, Exception):
            raise reply
        return parse(reply)

    return checked


def execute(redis: Client, query: Query[Parsed]) -> Parsed:
    """Execute one query and parse its reply."""
    send: Callable[..., Any] = redis.execute_command
    try:
        reply = send(*query.command)
    except ResponseError as error:
        reply = error
    return query.parse(reply)


def execute_all(redis: Client, queries: Sequence[Query[Parsed]]) -> list[Parsed]:
    """The results of these queries, in one round trip. Raises what a parser raises."""
    replies = execute_many(redis, queries) if queries else []
    return [query.parse(reply) for query, reply in zip(queries, replies, strict=True)]


def execute_many(redis: Client, queries: Sequence[Query[Any]]) -> list[Any]:
    """The raw replies to these queries, errors included; parse each with its query."""
    with redis.pipeline(transaction=False) as pipeline:
        for query in queries:
            pipeline.execute_command(*query.command)
        found: list[Any] = pipeline.execute(raise_on_error=False)
    return found


def run_many(redis: Client, script: Script, runs: Sequence[tuple[Keys, Args]]) -> list[Any]:
    """The results of a script, run once for each pair of keys and arguments.

    In one round trip on a single server; a cluster takes no scripts in a pipeline.
    """
    if len(runs) < 2 or isinstance(redis, RedisCluster):
        return [script(keys=keys, args=args) for keys, args in runs]
    with redis.pipeline(transaction=False) as pipeline:
        for keys, args in runs:
            script(keys=keys, args=args, client=pipeline)
        results: list[Any] = pipeline.execute()
    return results
