"""The web server process: `python -m service.server.http_server`.

The web server accepts connections itself. It limits the time for the head of a request and the time
between requests, but neither the connections of one address nor the time that a client takes to
read. So a guard inspects the sockets of the process, on Linux only, and closes those that are too
many of one address, or unread.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import stat
import struct
import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Final, NamedTuple

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server, mp

from service.core.network import network_address
from service.core.settings import Settings
from service.realtime import places
from service.realtime.serving import THREADS, Serving
from service.server.supervisor import end_with_parent

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


@dataclass(frozen=True, slots=True)
class ConnectionGuard:
    """Inspects this process's connections to `port`.

    `per_address` is the most connections of one network address, or None without a limit (if all
    come from a proxy).
    """

    port: int
    per_address: int | None

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
            for connections in of_address.values() if self.per_address is not None else ():
                # Those quiet for the longest go first: clients who have left are noticed late, and
                # would else keep out whoever comes.
                connections.sort(key=lambda connection: connection.quiet)
                for connection in connections[self.per_address :]:
                    with suppress(OSError):
                        connection.socket.shutdown(socket.SHUT_RDWR)
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
                is_inet = handle.family in (socket.AF_INET, socket.AF_INET6)
                is_tcp = is_inet and handle.type == socket.SOCK_STREAM
                if is_tcp and handle.getsockname()[1] == self.port:
                    return handle
                handle.close()
        return None

    def _sort(self, handle: socket.socket, of_address: defaultdict[str, list[_Connection]]) -> None:
        try:
            # How long, and how much, a client may leave unread. Connections inherit these limits
            # from the listening socket that accepts them.
            handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * READ_SECONDS)
            handle.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            if handle.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                handle.close()
                return
            address = network_address(handle.getpeername()[0])
            of_address[address].append(_Connection(handle, _quiet(handle)))
        except OSError:  # it was closed by the client
            handle.close()


def _quiet(handle: socket.socket) -> int:
    info = handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_LENGTH)
    (sent,) = struct.unpack_from("I", info, _LAST_SENT)
    (received,) = struct.unpack_from("I", info, _LAST_RECEIVED)
    return int(min(sent, received))


APPLICATION = "service.server.serving:app"
SECONDS_TO_FINISH_REQUESTS = 5
CONNECTIONS = 4096
"""The most connections of one process; streams take at most part of them
(`service.realtime.serving`)."""
HEAD_SECONDS = 20
"""Seconds within which the head of a request must arrive, counted from the beginning of the
connection or from the end of the previous response."""
BUFFER = 64 * 1024
"""Bytes that the server buffers for a connection: of a head, or of unread responses."""
SPARE_FILES = 512
GARBAGE = 50_000, 10, 10
"""The numbers of new objects that trigger garbage collection.

A move makes hundreds, and most of them stay, in cached games: Python's default would collect at
every move.
"""


def main(application: str = APPLICATION) -> None:
    """Serve a `Serving`, `MODULE:NAME`, until SIGTERM or SIGINT."""
    settings = Settings.from_env()
    _allow_files(CONNECTIONS + SPARE_FILES)
    places.share(settings.web_workers)
    app = _built_once(application)
    server = Server(
        application,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        workers=settings.web_workers,
        # HTTP/2 has no limit for silent clients or those who never read; a proxy may use it.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=int(1000 * HEAD_SECONDS), max_buffer_size=BUFFER
        ),
        websockets=False,
        blocking_threads=THREADS,
        backpressure=CONNECTIONS,
        # Otherwise one killed worker ends the whole server.
        respawn_failed_workers=True,
        workers_kill_timeout=SECONDS_TO_FINISH_REQUESTS,
        log_level=LogLevels.debug if settings.log_level == "debug" else LogLevels.error,
    )
    # Granian's wrapper would answer when the call ends. `Serving` answers by itself: so another
    # thread may answer for one that waits for a body.
    mp._wsgi_call_wrap = lambda application, *_: application  # type: ignore[attr-defined]
    # A proxy holds the connections of all visitors, and has to count them itself.
    counted = settings.rate_limits and not settings.trusted_proxies
    guard = ConnectionGuard(settings.port, PER_ADDRESS if counted else None)
    loader = partial(_load, os.getpid(), app, guard)
    server.serve(target_loader=loader, wrap_loader=False)


def _built_once(application: str) -> Serving:
    """Load the application before the workers are forked, so that they share its memory."""
    module, name = application.split(":")
    built: Serving = getattr(import_module(module), name)
    gc.collect()
    gc.freeze()
    return built


def _allow_files(wanted: int) -> None:
    """Raise the limit of open files for this process and its children, as far as the system
    allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _load(parent: int, app: Serving, guard: ConnectionGuard) -> Serving:
    """Prepare a worker just forked to serve the application."""
    # Until granian replaces them, signal handlers inherited from the parent have no effect here.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    end_with_parent(parent)
    gc.set_threshold(*GARBAGE)
    guard.start()
    app.start()
    _on_signal(app.stop)
    return app


def _on_signal(stop: Callable[[], None]) -> None:
    """Call `stop` at the first signal that is handled, whoever sets the handlers later."""
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    signal.set_wakeup_fd(sender.detach())

    def wait() -> None:
        receiver.recv(1)
        stop()

    threading.Thread(target=wait, name="signals", daemon=True).start()


if __name__ == "__main__":
    main()
