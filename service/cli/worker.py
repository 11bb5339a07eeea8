"""`scottenbury worker`. Containers check it every few seconds, so modules that only the worker
needs are imported when it starts."""

import logging
import os
import sys
import time

import click

from service.core import data_folder

AGAIN = 5.0
"""Seconds between attempts to reach a Redis that is away."""


@click.command(short_help="Send notices and run jobs until Ctrl-C.")
@click.option("--check", is_flag=True, help="Only check whether a worker is alive on this machine.")
def worker(check: bool) -> None:
    """Send notices and run jobs until Ctrl-C; needs SCOTTENBURY_REDIS_URL."""
    if check:
        _check()
    else:
        _start()


def _check() -> None:
    try:
        age = data_folder.heartbeat_age(data_folder.from_environment())
    except OSError as error:
        raise click.ClickException(f"SCOTTENBURY_DATA_FILE: {error}") from error
    if age is None or age >= data_folder.SILENT:
        raise click.ClickException(
            f"no worker of this machine was heard for {data_folder.SILENT:g} s"
        )


def _start() -> None:
    from service.core.settings import BadSetting, Settings

    try:
        settings = Settings.from_env()
    except BadSetting as error:
        raise click.ClickException(str(error)) from error
    if settings.redis_url is None:
        raise click.ClickException(
            "SCOTTENBURY_REDIS_URL is not set; without it `scottenbury serve` runs the worker too"
        )
    _check_key(settings.redis_url, settings.secret_key)
    os.execv(sys.executable, [sys.executable, "-P", "-m", "workers"])


def _check_key(redis_url: str, secret_key: str) -> None:
    """Wait for Redis, as the worker itself would, and refuse a store that belongs to another secret
    key."""
    from service.core import key_fingerprint
    from service.core.errors import STORE_FAILURE
    from service.core.redis.client import connect
    from service.core.redis.failures import about_url

    log = logging.getLogger("scottenbury")
    ours: bool | None = None
    said = ""
    while ours is None:
        try:
            ours = key_fingerprint.claim(connect(redis_url), secret_key)
        except (TypeError, ValueError) as error:
            line = about_url("SCOTTENBURY_REDIS_URL", redis_url, error)
            raise click.ClickException(line) from error
        except (*STORE_FAILURE, OSError) as error:
            line = about_url("SCOTTENBURY_REDIS_URL", redis_url, error)
            if line != said:
                log.warning("the worker waits: %s", line)
            said = line
            time.sleep(AGAIN)
    if not ours:
        raise click.ClickException(f"{key_fingerprint.OTHER_KEY}. {key_fingerprint.ADVICE}")
