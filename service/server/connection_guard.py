"""Closes connections that would exhaust a web process: too many of one address, or unread ones.

The web server accepts connections itself. It limits the time for the head of a request and the time
between requests, but neither the connections of one address nor the time that a client takes to
read. So the guard inspects the sockets of the process, on Linux only.
"""

import os
import socket
import stat
import struct
import sys
import threading
from collections import defaultdict
from contextlib import suppress
from typing import Final, NamedTuple

from service.core.network_address import network_address

PER_ADDRESS: Final = 256
"""The most connections of one network address to one process."""
READ_SECONDS: Final = 30
"""Seconds after which a client that reads nothing is disconnected."""
SEND_BUFFER: Final = 128 * 1024
"""Bytes that the kernel buffers for a client who does not read."""
INTERVAL: Final = 1.0
"""Seconds between two inspections."""

_DESCRIPTORS: Final = "/proc/self/fd"
# Offsets in `struct tcp_info`: milliseconds since data were last sent, and received.
_LAST_SENT, _LAST_RECEIVED, _INFO_LENGTH = 44, 52, 56


class _Connection(NamedTuple):
    socket: socket.socket
    quiet: int
    """Milliseconds since anything was sent or received."""


class ConnectionGuard:
    """Inspects this process's connections to `port`.

    `per_address` is the most connections of one network address, or None without a limit (if all
    come from a proxy).
    """

    def __init__(self, port: int, per_address: int | None) -> None:
        self._port = port
        self._per_address = per_address

    def start(self) -> None:
        """Inspect the sockets every second, in a separate thread."""
        if sys.platform == "linux":
            threading.Thread(target=self._run, name="connection-guard", daemon=True).start()

    def inspect(self) -> None:
        """Inspect the sockets once."""
        of_address: defaultdict[str, list[_Connection]] = defaultdict(list)
        handles: set[int] = set()
        try:
            for descriptor in map(int, os.listdir(_DESCRIPTORS)):
                # A handle may reuse the number of a descriptor that was closed meanwhile.
                if descriptor not in handles and (handle := self._own(descriptor)) is not None:
                    handles.add(handle.fileno())
                    self._sort(handle, of_address)
            if self._per_address is not None:
                for connections in of_address.values():
                    _cut_off(connections, self._per_address)
        finally:
            for connections in of_address.values():
                for connection in connections:
                    connection.socket.close()

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(INTERVAL):
            self.inspect()

    def _own(self, descriptor: int) -> socket.socket | None:
        """Return a duplicate of this socket if it is the web server's; None otherwise."""
        # The descriptor may be closed or reused meanwhile: only the handle is reliable.
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                handle = socket.socket(fileno=os.dup(descriptor))
                if _is_tcp(handle) and handle.getsockname()[1] == self._port:
                    return handle
                handle.close()
        return None

    def _sort(self, handle: socket.socket, of_address: defaultdict[str, list[_Connection]]) -> None:
        try:
            _bound(handle)
            if handle.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                handle.close()
                return
            address = network_address(handle.getpeername()[0])
            of_address[address].append(_Connection(handle, _quiet(handle)))
        except OSError:  # it was closed by the client
            handle.close()


def _is_tcp(handle: socket.socket) -> bool:
    inet = handle.family in (socket.AF_INET, socket.AF_INET6)
    return inet and handle.type == socket.SOCK_STREAM


def _bound(handle: socket.socket) -> None:
    """Limit how long, and how much, a client may leave unread.

    Connections inherit these limits from the listening socket that accepts them.
    """
    handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * READ_SECONDS)
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def _quiet(handle: socket.socket) -> int:
    info = handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_LENGTH)
    (sent,) = struct.unpack_from("I", info, _LAST_SENT)
    (received,) = struct.unpack_from("I", info, _LAST_RECEIVED)
    return int(min(sent, received))


def _cut_off(connections: list[_Connection], most: int) -> None:
    """Close all but `most` connections, those quiet for the longest first."""
    connections.sort(key=lambda connection: connection.quiet)
    for connection in connections[most:]:
        with suppress(OSError):
            connection.socket.shutdown(socket.SHUT_RDWR)
