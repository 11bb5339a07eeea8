"""Free ports of this machine."""

import os
import socket
from itertools import cycle, islice
from typing import Final

# Below those that systems give to outgoing connections: nothing else takes one of these meanwhile.
_FIRST, _COUNT = 20_000, 12_000
_APART: Final = 997
"""Ports between where one process begins to look and where the next does: more than it takes."""

_ports = islice(cycle(range(_FIRST, _FIRST + _COUNT)), os.getpid() * _APART % _COUNT, None)


def free_ports(count: int) -> list[int]:
    """Different ports of the loopback address on which nobody listens, others at each call."""
    return list(islice(filter(_is_free, _ports), count))


def free_port() -> int:
    """A port of the loopback address on which nobody listens, another one at each call."""
    (port,) = free_ports(1)
    return port


def _is_free(port: int) -> bool:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
