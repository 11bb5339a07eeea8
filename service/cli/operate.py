"""An operator's commands on the store of a running server."""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from gzip import GzipFile
from itertools import chain
from pathlib import Path
from typing import IO

import click
from click._termui_impl import ProgressBar
from marshmallow import ValidationError, validate

from service.cli.files import keep_aside, read_record, unreadable, written_whole
from service.cli.operator import address_of, open_store
from service.cli.output import echo
from service.core import key_fingerprint
from service.eventlog.snapshot import Snapshots
from service.games.rating import Result
from service.games.reading.history import archive_line
from service.ops import integrity
from service.ops import restore as restoring
from service.ops.backup import NotABackup, read_lines, write_backup
from service.ops.doctor import examine
from service.ops.integrity import Audit
from service.ops.mail_check import examine_address, examine_delivery


def verify_all(afresh: bool) -> None:
    """Check every stored game, continuing an interrupted run."""
    store = open_store()
    audit = Audit(store.redis, store.log.events)
    if afresh:
        audit.forget()
    if audit.position():
        echo("Going on where the last walk stopped.", err=True)
    ahead = audit.ahead()
    with _bar(len(ahead), "Verifying") as bar:
        for game_id in ahead:
            audit.check(game_id)
            bar.update(1)
    faults = list(audit.faults())
    audit.forget()
    for game_id, fault in faults:
        echo(f"{game_id}: {fault}")
    if faults:
        raise click.ClickException(f"Not sound: {_many(len(faults), 'game')}.")
    checked = "chain, commitment, shuffle and every decision"
    echo(f"Sound: {_many(len(ahead), 'game')}: {checked}.")


@click.command(short_help="Write all games and players into FILE.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--marks",
    is_flag=True,
    help="Write only the marks of deleted accounts and revoked tokens: a small file, to be made"
    " often, and restored beside an older FILE.",
)
def backup(file: Path, marks: bool) -> None:
    """Write all games and players into FILE, as JSON Lines.

    The server can go on running. FILE holds every secret of the games and the e-mail addresses:
    only its owner can read it. An existing FILE is replaced once the new one is complete.

    If a game cannot be read, it is named and left out, and the exit code is 1. The previous FILE,
    which may hold that game, is kept as FILE.complete.
    """
    store = open_store()
    if not store.settings.secret_key:
        echo("There is no secret key: the file will not be signed.", err=True)
    elif not key_fingerprint.belongs_to(store.redis, store.settings.secret_key):
        echo("The file will be signed with another secret key than the server's.", err=True)
    game_ids = set() if marks else Snapshots(store.redis, store.log.events).ids()
    with written_whole(file) as out:
        with _bar(len(game_ids), "Backing up") as bar:
            written = write_backup(
                store, game_ids, out, tick=lambda: bar.update(1), marks_only=marks
            )
        if written.left_out and file.exists():
            keep_aside(file, file.with_name(f"{file.name}.complete"))
    echo(
        f"{file} holds {_many(written.games, 'game')}, {_many(written.challenges, 'challenge')}"
        f" and {_many(written.keys, 'key')} of players, invitations and preferences."
    )
    _report(written.left_out)
    if written.left_out:
        raise click.ClickException(
            f"Left out: {_many(len(written.left_out), 'fault')}, named above."
        )


@click.command(short_help="Put the games and players of FILE back.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--salvage", is_flag=True, help="Leave out what is not sound, and restore the rest.")
@click.option(
    "--trust-foreign-backup",
    is_flag=True,
    help="Restore a FILE that an older version wrote, or a server with another secret key."
    " Whoever made it decides who the players are, which tokens are valid, and which"
    " e-mail addresses are confirmed.",
)
def restore(file: Path, salvage: bool, trust_foreign_backup: bool) -> None:
    """Put the games and players of FILE back into this store.

    FILE is checked first: if anything in it was changed, it is refused, and each damaged game is
    named with its event. A restore keeps what the store has, so it can be repeated.
    """
    store = open_store()
    with _backup_lines(file, "Checking") as lines:
        inspection = restoring.inspect(lines, store.settings.secret_key)
    _report(inspection.faults)
    if inspection.faults and not salvage:
        raise click.ClickException("Nothing was restored; --salvage restores what is sound.")
    if not inspection.ours and not trust_foreign_backup:
        raise click.ClickException(
            "Nothing was restored: the file was not written with this server's secret key."
            " Restore it with --trust-foreign-backup if you trust whoever made it."
        )
    with _backup_lines(file, "Restoring") as lines:
        left_out = {fault.line for fault in inspection.faults}
        done = restoring.restore(store, lines, left_out, ours=inspection.ours)
    _report(done.refused)
    if done.apart:
        echo(
            f"Left out: orders and offers beside {_many(done.apart, 'game')}, which this older"
            " backup did not read at the same moment as the game.",
            err=True,
        )
    echo(
        f"In the store: {_many(done.games, 'game')}, {_many(done.challenges, 'challenge')} and"
        f" {_many(done.keys, 'key')} of players, invitations and preferences."
    )
    if inspection.faults or done.refused:
        faults = len(inspection.faults) + len(done.refused)
        raise click.ClickException(f"Left out: {_many(faults, 'fault')}, named above.")


@click.command(short_help="Write the games of a month that may be studied into FILE.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--month", type=click.DateTime(["%Y-%m"]), help="2026-10; else the last whole one.")
def export_archive(file: Path, month: datetime | None) -> None:
    """Write the games of a month that both players let be studied into FILE, gzipped JSON Lines.

    They are those of GET /v1/records, and whoever has taken their word back since is not among
    them. A month is whole on the second day after it. `scottenbury verify FILE` checks it.
    """
    store = open_store()
    latest = datetime.now(UTC).replace(tzinfo=None) - timedelta(days=1)
    month = month or latest.replace(day=1) - timedelta(days=1)
    if f"{month:%Y-%m}" >= f"{latest:%Y-%m}":
        raise click.ClickException(f"The month {month:%Y-%m} is not whole yet.")
    written = 0
    with written_whole(file) as out, GzipFile(fileobj=out, mode="wb", mtime=0) as packed:
        for game in store.games.archive.of_month(f"{month:%Y-%m}"):
            packed.write(f"{archive_line(game)}\n".encode())
            written += 1
    echo(f"{file} holds {_many(written, 'game')} of {month:%Y-%m}.")


@click.command(name="import", short_help="Take in the RECORD of a finished game.")
@click.argument("record", type=click.Path(allow_dash=True))
def import_record(record: str) -> None:
    """Take in the RECORD of a finished game, played here or elsewhere.

    RECORD is a file as the server gives it, JSON Lines or text, or - for standard input. It is
    verified first: a record that was changed is refused, and the event named.
    """
    lines = read_record(record)
    store = open_store()
    try:
        game_id = restoring.import_record(store, lines)
    except restoring.NotImported as error:
        raise click.ClickException(str(error)) from None
    if store.heartbeat.base_url() is None:
        echo("No server says that it runs. With the settings given here it will be:", err=True)
    echo(address_of(store, f"/games/{game_id}"))


@click.command(name="reindex", short_help="Write lists, deadlines and ratings anew, from the logs.")
@click.option("--notices", is_flag=True, help="Write what is to be sent anew, too: mails go twice.")
def reindex(notices: bool) -> None:
    """Rebuild what follows from games and players: lists, deadlines, ratings, the index of names.

    The server can go on running. If a game cannot be read, it is named and taken out of all lists,
    and the exit code is 1.
    """
    store = open_store()
    began = time.time()
    game_ids = sorted(store.log.events.game_ids())
    faults, results = dict[str, str](), list[Result]()
    with _bar(len(game_ids), "Reindexing") as bar:
        for done in integrity.reindex(store, game_ids, began if notices else None):
            bar.update(1)
            results += [done.result] if done.result is not None else []
            if done.fault is not None:
                faults[done.game] = done.fault
    store.games.ratings.rebuild(results, began)
    players = integrity.reindex_players(store)
    challenges = integrity.reindex_challenges(store)
    seasons = store.season_store.reindex()
    integrity.sweep_players(store)
    gone = integrity.sweep(store, faults)
    echo(
        f"Written anew: {_many(len(game_ids) - len(faults), 'game')},"
        f" {_many(players, 'player')}, {_many(challenges, 'open challenge')},"
        f" {_many(len(seasons), 'season')}."
        f" Removed: {_many(gone, 'entry', 'entries')}."
    )
    _report(f"game {game_id}: {fault}" for game_id, fault in faults.items())
    bad_seasons = [fault for fault in seasons.values() if fault is not None]
    _report(bad_seasons)
    if faults:
        raise click.ClickException(f"In no list: {_many(len(faults), 'game')}, named above.")
    if bad_seasons:
        raise click.ClickException(f"Not read: {_many(len(bad_seasons), 'season')}, named above.")


@click.command(name="new-key", short_help="Accept that the secret key was changed.")
def new_key() -> None:
    """Accept that the secret key was changed: web and workers start with the new one alone.

    Run it with the new key in SCOTTENBURY_SECRET_KEY, or in the data folder. Links in mail,
    invitations, private addresses and signatures made with the former key are dead.
    """
    store = open_store()
    if not store.settings.secret_key:
        raise click.ClickException("There is no secret key: set SCOTTENBURY_SECRET_KEY.")
    key_fingerprint.replace(store.redis, store.settings.secret_key)
    echo("The store belongs to this secret key. Restart web and every worker with it.")


@click.command(short_help="Find problems, and say what to do about them.")
@click.option(
    "--mail-wait",
    type=click.FloatRange(0, 600),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a mail to itself may take to come back; 0: send none, look up no mail domain.",
)
@click.option(
    "--mail-to",
    metavar="ADDRESS",
    callback=lambda context, option, address: address and _address(address),
    help="Send a test mail to this address, too.",
)
def doctor(mail_wait: float, mail_to: str | None) -> None:
    """Find problems of the server, and say what to do about them.

    Where a mail server is set, a mail is sent to this server itself, and should come back; another
    to the address of --mail-to.

    Exits with 1 if a problem is serious.
    """
    store = open_store()
    worst_is_bad = False
    for diagnosis in chain(
        examine(store.settings, store.redis),
        examine_delivery(store, mail_wait),
        [examine_address(store, mail_to)] if mail_to else [],
    ):
        echo(f"{diagnosis.state:8} {diagnosis.subject}: {diagnosis.says}")
        if diagnosis.state != "ok":
            echo(f"{'':8} → {diagnosis.advice}")
        worst_is_bad |= diagnosis.state == "bad"
    if worst_is_bad:
        sys.exit(1)


def _address(text: str) -> str:
    try:
        return validate.Email(error="That is not a valid e-mail address.")(text)
    except ValidationError as error:
        raise click.BadParameter(str(error.messages[0])) from None


def _bar(length: int, label: str) -> ProgressBar[int]:
    """A bar on standard error that shows the number done."""
    return click.progressbar(length=length, label=label, show_pos=True, file=sys.stderr)


def _many(count: int, one: str, more: str | None = None) -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def _report(faults: Iterable[object]) -> None:
    for fault in faults:
        echo(fault, err=True)


@contextmanager
def _backup_lines(path: Path, label: str) -> Iterator[Iterator[bytes]]:
    """Yield an iterator over the lines of a backup; a bar shows the part read so far."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            with click.progressbar(length=size, label=label, file=sys.stderr) as bar:
                yield _counted(file, bar)
    except NotABackup as refusal:
        raise click.ClickException(f"{path} is no backup: {refusal}") from None
    except OSError as error:
        raise unreadable(str(path), error.strerror) from None


def _counted(file: IO[bytes], bar: ProgressBar[int]) -> Iterator[bytes]:
    for line in read_lines(file):
        yield line
        bar.update(len(line))
