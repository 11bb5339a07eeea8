"""The commands `scottenbury operator`, `invite`, `mute`, `account`, `acts` and `remove-game`."""

import getpass
import re

import click
from marshmallow import ValidationError

from service.accounts.links import OPERATOR_LINK_LIFE
from service.accounts.player import Player
from service.accounts.registration import INVITATION_LIFE
from service.api.schemas.fields import NewName
from service.cli.output import echo, printable
from service.cli.store import open_store
from service.container import Container
from service.core.durations import DAY
from service.core.errors import RequestRejected
from service.core.ids import PLAYER_ID
from service.eventlog.removal import LONGEST_WORDS
from service.games.conversation.model import plain_text
from service.ops import operating
from service.ops.game_removal import game_shown, remove_game

_AS = click.option(
    "--as", "by", default=getpass.getuser, show_default="your user name", help="Who acts."
)


@click.command(short_help="Print a link to the operator's page.")
@_AS
def operator(by: str) -> None:
    """Print a link to the operator's page of the running server.

    It works once, for ten minutes, and opens the page in one browser for eight hours: late notices,
    dead letters, addresses that mail does not reach, reported messages, workers and queues.
    """
    store = open_store()
    served_at = store.heartbeat.base_url() or store.settings.base_url
    echo(f"Good once, for {OPERATOR_LINK_LIFE // 60} minutes:", err=True)
    echo(f"{served_at}/operator/open/{store.operator_access.make_link(by)}")


@click.command(short_help="Print a link with which one person can open an account.")
def invite() -> None:
    """Print a link with which one person can open an account, good for a week.

    It is needed where SCOTTENBURY_REGISTRATION is invited or closed, and works everywhere.
    """
    store = open_store()
    served_at = store.heartbeat.base_url() or store.settings.base_url
    echo(f"Good for one person, for {INVITATION_LIFE // DAY} days:", err=True)
    echo(f"{served_at}/welcome/{store.admission.make_invitation()}")


@click.command(short_help="Let the player NAME write no messages.")
@click.argument("name", required=False)
@click.option("--lift", is_flag=True, help="Let the player write again.")
@click.option("--why", default="", help="The reason, for the log.")
@_AS
def mute(name: str | None, lift: bool, why: str, by: str) -> None:
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
    operating.log(store, by, "unmute" if lift else "mute", player.id, player.name, why)
    echo(f"{player.name} {'can write again' if lift else 'is muted'}.")


@click.command(short_help="Rename, suspend, close … the account of a player.")
@click.argument("what", type=click.Choice(operating.ACTS))
@click.argument("name")
@click.option("--why", required=True, help="The reason, for the log.")
@click.option("--to", "new_name", help="The new name, for rename.")
@_AS
def account(what: operating.Act, name: str, why: str, new_name: str | None, by: str) -> None:
    """Do WHAT with the account of the player NAME (or of that id).

    \b
    rename        give another name, with --to
    end-sessions  sign out all browsers and programs
    recover       send a link to sign in to the confirmed address
    suspend       let nobody sign in or play by mail; games go on, and their clocks run
    readmit       end the suspension
    close         resign all games and delete the account: this cannot be undone
    """
    if (what == "rename") != (new_name is not None):
        raise click.UsageError("rename takes --to, and nothing else does")
    store = open_store()
    player = _player(store, name)
    try:
        new_name = new_name and NewName().deserialize(new_name)
        operating.act(store, by, what, player, why, new_name)
    except ValidationError as error:
        raise click.ClickException(printable(str(error.messages[0]))) from None
    except RequestRejected as refusal:
        raise click.ClickException(printable(refusal.detail)) from None
    echo(f"{what}: {player.name}")


@click.command(name="remove-game", short_help="Remove a game for good.")
@click.argument("game_id", metavar="GAME")
@click.option("--why", required=True, help="The reason, for the log.")
@click.option("--words", default="", help="Shown to its players in place of the game.")
@click.option("--confirm", help="The game's id once more; asked for if left out.")
@_AS
def remove(game_id: str, why: str, words: str, confirm: str | None, by: str) -> None:
    """Remove the game GAME and all that is stored for it, after its id was typed once more.

    Nobody wins or loses it. Its players get one mail if it was going on, and read in its place that
    it was removed, with your words. This cannot be undone. A backup that was made before still has
    the game, and restores it into a store that does not know of the removal.
    """
    store = open_store()
    shown = game_shown(store, game_id)
    if shown is None:
        raise click.ClickException("there is no such game")
    if shown.stored is not None:
        players = " and ".join(shown.names.values())
        echo(f"{players}, {shown.stored.game.status}, made {shown.stored.created}", err=True)
    typed = confirm or click.prompt("Type the game's id to remove it", err=True)
    if typed.strip() != game_id:
        raise click.ClickException("nothing was removed: that is not the id of this game")
    remove_game(store, by, game_id, why, plain_text(words)[:LONGEST_WORDS])
    echo(f"removed: {game_id}")


@click.command(short_help="List what operators did.")
def acts() -> None:
    """List what operators did with accounts and messages: when, who, what, to whom, why."""
    for entry in operating.all_entries(open_store()):
        echo(f"{entry.at}  {entry.by}  {entry.act}  {entry.name} ({entry.player})  {entry.reason}")


def _player(store: Container, name: str) -> Player:
    by_id = store.players.find(name) if re.fullmatch(PLAYER_ID, name) else None
    named = [by_id] if by_id else store.players.named(name)
    if not named:
        raise click.ClickException(printable(f"no player is called {name}"))
    if len(named) > 1:
        ids = ", ".join(player.id for player in named)
        raise click.ClickException(printable(f"several are called {name}, give an id: {ids}"))
    return named[0]
