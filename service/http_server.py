"""The web server process: `python -m service.http_server`."""

from __future__ import annotations

import os
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

APPLICATION = "service.wsgi:app"
SECONDS_TO_FINISH_REQUESTS = 5


def main() -> None:
    """Serve the application until SIGTERM or SIGINT."""
    settings = Settings.from_env()
    server = Server(
        APPLICATION,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        workers=settings.web_workers,
        blocking_threads=settings.web_threads,
        # Without this one killed worker ends the whole server.
        respawn_failed_workers=True,
        workers_kill_timeout=SECONDS_TO_FINISH_REQUESTS,
        log_level=LogLevels.debug if settings.log_level == "debug" else LogLevels.warning,
    )
    server.serve(target_loader=partial(_load, os.getpid()), wrap_loader=False)


def _load(parent: int) -> Callable[..., Any]:
    """In a worker just forked: the WSGI application."""
    # Until granian takes them over, signals still lead to handlers of the parent: deaf ones here.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    end_with_parent(parent)
    module, name = APPLICATION.split(":")
    application: Callable[..., Any] = getattr(import_module(module), name)
    return application


if __name__ == "__main__":
    main()
