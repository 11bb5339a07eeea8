"""The web server process: `python -m service.http_server`."""

from __future__ import annotations

import gc
import os
import resource
import signal
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import Server

from service.lifeline import end_with_parent
from service.settings import Settings

APPLICATION = "service.asgi:app"
SECONDS_TO_FINISH_REQUESTS = 5
CONNECTIONS = 4096
"""Of one process at the same time; streams take at most some of them (`service.streams.front`)."""
SPARE_FILES = 512
GARBAGE = 20_000, 10, 10
"""After how many new objects garbage is looked for. Hundreds come with a move, and most of them
stay, in the games that are remembered: at Python's own pace it would be looked for every time."""


def main(application: str = APPLICATION) -> None:
    """Serve an ASGI application, `MODULE:NAME`, until SIGTERM or SIGINT."""
    settings = Settings.from_env()
    _allow_files(CONNECTIONS + SPARE_FILES)
    _import_once()
    server = Server(
        application,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        workers=settings.web_workers,
        backpressure=CONNECTIONS,
        # Without this one killed worker ends the whole server.
        respawn_failed_workers=True,
        workers_kill_timeout=SECONDS_TO_FINISH_REQUESTS,
        log_level=LogLevels.debug if settings.log_level == "debug" else LogLevels.error,
    )
    server.serve(target_loader=partial(_load, os.getpid(), application), wrap_loader=False)


def _import_once() -> None:
    """Load the code before the workers are forked, so that they share its memory."""
    import_module("service.app")
    gc.collect()
    gc.freeze()


def _allow_files(wanted: int) -> None:
    """Let this process and its children open as many files, as far as the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _load(parent: int, application: str) -> Callable[..., Any]:
    """In a worker just forked: the ASGI application."""
    # Until granian takes them over, signals still lead to handlers of the parent: deaf ones here.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    end_with_parent(parent)
    gc.set_threshold(*GARBAGE)
    module, name = application.split(":")
    loaded: Callable[..., Any] = getattr(import_module(module), name)
    return loaded


if __name__ == "__main__":
    main()
