"""Redis queries and script runs that are executed together in one round trip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeVar

from redis import RedisCluster
from redis.commands.core import Script
from redis.exceptions import NoScriptError, ResponseError

from service.core.redis.client import Client, ServerClient, unavailable

Parsed = TypeVar("Parsed", covariant=True)
Mapped = TypeVar("Mapped")
Command = tuple[str | float, ...]
Keys = Sequence[str]
Args = Sequence[str | float]
_UNSENT: Final = object()


@dataclass(frozen=True, slots=True)
class Query(Generic[Parsed]):
    """A command, and the function that reads its reply. An error in place of a reply is raised,
    unless the function `takes_errors`."""

    command: Command
    read: Callable[[Any], Parsed]
    takes_errors: bool = False

    def parse(self, reply: object) -> Parsed:
        """The result that this reply stands for."""
        if isinstance(reply, Exception) and not self.takes_errors:
            raise reply
        return self.read(reply)

    def then(self, further: Callable[[Parsed], Mapped]) -> "Query[Mapped]":
        """The same query, with a function applied to its result."""
        return Query(self.command, lambda reply: further(self.parse(reply)), takes_errors=True)


@dataclass(slots=True)
class Pending(Generic[Parsed]):
    """The result of a query that was added to a batch."""

    query: Query[Parsed]
    batch: "Batch"
    reply: object = _UNSENT
    _parsed: tuple[Parsed] | None = None

    @property
    def has_reply(self) -> bool:
        """Whether the batch was sent, and answered."""
        return self.reply is not _UNSENT

    def get(self) -> Parsed:
        """The result, parsed at the first call, which sends the batch if it was not sent yet.
        Raises as `execute_many` and the parser do."""
        if self._parsed is None:
            if not self.has_reply:
                self.batch.send()
            self._parsed = (self.query.parse(self.reply),)
        return self._parsed[0]


@dataclass(eq=False)
class Batch:
    """Queries collected from several places. The first result that somebody gets sends all of them
    in one round trip."""

    _redis: Client
    _asked: list[Pending[object]] = field(init=False, default_factory=list)

    def __bool__(self) -> bool:
        """Whether there is anything to send."""
        return bool(self._asked)

    def ask(self, query: Query[Parsed]) -> Pending[Parsed]:
        """Add this query to the batch, and return its pending result."""
        answer = Pending(query, self)
        self._asked.append(answer)
        return answer

    def send(self) -> None:
        """Send the queries added since the last call. Raises as `execute_many` does."""
        replies = execute_many(self._redis, [answer.query for answer in self._asked])
        for answer, reply in zip(self._asked, replies, strict=True):
            answer.reply = reply
        self._asked.clear()


def execute(redis: Client, query: Query[Parsed]) -> Parsed:
    """Execute one query and parse its reply. Raises as `execute_many` does."""
    return execute_all(redis, [query])[0]


def execute_all(redis: Client, queries: Sequence[Query[Parsed]]) -> list[Parsed]:
    """The results of these queries, in one round trip. Raises what a parser raises."""
    replies = execute_many(redis, queries)
    return [query.parse(reply) for query, reply in zip(queries, replies, strict=True)]


def execute_many(redis: Client, queries: Sequence[Query[object]]) -> list[object]:
    """The raw replies to these queries, errors included; parse each with its query.

    Raises an error that says Redis is unavailable: that is no reply to the query.
    """
    if not queries:
        return []
    if len(queries) == 1:  # cheaper than in a pipeline
        send: Callable[..., object] = redis.execute_command
        try:
            return [send(*queries[0].command)]
        except ResponseError as error:
            return _served([error])
    return _served(_replies(redis, [query.command for query in queries]))


class Run(NamedTuple):
    """A run of a script with its keys and arguments."""

    script: Script
    keys: Keys
    args: Args

    def execute(self) -> object:
        """Run the script in a round trip of its own; load it first if the server lost it."""
        return self.script(keys=self.keys, args=self.args)


def run_many(
    redis: Client, script: Script, runs: Sequence[tuple[Keys, Args]], before: Sequence[Command] = ()
) -> list[Any]:
    """The results of a script, run once for each pair of keys and arguments.

    On a single server this takes one round trip, together with the commands `before`, so that all
    are saved to disk at once. Raises the first error after all have run.
    """
    queries = [Query(command, bool) for command in before]
    replies, results = execute_with_runs(redis, queries, [Run(script, *run) for run in runs])
    for query, reply in zip(queries, replies, strict=True):
        query.parse(reply)
    return results


def execute_with_runs(
    redis: Client, queries: Sequence[Query[object]], runs: Sequence[Run]
) -> tuple[list[object], list[Any]]:
    """The raw replies to these queries, as from `execute_many`, and the results of these runs.

    The runs come after the queries. A single server needs one round trip; a cluster accepts no
    scripts in a pipeline. Raises the first error of a script after all have run.
    """
    if isinstance(redis, RedisCluster) or len(runs) + len(queries) < 2:
        return execute_many(redis, queries), [run.execute() for run in runs]
    commands = [query.command for query in queries]
    commands += [("EVALSHA", run.script.sha, len(run.keys), *run.keys, *run.args) for run in runs]
    replies = _replies(redis, commands)
    # After a restart the server has lost the script and did not run it.
    results = [
        run.execute() if isinstance(result, NoScriptError) else result
        for result, run in zip(replies[len(queries) :], runs, strict=True)
    ]
    for result in results:
        if isinstance(result, Exception):
            raise result
    return _served(replies[: len(queries)]), results


def _replies(redis: Client, commands: Sequence[Command]) -> list[object]:
    """The replies to these commands in one round trip, errors included."""
    if isinstance(redis, ServerClient):
        return redis.execute_all(commands)
    with redis.pipeline(transaction=False) as pipeline:
        send: Callable[..., object] = pipeline.execute_command
        for command in commands:
            send(*command)
        return pipeline.execute(raise_on_error=False)


def _served(replies: list[object]) -> list[object]:
    """Return the replies, or raise the first error that says Redis is unavailable."""
    for reply in replies:
        if isinstance(reply, Exception) and unavailable(reply):
            raise reply
    return replies
