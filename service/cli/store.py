"""The store for an operator's command."""

from dataclasses import replace

import click

from service.container import Container, build
from service.core import disk
from service.core.outage import STORE_FAILURE
from service.core.redis.client import connect
from service.core.redis.failures import about_url
from service.core.settings import BadSetting, Settings
from service.ops.diagnosis import free_space
from service.server import embedded


def open_store() -> Container:
    """Connect to the games' Redis, the configured one or the one that runs on the data folder, and
    return the use cases over it.

    Ends the command with one line if there is none.
    """
    try:
        settings = Settings.from_env(make_secret=False)
    except BadSetting as error:
        raise click.ClickException(str(error)) from None
    url = settings.redis_url or embedded.running_url(settings.data)
    full = disk.is_full(settings.data)
    room = f" {free_space(settings.data).line()}" if full and not settings.redis_url else ""
    if url is None:
        raise click.ClickException(
            f"no server runs on {settings.data}: start `scottenbury serve`, or set"
            f" SCOTTENBURY_REDIS_URL or SCOTTENBURY_DATA.{room}"
        )
    try:
        redis = connect(url)
        redis.ping()
    except (*STORE_FAILURE, OSError, TypeError, ValueError) as error:
        setting = "SCOTTENBURY_REDIS_URL" if settings.redis_url else "the bundled Redis"
        raise click.ClickException(f"{about_url(setting, url, error)}{room}") from None
    return build(replace(settings, redis_url=url), redis)
