"""Redis queries, and runs of a script, that are executed together in one round trip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from redis import RedisCluster
from redis.commands.core import Script
from redis.exceptions import NoScriptError, ResponseError

from service.core.redis.client import Client, unavailable

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


@dataclass(slots=True)
class Pending(Generic[Parsed]):
    """The result of a query that was asked in a batch."""

    query: Query[Parsed]
    reply: Any = None
    _parsed: tuple[Parsed] | None = None

    def get(self) -> Parsed:
        """The result, once the batch was sent; parsed when it is first asked for. Raises what the
        parser raises."""
        if self._parsed is None:
            self._parsed = (self.query.parse(self.reply),)
        return self._parsed[0]


class Batch:
    """Queries that are collected from several places and sent in one round trip."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis
        self._asked: list[Pending[Any]] = []

    def ask(self, query: Query[Parsed]) -> Pending[Parsed]:
        """Have this query sent with the others."""
        answer = Pending(query)
        self._asked.append(answer)
        return answer

    def send(self) -> None:
        """Send what was asked since the last time. Raises what `execute_many` raises."""
        asked, self._asked = self._asked, []
        if len(asked) == 1:
            asked[0].reply = _reply(self._redis, asked[0].query)
        elif asked:
            replies = execute_many(self._redis, [answer.query for answer in asked])
            for answer, reply in zip(asked, replies, strict=True):
                answer.reply = reply


def raising(parse: Callable[[Any], Parsed]) -> Callable[[Any], Parsed]:
    """This parser for replies that are no errors: an error is raised."""

    def checked(reply: Any) -> Parsed:
        if isinstance(reply, Exception):
            raise reply
        return parse(reply)

    return checked


def execute(redis: Client, query: Query[Parsed]) -> Parsed:
    """Execute one query and parse its reply. Raises what `execute_many` raises."""
    return query.parse(_reply(redis, query))


def execute_all(redis: Client, queries: Sequence[Query[Parsed]]) -> list[Parsed]:
    """The results of these queries, in one round trip. Raises what a parser raises."""
    replies = execute_many(redis, queries) if queries else []
    return [query.parse(reply) for query, reply in zip(queries, replies, strict=True)]


def execute_many(redis: Client, queries: Sequence[Query[Any]]) -> list[Any]:
    """The raw replies to these queries, errors included; parse each with its query.

    Raises an error that says that Redis cannot serve now: that is no answer to the query.
    """
    with redis.pipeline(transaction=False) as pipeline:
        for query in queries:
            pipeline.execute_command(*query.command)
        return _served(pipeline.execute(raise_on_error=False))


class Run(NamedTuple):
    """A run of a script, with the keys and arguments that it takes."""

    script: Script
    keys: Keys
    args: Args


def run_many(
    redis: Client,
    script: Script,
    runs: Sequence[tuple[Keys, Args]],
    before: Sequence[Command] = (),
) -> list[Any]:
    """The results of a script, run once for each pair of keys and arguments.

    In one round trip on a single server, together with the commands to send `before`, so that they
    wait for the disk once. Raises the first error, once all have run.
    """
    queries = [Query(command, raising(bool)) for command in before]
    replies, results = execute_with_runs(redis, queries, [Run(script, *run) for run in runs])
    for query, reply in zip(queries, replies, strict=True):
        query.parse(reply)
    return results


def execute_with_runs(
    redis: Client, queries: Sequence[Query[Any]], runs: Sequence[Run]
) -> tuple[list[Any], list[Any]]:
    """The raw replies to these queries, as `execute_many` gives them, and the results of these
    runs, which come after them.

    In one round trip on a single server; a cluster takes no scripts in a pipeline. Raises the first
    error of a script, once all have run.
    """
    if isinstance(redis, RedisCluster) or len(runs) + len(queries) < 2:
        replies = execute_many(redis, queries) if queries else []
        return replies, [run.script(keys=run.keys, args=run.args) for run in runs]
    with redis.pipeline(transaction=False) as pipeline:
        send: Callable[..., Any] = pipeline.execute_command
        for query in queries:
            send(*query.command)
        for run in runs:
            pipeline.evalsha(run.script.sha, len(run.keys), *run.keys, *run.args)
        replies = pipeline.execute(raise_on_error=False)
    # A server that has restarted does not know the script, which has not run then. The script
    # itself loads it and runs.
    results = [
        run.script(keys=run.keys, args=run.args) if isinstance(result, NoScriptError) else result
        for result, run in zip(replies[len(queries) :], runs, strict=True)
    ]
    for result in results:
        if isinstance(result, Exception):
            raise result
    return _served(replies[: len(queries)]), results


def _reply(redis: Client, query: Query[Any]) -> Any:
    send: Callable[..., Any] = redis.execute_command
    try:
        reply = send(*query.command)
    except ResponseError as error:
        reply = error
    return _served([reply])[0]


def _served(replies: list[Any]) -> list[Any]:
    """These replies. Raises the first that says that Redis cannot serve now."""
    for reply in replies:
        if isinstance(reply, Exception) and unavailable(reply):
            raise reply
    return replies
