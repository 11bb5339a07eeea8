"""The commands `scottenbury operator` and `scottenbury mute`."""

import re

import click

from service.accounts.operator_access import LINK_LIFE
from service.accounts.player import Player
from service.cli.output import echo, printable
from service.cli.store import open_store
from service.container import Container
from service.core.ids import PLAYER_ID


@click.command(short_help="Print a link to the operator's page.")
def operator() -> None:
    """Print a link to the operator's page of the running server.

    It works once, for ten minutes, and opens the page in one browser for eight hours: late notices,
    dead letters, addresses that mail does not reach, reported messages, workers and queues.
    """
    store = open_store()
    served_at = store.heartbeat.base_url() or store.settings.base_url
    echo(f"Good once, for {LINK_LIFE // 60} minutes:", err=True)
    echo(f"{served_at}/operator/open/{store.operator_access.make_link()}")


@click.command(short_help="Let the player NAME write no messages.")
@click.argument("name", required=False)
@click.option("--lift", is_flag=True, help="Let the player write again.")
def mute(name: str | None, lift: bool) -> None:
    """Let the player NAME (or of that id) write no messages to others; list who is muted.

    Muted players play and read as before, and are told when they try to write.
    """
    store = open_store()
    moderation = store.games.conversations.moderation
    if name is None:
        muted = moderation.muted()
        names = store.players.names(muted)
        for each, since in muted.items():
            echo(f"{since}  {each}  {names.get(each) or 'a former player'}")
        return
    player = _player(store, name)
    if lift:
        moderation.unmute(player.id)
    else:
        moderation.mute(player.id)
    echo(f"{player.name} {'can write again' if lift else 'is muted'}.")


def _player(store: Container, name: str) -> Player:
    found = store.players.find(name) if re.fullmatch(PLAYER_ID, name) else None
    named = [found] if found else store.players.named(name)
    if not named:
        raise click.ClickException(printable(f"no player is called {name}"))
    if len(named) > 1:
        ids = ", ".join(player.id for player in named)
        raise click.ClickException(printable(f"several are called {name}, give an id: {ids}"))
    return named[0]
