"""Connections to Redis: one server or a cluster, by URL. Counters of what somebody may cause
within a time, and the topics on which scripts announce a change of a game or of a player's list of
games.

st:news:TOPIC             pub/sub channel; the topic is a game's id or a player's

The Lua scripts lie each in a file next to the module that runs it.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from os import getpid
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit

from hiredis import pack_command
from redis import Redis, RedisCluster
from redis.backoff import ExponentialWithJitterBackoff
from redis.cluster import ClusterNode
from redis.commands.core import Script
from redis.driver_info import DriverInfo
from redis.exceptions import (
    AskError,
    ClusterError,
    ConnectionError,  # noqa: A004
    NoPermissionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TimeoutError,  # noqa: A004
    TryAgainError,
)
from redis.retry import Retry

from service.core.redis import retry_budget

Client = Redis | RedisCluster

_CLUSTER_SCHEMES = {"redis-cluster": False, "rediss-cluster": True}
_DEFAULT_PORT = 6379

# Seconds. A command is sent again after a lost answer, so every write must bear repeating; the
# retries last long enough (about 1.5 s) for a server that restarts to come back.
_CONNECT_TIMEOUT = 1.0
_ANSWER_TIMEOUT = 1.6
_RETRIES, _FIRST_PAUSE, _LONGEST_PAUSE = 5, 0.05, 1.0

_DRIVER: Final = DriverInfo()
"""The library's name and version, which it would look up for each connection in its files."""

_UNUSED_KEY: Final = "st:unused"
"""A key that never exists."""

T = TypeVar("T")

_UNAVAILABLE = (
    ConnectionError,  # also while the server loads its data
    TimeoutError,
    OutOfMemoryError,
    ReadOnlyError,  # in the middle of a failover
    ClusterError,
    TryAgainError,
    RedisClusterException,
    AskError,  # also MOVED: a cluster that is given as a single server
    NoPermissionError,
    NoScriptError,  # twice within one call, or it would have healed: the server restarts
)
_REFUSALS: Final = re.compile(
    # At the beginning; in a pipeline after the command; from within a script after its line.
    r"(?:^|caused error: |[ -])"
    r"(?:MISCONF|NOREPLICAS|OOM|READONLY|MASTERDOWN|CLUSTERDOWN|LOADING|BUSY|UNKILLABLE) "
)
"""The texts of errors that mean Redis is unavailable, where the client library has no class for
them or they come out of a script."""


def connect(url: str) -> Client:
    """A client for `url` that returns text; it connects with the first command.

    `redis://`, `rediss://` (TLS) and `unix://` name one server as redis-py understands them.
    `redis-cluster://[[user]:password@]host[:port],host[:port],…` (`rediss-cluster://` with TLS)
    names some nodes of a cluster; there the client connects at once. Raises ValueError for other
    URLs.
    """
    if (scheme := urlsplit(url).scheme) in _CLUSTER_SCHEMES:
        return _connect_cluster(url, tls=_CLUSTER_SCHEMES[scheme])
    return ServerClient.from_url(url, **_options())


class ServerClient(Redis):
    """A client of one server that hands out its connections without ceremony, the last used first.

    Taking a connection from the library's pool and measuring each command for it takes more
    processor time than the round trip itself. Subscriptions and transactions use the pool.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._idle: list[Any] = []
        self._pid = getpid()
        self._reply: Callable[..., object] = self.parse_response
        self._parsers = {**self.response_callbacks}

    def execute_command(self, *args: Any, **options: object) -> object:
        """The reply to a command. Raises redis-py's errors."""
        packed = _packed(args)

        def ask(connection: Any) -> Any:
            connection.send_packed_command([packed], check_health=False)
            return self._reply(connection, args[0], **options)

        return self._exchange(ask)

    def evalsha(self, sha: str, numkeys: int, *keys_and_args: Any) -> Any:
        """The result of a script, without the library's look at who asks for it."""
        return self.execute_command("EVALSHA", sha, numkeys, *keys_and_args)

    def execute_all(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        """The replies to commands, named in capitals and sent together, with the server's errors
        among them."""
        packed = b"".join(map(_packed, commands))

        def reply(connection: Any, name: str) -> object:
            try:
                raw = connection.read_response()
            except ResponseError as error:
                return error
            parse = self._parsers.get(name)
            return raw if parse is None else parse(raw)

        def ask(connection: Any) -> list[Any]:
            connection.send_packed_command([packed], check_health=False)
            return [reply(connection, command[0]) for command in commands]

        return self._exchange(ask)

    def close(self) -> None:
        """Close all connections that are not in use."""
        self._idle.clear()
        super().close()

    def _exchange(self, ask: Callable[[object], T]) -> T:
        connection = self._connection()

        def attempt() -> T:
            try:
                # The attempts around this one are enough: the library would retry within each.
                connection.connect_check_health(check_health=False, retry_socket_connect=False)
                return ask(connection)
            except ResponseError:
                raise
            except BaseException:  # whatever stopped it, a reply may still be on its way
                connection.disconnect()
                raise

        retry: Retry = connection.retry
        try:
            return retry.call_with_retry(attempt, lambda error: None)
        finally:
            self._idle.append(connection)

    def _connection(self) -> Any:
        if self._pid != getpid():  # a process does not share its parent's
            self._idle, self._pid = [], getpid()
        try:
            return self._idle.pop()
        except IndexError:
            pool = self.connection_pool
            return pool.connection_class(**pool.connection_kwargs)


def _packed(command: Sequence[Any]) -> bytes:
    """A command as it is sent, the words of its name apart."""
    packed: bytes = pack_command((*command[0].split(), *command[1:]))
    return packed


def servers(redis: Client) -> list[Redis]:
    """The servers that hold games: of a cluster, all masters."""
    if isinstance(redis, RedisCluster):
        primaries: Callable[[], list[ClusterNode]] = redis.get_primaries
        return [redis.get_redis_connection(node) for node in primaries()]
    return [redis]


def check_writable(redis: Client) -> None:
    """Raise the error of Redis if it does not answer or accepts no writes.

    In the latter case its memory or its disk is full, or it is a replica.
    """
    redis.ping()
    # Redis refuses this like any write, although it changes nothing.
    redis.setrange(_UNUSED_KEY, 0, "")


def unavailable(error: BaseException) -> bool:
    """Whether the error says that Redis is unavailable, so that a later attempt may succeed."""
    if isinstance(error, _UNAVAILABLE):
        return True
    return isinstance(error, ResponseError) and _REFUSALS.search(str(error)) is not None


def _connect_cluster(url: str, tls: bool) -> RedisCluster:
    parts = urlsplit(url)
    nodes = [_node(address) for address in parts.netloc.rpartition("@")[2].split(",")]
    return RedisCluster(
        startup_nodes=nodes,
        username=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        ssl=tls,
        **_options(),
    )


def _node(address: str) -> ClusterNode:
    parts = urlsplit(f"//{address}")
    if not parts.hostname:
        raise ValueError(f"no host in the cluster's node {address!r}")
    return ClusterNode(parts.hostname, parts.port or _DEFAULT_PORT)  # type: ignore[no-untyped-call]


def _options() -> dict[str, Any]:
    return {
        "decode_responses": True,
        "driver_info": _DRIVER,
        "socket_connect_timeout": _CONNECT_TIMEOUT,
        "socket_timeout": _ANSWER_TIMEOUT,
        "retry": _BudgetedRetry(
            ExponentialWithJitterBackoff(_LONGEST_PAUSE, _FIRST_PAUSE), _RETRIES
        ),
    }


class _BudgetedRetry(Retry):
    """Retries, but no longer than the caller can wait (`service.core.redis.retry_budget`).

    A lost connection may soon be restored. A server that does not answer hangs: a request does not
    ask it twice.
    """

    def call_with_retry(
        self,
        do: Callable[[], T],
        fail: Callable[..., object],
        is_retryable: Callable[[Exception], bool] | None = None,
        with_failure_count: bool = False,
    ) -> T:
        """Call `do` with retries, as the library does. Raises TimeoutError at once if the budget is
        used up."""
        if not retry_budget.may_try():
            raise TimeoutError("Redis did not answer in time")

        def worthwhile(error: Exception) -> bool:
            if isinstance(error, TimeoutError):
                retry_budget.timed_out()
            retry_budget.failed()
            return retry_budget.may_try() and (is_retryable is None or is_retryable(error))

        answer = super().call_with_retry(do, fail, worthwhile, with_failure_count)
        retry_budget.answered()
        return answer


def counted(redis: Client, key: str, seconds: int, amount: int = 1) -> int:
    """Count something under this key; return the sum since the first count, for `seconds` after
    it."""
    with redis.pipeline(transaction=True) as pipeline:
        pipeline.set(key, 0, nx=True, ex=seconds)
        pipeline.incrby(key, amount)
        return int(pipeline.execute()[1])


CHANNEL: Final = "st:news:"
"""The beginning of each topic's name."""


def news_channel(topic: str) -> str:
    """The pub/sub channel of a game or a player."""
    return CHANNEL + topic


@cache
def script_beside(module: str, name: str) -> str:
    """The source of the script with this name, in the folder of the module's file."""
    return Path(module).with_name(f"{name}.lua").read_text()


class Lua:
    """The script `name` beside a module, as an attribute of objects that have a `_redis`.

    It is registered there at its first use, after the source of a `library` if it calls one.
    """

    def __init__(self, module: str, name: str, library: str = "") -> None:
        self.source = library + script_beside(module, name)

    def __set_name__(self, owner: type, name: str) -> None:
        self._attribute = name

    def __get__(self, instance: Any, owner: type) -> Script:
        script: Script = instance._redis.register_script(self.source)
        vars(instance)[self._attribute] = script  # found first from now on
        return script
