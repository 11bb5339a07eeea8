"""`scottenbury serve`."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

import click

from service.core import logs
from service.core.network import is_loopback
from service.core.settings import BadSetting, Settings
from service.server.embedded import CannotStart
from service.server.launcher import serve as run_server


@click.command()
@click.option("--web-only", is_flag=True, help="Start no worker; one runs elsewhere.")
def serve(web_only: bool) -> None:
    """Serve web pages, API and mail until Ctrl-C.

    Without SCOTTENBURY_REDIS_URL it starts its own Redis server, which keeps everything in the
    folder SCOTTENBURY_DATA (./scottenbury-data). Only one server can use a folder.
    """
    try:
        settings = Settings.from_env()
        logs.configure("supervisor", settings)
        has_mailbox = settings.smtp_url is None and is_loopback(
            urlsplit(settings.base_url).hostname
        )
        announce = partial(_announce, has_mailbox=has_mailbox)
        run_server(settings, worker=not web_only, announce=announce)
    except (BadSetting, CannotStart) as error:
        raise click.ClickException(str(error)) from error
    click.echo("Stopped. Everything is kept; start again whenever you like.")


def _announce(url: str, *, has_mailbox: bool) -> None:
    click.echo("Scottenbury is ready.")
    click.echo(f"  the games    {url}/")
    click.echo(f"  the API      {url}/docs")
    if has_mailbox:
        click.echo(f"  the mailbox  {url}/mailbox  (all mail, for everybody at this machine)")
    click.echo("Ctrl-C stops it.")
