"""Free ports of this machine."""

import socket
from contextlib import ExitStack


def free_ports(count: int) -> list[int]:
    """Different ports of the loopback address on which nobody listens."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]


def free_port() -> int:
    """A port of the loopback address on which nobody listens."""
    (port,) = free_ports(1)
    return port
