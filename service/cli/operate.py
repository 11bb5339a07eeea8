"""Commands of an operator, on the store of a running server."""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TextIO, TypeVar

import click
from click._termui_impl import ProgressBar

from service.archive import importing, reindexing, restoring
from service.archive.audit import Audit
from service.archive.backup import write_backup
from service.cli.files import read_record
from service.cli.store import open_store
from service.doctor import examine

Item = TypeVar("Item")


def verify_all(afresh: bool) -> None:
    """Check every stored game, going on where an interrupted walk stopped."""
    store = open_store()
    audit = Audit(store.redis, store.log)
    if afresh:
        audit.forget()
    if audit.position():
        click.echo("Going on where the last walk stopped.", err=True)
    ahead = audit.ahead()
    with _progress(ahead, "Verifying") as games:
        for game_id in games:
            audit.check(game_id)
    faults = list(audit.faults())
    audit.forget()
    for game_id, fault in faults:
        click.echo(f"{game_id}: {fault}")
    if faults:
        raise click.ClickException(f"Not sound: {_many(len(faults), 'game')}.")
    told = "chain, commitment, shuffle and every decision"
    click.echo(f"Sound: {_many(len(ahead), 'game')}: {told}.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Write all games and players into FILE, as JSON Lines.

    The server may go on meanwhile. FILE holds every secret of the games and the e-mail addresses:
    only its owner can read it. An existing FILE is replaced once the new one is whole.
    """
    store = open_store()
    game_ids = sorted(store.log.game_ids())
    with _written_whole(file) as out, _progress(game_ids, "Backing up") as games:
        count, keys = write_backup(store.redis, store.log, games, out, time.time())
    click.echo(f"{file} holds {_many(count, 'game')} and {_many(keys, 'key')} beside them.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--salvage", is_flag=True, help="Leave out what is not sound, and restore the rest.")
def restore(file: Path, salvage: bool) -> None:
    """Put the games and players of FILE back into this store.

    FILE is checked first: if anything in it was changed, it is refused, and each game at fault
    named with its event. What the store has already stays as it is.
    """
    store = open_store()
    with _lines(file, "Checking") as lines:
        faults = list(restoring.inspect(lines))
    _tell(faults)
    if faults and not salvage:
        raise click.ClickException("Nothing was restored; --salvage restores what is sound.")
    with _lines(file, "Restoring") as lines:
        done = restoring.put(store, lines, leave_out={fault.line for fault in faults})
    _tell(done.refused)
    click.echo(
        f"In the store: {_many(done.games, 'game')} and {_many(done.keys, 'key')} beside them."
    )
    if faults or done.refused:
        raise click.ClickException(
            f"Left out: {_many(len(faults) + len(done.refused), 'fault')}, named above."
        )


@click.command(name="import")
@click.argument("record", type=click.Path(allow_dash=True))
def import_record(record: str) -> None:
    """Take in the RECORD of a finished game, played here or elsewhere.

    RECORD is a file as the server gives it, JSON Lines or text, or - for standard input. It is
    verified first: a record that was changed is refused, and the event named.
    """
    lines = read_record(record)
    store = open_store()
    try:
        game_id = importing.import_record(store, lines)
    except importing.NotImported as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{store.settings.base_url}/games/{game_id}")


@click.command()
@click.option("--notices", is_flag=True, help="Write what is to be sent anew, too: mails go twice.")
def reindex(notices: bool) -> None:
    """Write the lists of games and the deadlines anew, from the logs alone.

    The server may go on meanwhile.
    """
    store = open_store()
    game_ids = sorted(store.log.game_ids())
    written = reindexing.reindex(store, game_ids, time.time() if notices else None)
    with _progress(written, "Reindexing", len(game_ids)) as done:
        count = sum(1 for _ in done)
    gone = reindexing.sweep(store)
    click.echo(f"Written anew: {_many(count, 'game')}. Removed: {_many(gone, 'entry', 'entries')}.")


@click.command()
def doctor() -> None:
    """Look whether all is in order, and say what to do where it is not.

    Ends with exit code 1 where something is bad.
    """
    store = open_store()
    findings = list(examine(store.settings, store.redis))
    for finding in findings:
        click.echo(f"{finding.state:8} {finding.subject}: {finding.says}")
        if finding.state != "ok":
            click.echo(f"{'':8} → {finding.advice}")
    if any(finding.state == "bad" for finding in findings):
        sys.exit(1)


@contextmanager
def _progress(
    items: Iterable[Item], label: str, length: int | None = None
) -> Iterator[Iterable[Item]]:
    """The items, with a bar on standard error that tells how many are done."""
    with click.progressbar(items, length, label, show_pos=True, file=sys.stderr) as bar:
        yield bar


@contextmanager
def _lines(file: Path, label: str) -> Iterator[Iterable[str]]:
    """The lines of a file, with a bar that tells how much of it is read."""
    size = file.stat().st_size
    with (
        file.open(encoding="utf-8", newline="\n") as text,
        click.progressbar(length=size, label=label, file=sys.stderr) as bar,
    ):
        yield _counted(text, bar)


def _counted(text: TextIO, bar: ProgressBar[int]) -> Iterator[str]:
    for line in text:
        yield line
        bar.update(len(line.encode()))


@contextmanager
def _written_whole(file: Path) -> Iterator[TextIO]:
    """A new file that takes the place of `file` when it is whole, and only then."""
    with NamedTemporaryFile(
        "w", dir=file.parent, delete=False, encoding="utf-8", newline=""
    ) as out:
        try:
            yield out  # type: ignore[misc]
            out.flush()
            os.fsync(out.fileno())
            os.replace(out.name, file)
        except BaseException:
            with suppress(OSError):
                os.unlink(out.name)
            raise


def _many(count: int, one: str, more: str | None = None) -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def _tell(faults: Iterable[restoring.Fault]) -> None:
    for fault in faults:
        click.echo(str(fault), err=True)
