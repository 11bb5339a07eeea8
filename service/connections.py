"""Connections to Redis: one server or a cluster, by URL."""

from typing import Any
from urllib.parse import unquote, urlsplit

from redis import Redis, RedisCluster
from redis.backoff import ExponentialWithJitterBackoff
from redis.cluster import ClusterNode
from redis.exceptions import (
    ClusterError,
    ConnectionError,  # noqa: A004
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    TimeoutError,  # noqa: A004
    TryAgainError,
)
from redis.retry import Retry

Client = Redis | RedisCluster

_CLUSTER_SCHEMES = {"redis-cluster": False, "rediss-cluster": True}
_DEFAULT_PORT = 6379

# Seconds. A command is sent again after a lost answer, so every write must bear repeating; the
# retries last long enough (about 1.5 s) for a server that restarts to come back.
_CONNECT_TIMEOUT = 2.0
_ANSWER_TIMEOUT = 3.0
_RETRIES, _FIRST_PAUSE, _LONGEST_PAUSE = 5, 0.05, 1.0

_UNAVAILABLE = (
    ConnectionError,  # also while the server loads its data
    TimeoutError,
    OutOfMemoryError,
    ReadOnlyError,  # in the middle of a failover
    ClusterError,
    TryAgainError,
    RedisClusterException,
)


def connect(url: str) -> Client:
    """A client that gives text for `url`; it connects with the first command.

    `redis://`, `rediss://` (TLS) and `unix://` name one server as redis-py understands them.
    `redis-cluster://[[user]:password@]host[:port],host[:port],…` (`rediss-cluster://` with TLS)
    names some nodes of a cluster; there the client connects at once. ValueError for other URLs.
    """
    scheme = urlsplit(url).scheme
    if scheme in _CLUSTER_SCHEMES:
        return _connect_cluster(url, tls=_CLUSTER_SCHEMES[scheme])
    return Redis.from_url(url, **_options())


def unavailable(error: BaseException) -> bool:
    """Whether the error says that Redis cannot serve just now, and trying later may help."""
    return isinstance(error, _UNAVAILABLE)


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
        "socket_connect_timeout": _CONNECT_TIMEOUT,
        "socket_timeout": _ANSWER_TIMEOUT,
        "retry": Retry(ExponentialWithJitterBackoff(_LONGEST_PAUSE, _FIRST_PAUSE), _RETRIES),
    }
