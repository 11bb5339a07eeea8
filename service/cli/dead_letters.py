"""The command `scottenbury dead-letters`: notices that could not be delivered."""

import time
from collections.abc import Sequence

import click

from service.cli.output import echo, printable
from service.cli.store import open_store
from service.core.timestamps import timestamp
from service.eventlog import Notice, Outbox
from service.eventlog.dead_letters import DeadLetter, DeadLetters


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
    found = _chosen(dead_letters.all(), notices)
    for dead in found:
        if retry:
            _retry(store.log.outbox, dead_letters, dead)
        elif drop:
            dead_letters.remove(dead.notice)
        else:
            # Escaped one by one: an error is what a mail server said.
            echo(
                "  ".join(printable(part) for part in (timestamp(dead.at), dead.notice, dead.error))
            )
    if retry or drop:
        echo(f"{'To be tried again' if retry else 'Dropped'}: {len(found)}.")


def _chosen(given_up: Sequence[DeadLetter], notices: Sequence[str]) -> list[DeadLetter]:
    known = {dead.notice: dead for dead in given_up}
    if unknown := [notice for notice in notices if notice not in known]:
        raise click.ClickException(f"no such dead letters: {', '.join(unknown)}")
    return [known[notice] for notice in notices or known]


def _retry(outbox: Outbox, dead_letters: DeadLetters, dead: DeadLetter) -> None:
    # In this order: a crash in between tries it again, and keeps it listed.
    outbox.add(Notice(dead.notice, time.time()))
    dead_letters.remove(dead.notice)
