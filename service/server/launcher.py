"""One Scottenbury: the bundled Redis where none is given, the worker and the web server."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.core import key_fingerprint
from service.core.outage import STORE_FAILURE
from service.core.redis.client import Client, connect
from service.core.redis.trouble import cause_of
from service.core.settings import Settings, browsable_url
from service.ops import doctor, mail_doctor
from service.server import embedded
from service.server.embedded import CannotStart
from service.server.supervisor import EndedEarly, Program, Supervisor

log = logging.getLogger("scottenbury")

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Seconds to end after SIGTERM: requests and jobs in hand are finished; Redis syncs its file.
WEB_GRACE, WORKER_GRACE, REDIS_GRACE = 10.0, 15.0, 60.0
MAIL_IN_GRACE = 5.0
ANSWER_TIMEOUT = 2.0
DISK_PERIOD = 600.0
"""Seconds between two looks at how much room the disk has left."""


class BundledRedis(NamedTuple):
    """The server to run, and where it will answer."""

    program: Program
    url: str


def serve(settings: Settings, *, worker: bool, announce: Callable[[str], None]) -> None:
    """Run until SIGINT, SIGTERM or SIGHUP; `announce` gets the address once it answers.

    Raises `CannotStart`, with nothing left running.
    """
    with ExitStack() as held:
        redis = None if settings.redis_url else _bundled_redis(settings.data, held)
        _check_redis(settings.redis_url)
        _check_redis(settings.queue_redis_url)
        _check_key(settings)
        _warn(settings)
        _check_port(settings.host, settings.port)
        if settings.mail_in:
            _check_port(*settings.mail_in, setting="SCOTTENBURY_MAIL_IN")
        counters = held.enter_context(TemporaryDirectory(prefix="scottenbury-metrics-"))
        programs = _programs(redis, settings, counters, worker=worker)
        try:
            asyncio.run(_run(settings, redis, programs, announce))
        except EndedEarly as error:
            raise CannotStart(_reason(error)) from error


async def _run(
    settings: Settings,
    redis: BundledRedis | None,
    programs: list[Program],
    announce: Callable[[str], None],
) -> None:
    supervisor = Supervisor()
    for number in STOP_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, supervisor.stop)
    try:
        if await _started(supervisor, settings, redis, programs):
            supervisor.settled()
            announce(browsable_url(settings.host, settings.port))
            watching = asyncio.create_task(_watch_disk(settings.data)) if redis else None
            await supervisor.stopped()
            if watching:
                watching.cancel()
    finally:
        await supervisor.close()


async def _watch_disk(data: Path) -> None:
    """Warn while the disk of the games has little room left."""
    while True:
        warning = doctor.free_space(data)
        if warning.state != "ok":
            log.warning("%s", warning.line())
        await asyncio.sleep(DISK_PERIOD)


async def _started(
    supervisor: Supervisor,
    settings: Settings,
    redis: BundledRedis | None,
    programs: list[Program],
) -> bool:
    """Whether all came up, rather than being stopped on the way."""
    if redis:
        supervisor.keep(redis.program)
        if not await supervisor.answered(lambda: asyncio.to_thread(_answers, redis.url)):
            return False
        # Nobody else has this store: nothing but links that were made before can be dead.
        if not key_fingerprint.claim(connect(redis.url), settings.secret_key):
            log.warning("%s. %s", key_fingerprint.OTHER_KEY, key_fingerprint.ADVICE)
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
    )
    return BundledRedis(program, embedded.socket_url(path))


def _programs(
    redis: BundledRedis | None, settings: Settings, counters: str, *, worker: bool
) -> list[Program]:
    """In the order of starting: web last, so that it is the first to be ended.

    All web processes count what they do in the folder `counters`.
    """
    env = dict(os.environ) | ({"SCOTTENBURY_REDIS_URL": redis.url} if redis else {})
    counting = env | {"PROMETHEUS_MULTIPROC_DIR": counters}
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


def _check_redis(url: str | None) -> None:
    try:
        if url:
            _check_kind(connect(url))
    except (*STORE_FAILURE, OSError) as error:
        said = f"{cause_of(error)} ({_shown(url)}): {error}"
        raise CannotStart(" ".join(said.split())) from error


def _check_kind(redis: Client) -> None:
    redis.ping()
    if isinstance(redis, Redis) and doctor.is_of_cluster(redis):
        raise CannotStart(f"{doctor.CLUSTER_AS_SERVER.says}. {doctor.CLUSTER_AS_SERVER.advice}")


def _check_key(settings: Settings) -> None:
    if settings.redis_url and not key_fingerprint.claim(
        connect(settings.redis_url), settings.secret_key
    ):
        raise CannotStart(f"{key_fingerprint.OTHER_KEY}. {key_fingerprint.ADVICE}")


def _warn(settings: Settings) -> None:
    """Log what may lose games, expose mail or keys, or is a mistyped setting."""
    of_redis = doctor.warnings(connect(settings.redis_url)) if settings.redis_url else []
    unknown = [diagnosis.line() for diagnosis in doctor.unknown_variables(os.environ)]
    of_settings = (*mail_doctor.open_mailbox(settings), *doctor.weak_key(settings), *unknown)
    for warning in (*of_redis, *of_settings):
        log.warning("%s", warning)


def _shown(url: str | None) -> str:
    """The URL without its user and password."""
    parts = urlsplit(url or "")
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def _check_port(host: str, port: int, setting: str = "SCOTTENBURY_PORT") -> None:
    """Raises `CannotStart` when nobody could listen there.

    The web server itself would share a taken port, and its requests, with whoever has it.
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


def _answers(url: str) -> bool:
    try:
        with Redis.from_url(
            url, retry=Retry(NoBackoff(), 0), socket_timeout=ANSWER_TIMEOUT
        ) as client:
            return bool(client.ping())
    except STORE_FAILURE:
        return False


def _healthy(settings: Settings) -> bool:
    address = urlsplit(browsable_url(settings.host, settings.port))
    connection = HTTPConnection(address.hostname or "", address.port, timeout=ANSWER_TIMEOUT)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _reason(error: EndedEarly) -> str:
    log = error.program.log
    return f"{error}: {embedded.last_words(log)} (see {log})" if log else str(error)
