"""The command `scottenbury dead-letters`: notices that could not be delivered."""

from collections.abc import Sequence

import click

from service.cli.output import echo, printable
from service.cli.store import open_store
from service.core.timestamps import timestamp
from service.eventlog.dead_letters import DeadLetter
from service.ops.dead_letters import retry as retry_dead_letter


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
    chosen = _chosen(dead_letters.all(), notices)
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


def _chosen(given_up: Sequence[DeadLetter], notices: Sequence[str]) -> list[DeadLetter]:
    by_id = {dead.notice: dead for dead in given_up}
    if unknown := [notice for notice in notices if notice not in by_id]:
        raise click.ClickException(f"no such dead letters: {', '.join(unknown)}")
    return [by_id[notice] for notice in notices or by_id]
