"""A real Redis Cluster for the tests, on free ports of the loopback address."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from redis import Redis

from service.core.redis.client import unavailable
from tests.support.ports import free_ports
from tests.support.servers import RedisServer
from tests.support.waiting import PATIENCE, until

MASTERS = 3
SLOTS = 16384
"""Seconds for which a client goes on trying while the cluster is unavailable."""

T = TypeVar("T")


class Node(RedisServer):
    """One server of a cluster."""

    def __init__(self, binary: str, folder: Path) -> None:
        folder.mkdir()
        self.port, self.bus_port = free_ports(2)
        options = [
            *("--bind", "127.0.0.1", "--port", str(self.port)),
            *("--cluster-enabled", "yes", "--cluster-port", str(self.bus_port)),
            *("--cluster-node-timeout", "1000", "--repl-diskless-sync-delay", "0"),
        ]
        super().__init__(binary, folder, f"redis://127.0.0.1:{self.port}", *options)
        self.redis = Redis(port=self.port, decode_responses=True)


class Cluster:
    """Masters that share the slots, and as many replicas, one each."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.masters, self.replicas = nodes[:MASTERS], nodes[MASTERS:]
        self.url = "redis-cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in nodes)

    def form(self) -> None:
        """Let the nodes meet, and wait until all agree and every replica follows its master."""
        for number, master in enumerate(self.masters):
            first, end = (SLOTS * n // MASTERS for n in (number, number + 1))
            master.redis.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
            master.redis.execute_command("CLUSTER ADDSLOTS", *range(first, end))
        for node in self.nodes[1:]:
            self.nodes[0].redis.execute_command(
                "CLUSTER MEET", "127.0.0.1", node.port, node.bus_port
            )
        for master, replica in zip(self.masters, self.replicas, strict=True):
            name = master.redis.execute_command("CLUSTER MYID")
            until(lambda name=name, replica=replica: name in str(replica.redis.cluster("NODES")))
            replica.redis.execute_command("CLUSTER REPLICATE", name)
        until(lambda: all(map(self._knows_all, self.nodes)) and all(map(follows, self.replicas)))

    def _knows_all(self, node: Node) -> bool:
        info = node.redis.execute_command("CLUSTER INFO")
        agreed = {"cluster_state": "ok", "cluster_known_nodes": str(len(self.nodes))}
        return bool(agreed.items() <= info.items())


def follows(node: Node) -> bool:
    """Whether the node is a replica that has its master's data."""
    return node.redis.info("replication").get("master_link_status") == "up"


def replicated(cluster: Cluster) -> bool:
    """Whether the replicas have all that the masters have; a cluster promises it only for later."""
    pairs = zip(cluster.masters, cluster.replicas, strict=True)
    states = [(m.redis.info("replication"), r.redis.info("replication")) for m, r in pairs]
    return all(m["master_repl_offset"] == r["slave_repl_offset"] for m, r in states)


def patiently(request: Callable[[], T]) -> T:
    """The answer to a request, sent again while the cluster is unavailable."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return request()
        except Exception as error:
            if not unavailable(error) or time.monotonic() > end:
                raise


@contextmanager
def running_cluster(binary: str) -> Iterator[Cluster]:
    """A cluster of three masters and three replicas, for as long as the context lasts."""
    with TemporaryDirectory(prefix="st-") as folder, ExitStack() as stack:
        nodes = []
        for number in range(2 * MASTERS):
            node = Node(binary, Path(folder, str(number)))
            stack.callback(node.kill)
            stack.enter_context(node.redis)
            nodes.append(node)
        cluster = Cluster(nodes)
        cluster.form()
        yield cluster
