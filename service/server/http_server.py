"""The web server process: `python -m service.server.http_server`."""

from __future__ import annotations

import gc
import os
import resource
import signal
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

from service.core.settings import Settings
from service.realtime import slots
from service.server import connection_guard
from service.server.connection_guard import ConnectionGuard
from service.server.parent_death import end_with_parent

APPLICATION = "service.server.asgi:app"
SECONDS_TO_FINISH_REQUESTS = 5
CONNECTIONS = 4096
"""Of one process at the same time; streams take at most some of them (`service.realtime.asgi`)."""
HEAD_SECONDS = 20
"""Within which the head of a request has to arrive: from the beginning of the connection, or from
the end of the answer before."""
BUFFER = 64 * 1024
"""Bytes of a connection that the server keeps: of a head, or of answers that are not read."""
SPARE_FILES = 512
GARBAGE = 20_000, 10, 10
"""After how many new objects garbage is looked for. Hundreds come with a move, and most of them
stay, in the games that are remembered: at Python's own pace it would be looked for every time."""


def main(application: str = APPLICATION) -> None:
    """Serve an ASGI application, `MODULE:NAME`, until SIGTERM or SIGINT."""
    settings = Settings.from_env()
    _allow_files(CONNECTIONS + SPARE_FILES)
    slots.share(settings.web_workers)
    app = _built_once(application)
    server = Server(
        application,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        workers=settings.web_workers,
        # In HTTP/2 neither silence nor a reader who never reads is limited; a proxy may speak it.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=int(1000 * HEAD_SECONDS), max_buffer_size=BUFFER
        ),
        websockets=False,
        backpressure=CONNECTIONS,
        # Without this one killed worker ends the whole server.
        respawn_failed_workers=True,
        workers_kill_timeout=SECONDS_TO_FINISH_REQUESTS,
        log_level=LogLevels.debug if settings.log_level == "debug" else LogLevels.error,
    )
    guard = ConnectionGuard(settings.port, _connections_per_address(settings))
    loader = partial(_load, os.getpid(), app, guard)
    server.serve(target_loader=loader, wrap_loader=False)


def _connections_per_address(settings: Settings) -> int | None:
    """Proxies hold the connections of all visitors; where there is one, it has to count them."""
    counted = settings.rate_limits and not settings.trusted_proxies
    return connection_guard.PER_ADDRESS if counted else None


def _built_once(application: str) -> Callable[..., Any]:
    """The application, built before the workers are forked, so that they share its memory."""
    module, name = application.split(":")
    built: Callable[..., Any] = getattr(import_module(module), name)
    gc.collect()
    gc.freeze()
    return built


def _allow_files(wanted: int) -> None:
    """Let this process and its children open as many files, as far as the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _load(parent: int, app: Callable[..., Any], guard: ConnectionGuard) -> Callable[..., Any]:
    """In a worker just forked: the ASGI application."""
    # Until granian takes them over, signals still lead to handlers of the parent: deaf ones here.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    end_with_parent(parent)
    gc.set_threshold(*GARBAGE)
    guard.start()
    return app


if __name__ == "__main__":
    main()
