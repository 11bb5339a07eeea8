"""`scottenbury serve` and `scottenbury worker`."""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from functools import partial

import click

from service.core import key_fingerprint
from service.core.heartbeat import SILENT, Heartbeat
from service.core.outage import STORE_FAILURE
from service.core.redis.client import connect
from service.core.settings import BadSetting, Settings
from service.server.embedded import CannotStart
from service.server.launcher import serve as run_server

AGAIN = 5.0
"""Seconds until a worker looks again for a Redis that is away."""

@click.command()
@click.option("--web-only", is_flag=True, help="Start no worker; one runs elsewhere.")
def serve(web_only: bool) -> None:
    """Serve web pages, API and mail until Ctrl-C.

    Without SCOTTENBURY_REDIS_URL it starts its own Redis server, which keeps everything in the
    folder SCOTTENBURY_DATA (./scottenbury-data). Only one server can use a folder.
    """
    try:
        settings = Settings.from_env()
        logging.basicConfig(level=settings.log_level.upper(), format="%(name)s: %(message)s")
        announce = partial(_announce, has_mailbox=settings.smtp_url is None)
        run_server(settings, worker=not web_only, announce=announce)
    except (BadSetting, CannotStart) as error:
        raise click.ClickException(str(error)) from error
    click.echo("Stopped. Everything is kept; start again whenever you like.")


@click.command(short_help="Send notices and run jobs until Ctrl-C.")
@click.option("--check", is_flag=True, help="Only check whether a worker is alive on this machine.")
def worker(check: bool) -> None:
    """Send notices and run jobs until Ctrl-C; needs SCOTTENBURY_REDIS_URL."""
    try:
        settings = Settings.from_env()
    except BadSetting as error:
        raise click.ClickException(str(error)) from error
    if settings.redis_url is None:
        raise click.ClickException(
            "SCOTTENBURY_REDIS_URL is not set; without it `scottenbury serve` runs the worker too"
        )
    if check:
        _check_heartbeat(settings.redis_url)
    else:
        _check_key(settings.redis_url, settings.secret_key)
        os.execv(sys.executable, [sys.executable, "-P", "-m", "workers"])


def _check_key(redis_url: str, secret_key: str) -> None:
    """Wait for Redis, as the worker itself would, and refuse a store of another secret key."""
    ours: bool | None = None
    while ours is None:
        try:
            ours = key_fingerprint.claim(connect(redis_url), secret_key)
        except (RedisError, OSError) as error:
            click.echo(f"Waiting for Redis: {error}", err=True)
            time.sleep(AGAIN)
    if not ours:
        raise click.ClickException(f"{key_fingerprint.OTHER_KEY}. {key_fingerprint.ADVICE}")


def _check_heartbeat(redis_url: str) -> None:
    mine = f"{socket.gethostname()}:"
    try:
        ages = Heartbeat(connect(redis_url)).ages()
    except STORE_FAILURE as error:
        raise click.ClickException(f"Redis cannot be reached: {error}") from error
    if not any(name.startswith(mine) and age < SILENT for name, age in ages.items()):
        raise click.ClickException(f"no worker of this machine was heard for {SILENT:g} s")


def _announce(url: str, *, has_mailbox: bool) -> None:
    click.echo("Scottenbury is ready.")
    click.echo(f"  the games    {url}/")
    click.echo(f"  the API      {url}/docs")
    if has_mailbox:
        click.echo(f"  the mailbox  {url}/mailbox")
    click.echo("Ctrl-C stops it.")
