"""Runs a whole Scottenbury: the bundled Redis if no other is set, the worker and the web server.

This process lives as long as they do, so it imports next to nothing: a separate process checks
settings and Redis (`service.server.checks`).
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

from service.core import data_folder
from service.core.settings import Settings, browsable_url
from service.ops.diagnosis import free_space
from service.server import embedded
from service.server.embedded import CannotStart
from service.server.supervisor import EndedEarly, Program, Supervisor

log = logging.getLogger("scottenbury")

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Seconds to end after SIGTERM: to finish current requests and jobs; Redis syncs its file.
WEB_GRACE, WORKER_GRACE, REDIS_GRACE = 10.0, 15.0, 60.0
MAIL_IN_GRACE = 5.0
_CACHES = "narenas:1,tcache_nslots_small_min:2,tcache_nslots_small_max:8,tcache_nslots_large:2"
ALLOCATOR = {"MALLOC_ARENA_MAX": "1", "_RJEM_MALLOC_CONF": _CACHES}
"""Settings of the C library's allocator and of granian's, jemalloc, for our processes.

An arena or a large cache for each thread would cost memory, and save no time while only one thread
runs at a time. jemalloc's usual caches take 40 KB of each open stream, whose thread they belong to.
"""
DISK_PERIOD, CHANGED = 600.0, 60.0
"""Seconds between two log lines about a disk that is nearly full, and about one that changes."""
FASTEST_FILLING = 1 << 30
"""Bytes a second with which a disk is expected to fill at most."""
SHORTEST_LOOK, LONGEST_LOOK = 0.2, 10.0
"""Seconds between two looks at the free space."""


class BundledRedis(NamedTuple):
    """The Redis server to run, and the path of its socket."""

    program: Program
    socket: Path


def serve(settings: Settings, *, worker: bool, announce: Callable[[str], None]) -> None:
    """Run until SIGINT, SIGTERM or SIGHUP; call `announce` with the URL once the server responds.

    Raises `CannotStart`, with nothing left running.
    """
    with ExitStack() as held:
        redis = None if settings.redis_url else _bundled_redis(settings.data, held)
        _check_port(settings.host, settings.port)
        if settings.mail_in:
            _check_port(*settings.mail_in, setting="SCOTTENBURY_MAIL_IN")
        # In memory where that is possible: a write to a mapped file on a full disk is a SIGBUS.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        counters = held.enter_context(TemporaryDirectory(prefix="scottenbury-", dir=memory))
        bundled = {"SCOTTENBURY_REDIS_URL": embedded.socket_url(redis.socket)} if redis else {}
        env = {**ALLOCATOR, **os.environ, **bundled}
        programs = _programs(settings, env, counters, worker=worker)
        try:
            asyncio.run(_run(settings, redis, env, programs, announce))
        except EndedEarly as error:
            log_file = error.program.log
            last = f": {embedded.last_words(log_file)} (see {log_file})" if log_file else ""
            raise CannotStart(f"{error}{last}") from error


async def _run(
    settings: Settings,
    redis: BundledRedis | None,
    env: Mapping[str, str],
    programs: list[Program],
    announce: Callable[[str], None],
) -> None:
    supervisor = Supervisor()
    for number in STOP_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, supervisor.stop)
    watching = asyncio.create_task(_watch_disk(settings.data, redis.socket)) if redis else None
    try:
        if await _started(supervisor, settings, redis, env, programs):
            supervisor.settled()
            announce(browsable_url(settings.host, settings.port))
            await supervisor.stopped()
    finally:
        if watching:
            watching.cancel()
        await supervisor.close()


async def _watch_disk(data: Path, path: Path) -> None:
    """Let the Redis on this socket take writes as long as the disk of the data folder has room.

    Log a warning every `DISK_PERIOD` while it is nearly full, and soon if that changes.
    """
    clock = asyncio.get_running_loop().time
    logged = "ok"
    logged_at: dict[str, float] = {}
    while True:
        spare = 0.0
        with suppress(OSError):  # the folder may be gone for a moment
            spare = data_folder.free(data) - data_folder.reserve(data)
            await asyncio.to_thread(embedded.heed_disk, data, path)
            found = free_space(data)
            state = "full" if spare < 0 else found.state
            pause = DISK_PERIOD if state == logged else CHANGED
            silent = clock() - logged_at.get(state, float("-inf"))
            if (state, logged) != ("ok", "ok") and silent >= pause:
                logged, logged_at[state] = state, clock()
                log.log(logging.INFO if state == "ok" else logging.WARNING, "%s", found.line())
        await asyncio.sleep(min(max(SHORTEST_LOOK, spare / FASTEST_FILLING), LONGEST_LOOK))


async def _started(
    supervisor: Supervisor,
    settings: Settings,
    redis: BundledRedis | None,
    env: Mapping[str, str],
    programs: list[Program],
) -> bool:
    """Start everything; return False if the supervisor is stopped meanwhile."""
    if redis:
        supervisor.keep(redis.program)
        if not await supervisor.answered(lambda: asyncio.to_thread(embedded.answers, redis.socket)):
            return False
    await asyncio.to_thread(_check, env, has_own_redis=redis is not None)
    for program in programs:
        supervisor.keep(program)
    return await supervisor.answered(lambda: asyncio.to_thread(_healthy, settings))


def _bundled_redis(data: Path, held: ExitStack) -> BundledRedis:
    data = data.absolute()
    lock = held.enter_context(embedded.locked(data))
    embedded.keep_private(data)
    path = held.enter_context(embedded.socket_path(data))
    log = data / embedded.LOG_FILE
    embedded.set_log_aside(log)
    command = embedded.server_command(data, path)
    program = Program(
        "redis",
        command,
        REDIS_GRACE,
        log=log,
        explain=partial(embedded.last_words, log),
        inherit=(lock,),
        options=partial(embedded.write_options, data),
    )
    return BundledRedis(program, path)


def _programs(
    settings: Settings, env: Mapping[str, str], counters: str, *, worker: bool
) -> list[Program]:
    """Return the programs in starting order: web last, so that it ends first.

    All web processes share the counters in the folder `counters`.
    """
    counting = {**env, "PROMETHEUS_MULTIPROC_DIR": counters}
    serve = [sys.executable, "-P", "-m", "service.server.http_server"]
    web = Program("web", serve, WEB_GRACE, counting)
    programs = []
    if worker:
        working = [sys.executable, "-P", "-m", "workers"]
        programs.append(Program("worker", working, WORKER_GRACE, env))
    if settings.mail_in:
        listening = [sys.executable, "-P", "-m", "service.server.smtp_listener"]
        programs.append(Program("mail-in", listening, MAIL_IN_GRACE, env))
    return [*programs, web]


def _check(env: Mapping[str, str], *, has_own_redis: bool) -> None:
    """Run the checks of settings and Redis in another process, which logs its warnings.

    Raises `CannotStart`.
    """
    command = [sys.executable, "-P", "-m", "service.server.checks"]
    kind = ["--own-redis"] if has_own_redis else []
    # A group of its own, as programs have: Ctrl-C reaches the supervisor alone.
    done = subprocess.run(
        [*command, *kind], env=env, stdout=subprocess.PIPE, text=True, check=False, process_group=0
    )
    if done.returncode:
        raise CannotStart(done.stdout.strip() or f"the checks ended ({done.returncode})")


def _check_port(host: str, port: int, setting: str = "SCOTTENBURY_PORT") -> None:
    """Raise `CannotStart` if the port is taken or cannot be used.

    The web server itself would share a taken port, and its requests, with the other program.
    """
    try:
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, protocol) as listener:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotStart(
                f"port {port} on {host} is taken; choose another with {setting}"
            ) from error
        raise CannotStart(f"cannot listen on {host} port {port}: {error}") from error


def _healthy(settings: Settings) -> bool:
    address = urlsplit(browsable_url(settings.host, settings.port))
    connection = HTTPConnection(
        address.hostname or "", address.port, timeout=embedded.ANSWER_TIMEOUT
    )
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
