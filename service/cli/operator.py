"""The commands `scottenbury operator`, `invite`, `mute`, `account`, `acts`, `remove-game`,
`dead-letters` and `mail-in`, and the store for them.
"""

import getpass
import os
import re
import sys
from dataclasses import replace
from typing import Final

import click
from marshmallow import ValidationError

from service.accounts.links import OPERATOR_LINK_LIFE
from service.accounts.player import Player
from service.accounts.registration import INVITATION_LIFE
from service.api.schemas.fields import NewName, checked
from service.cli.output import echo, printable
from service.container import Container
from service.core import data_folder, key_fingerprint
from service.core.errors import STORE_FAILURE, RequestRejected
from service.core.ids import PLAYER_ID
from service.core.redis.client import connect
from service.core.redis.failures import about_url
from service.core.settings import BadSetting, Settings
from service.core.times import DAY, timestamp
from service.eventlog.results import LONGEST_WORDS
from service.games.conversation_store import plain_text
from service.mail_in.store import MAX_SIZE
from service.ops import operating
from service.ops.diagnosis import free_space
from service.ops.operating import game_shown, remove_game
from service.ops.operating import retry as retry_dead_letter
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
    full = data_folder.is_full(settings.data)
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
    return Container(replace(settings, redis_url=url), redis)


def address_of(store: Container, path: str) -> str:
    """The URL of a page of the running server, or of the one that these settings make."""
    return f"{store.heartbeat.base_url() or store.settings.base_url}{path}"


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
    echo(f"Good once, for {OPERATOR_LINK_LIFE // 60} minutes:", err=True)
    echo(address_of(store, f"/operator/open/{store.operator_access.make_link(by)}"))


@click.command(short_help="Print a link with which one person can open an account.")
def invite() -> None:
    """Print a link with which one person can open an account, good for a week.

    It is needed where SCOTTENBURY_REGISTRATION is invited or closed, and works everywhere.
    """
    store = open_store()
    echo(f"Good for one person, for {INVITATION_LIFE // DAY} days:", err=True)
    echo(address_of(store, f"/welcome/{store.admission.make_invitation()}"))


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
        new_name = new_name and checked(NewName, new_name)
    except ValidationError as error:
        raise click.ClickException(str(error.messages[0])) from None
    operating.act(store, by, what, player, why, new_name)
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
        raise click.ClickException(f"no player is called {name}")
    if len(named) > 1:
        ids = ", ".join(player.id for player in named)
        raise click.ClickException(f"several are called {name}, give an id: {ids}")
    return named[0]


@click.command(name="dead-letters")
@click.argument("notices", nargs=-1)
@click.option("--retry", is_flag=True, help="Try them again, for three days.")
@click.option("--drop", is_flag=True, help="Delete them.")
def dead_letters(notices: tuple[str, ...], retry: bool, drop: bool) -> None:
    """List notices that could not be delivered: when, which, and why.

    A notice fails after three days of trying, or at once if its address is refused for good.
    --retry and --drop take the NOTICES named, or all of them.
    """
    if retry and drop:
        raise click.UsageError("Give --retry or --drop, not both.")
    store = open_store()
    dead_letters = store.dead_letters
    by_id = {dead.notice: dead for dead in dead_letters.all()}
    if unknown := [notice for notice in notices if notice not in by_id]:
        raise click.ClickException(f"no such dead letters: {', '.join(unknown)}")
    chosen = [by_id[notice] for notice in notices or by_id]
    for dead in chosen:
        if retry:
            retry_dead_letter(store, dead)
        elif drop:
            dead_letters.remove(dead.notice)
        else:
            # Escaped one by one: an error is a mail server's text.
            echo(
                "  ".join(printable(part) for part in (timestamp(dead.at), dead.notice, dead.error))
            )
    if retry or drop:
        echo(f"{'To be tried again' if retry else 'Dropped'}: {len(chosen)}.")


_STATUS: Final = {
    "unknown-recipient": os.EX_NOUSER,
    "malformed-mail": os.EX_DATAERR,
    "too-many-mails": os.EX_TEMPFAIL,
}
"""Exit codes as mail servers understand them (sysexits.h)."""


@click.command(name="mail-in", short_help="Take in one mail from standard input.")
@click.option("--to", help="The recipient in its envelope; else those that the mail names.")
@click.option("--from", "sender", help="The sender in its envelope, empty for a bounce.")
def take_in(to: str | None, sender: str | None) -> None:
    """Take in one mail, an answer to one of ours, from standard input.

    Ends with 0 once it is kept; with 67 for an address that is not ours, 65 for a mail out of
    form, and 75 where it is to be tried again later.
    """
    raw = sys.stdin.buffer.read(MAX_SIZE + 1)
    try:
        store = open_store()
        if not key_fingerprint.belongs_to(store.redis, store.settings.secret_key):
            # Otherwise no address of the server's could be read, and its mails would bounce for
            # good.
            raise click.ClickException(f"{key_fingerprint.OTHER_KEY}. {key_fingerprint.ADVICE}")
        incoming = store.incoming_mail
        for recipient in [to] if to else incoming.recipients_of(raw) or [""]:
            incoming.accept(recipient, "envelope" if sender is None else sender, raw)
    except RequestRejected as rejection:
        echo(f"Error: {rejection.detail}", err=True)
        sys.exit(_STATUS[rejection.code])
    except (*STORE_FAILURE, OSError, click.ClickException) as error:
        echo(f"Error: {error}", err=True)
        sys.exit(os.EX_TEMPFAIL)
