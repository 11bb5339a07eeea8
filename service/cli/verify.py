"""The command `verify`: one record in detail, or many in a few lines."""

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice
from typing import Final, NamedTuple

import click

from engine.chain import FINAL_TYPES, StoredEvent
from engine.errors import UnknownEvent
from engine.nameless import is_nameless
from engine.verify import RecordFault, bound_by, is_redacted, verify_chain
from engine.verify import verify as verify_whole
from service.cli.files import StoredRecord, parsed, records_in
from service.cli.output import echo

_NOT_SHOWN: Final = (
    "Not shown: that these moves were played. That takes a head seen before (--head)."
)
_NAMELESS: Final = (
    "A nameless record, made from that of the game: players, moments and clock are left out, and"
    " its chain is its own, so no head that was seen in the game fits."
)
_BATCH: Final = 256
"""The number of records that are read and checked at a time."""
_FEW: Final = 16
"""The number of records up to which this process alone is faster than several."""


@click.command(short_help="Check the RECORDs of games, or every stored game.")
@click.argument("records", type=click.Path(allow_dash=True), nargs=-1)
@click.option(
    "--head",
    "heads",
    multiple=True,
    metavar="HASH",
    help="A head of the game that you have seen elsewhere: in a view, on a page, in a mail's"
    " X-Scottenbury-Head. Can be given several times.",
)
@click.option("--all", "whole_store", is_flag=True, help="Check every game of the running server.")
@click.option("--afresh", is_flag=True, help="With --all: begin at the first game.")
def verify(
    records: tuple[str, ...], heads: tuple[str, ...], whole_store: bool, afresh: bool
) -> None:
    """Check the RECORDs of games: their chain, their shuffle and every decision.

    Each RECORD is a file from the server, JSON Lines or text, or - for standard input; it may be
    gzipped. A file of JSON Lines may hold many records, one after the other, as an archive does.
    Neither server nor network is needed. If a record is not sound, the command names the event and
    exits with 1.

    Whoever has a finished record can change its moves and seal it anew: it is sound again. Only a
    head that was seen before, given with --head, shows that the moves up to it are those played.

    With --all and no RECORD, check every stored game, and name those that are not sound. An
    interrupted run continues where it stopped.
    """
    if whole_store == bool(records):
        raise click.UsageError("Give a RECORD, or --all.")
    if not records:
        if heads:
            raise click.UsageError("A --head belongs to a RECORD.")
        from service.cli.operate import verify_all  # here, as a record needs no store

        verify_all(afresh)
        return
    given = [_head(text) for text in heads]
    stored = chain.from_iterable(records_in(path) for path in records)
    first, *second = islice(stored, 2)
    if not second:
        _verify_one(parsed(first), given)
    elif heads:
        raise click.UsageError("A --head belongs to one RECORD alone.")
    else:
        _verify_many(chain((first, *second), stored))


def fault_in(lines: list[StoredEvent]) -> RecordFault | None:
    """Return the first fault of a record, as far as its visible part shows it; None without one.
    Raises `ClickException` for a record of a later version."""
    try:
        return verify_chain(lines) if is_redacted(lines) else verify_whole(lines)
    except UnknownEvent as unknown:
        raise click.ClickException(f"{unknown} The record is of a later version.") from None


def _head(text: str) -> str:
    if not re.fullmatch("[0-9a-fA-F]{64}", text.strip()):
        raise click.UsageError("A head is 64 hexadecimal digits.")
    return text.strip().lower()


def _verify_one(lines: list[StoredEvent], heads: list[str]) -> None:
    fault = fault_in(lines)
    if fault is not None:
        raise click.ClickException(f"Not sound: {fault}.")
    if is_redacted(lines):
        echo(
            f"The chain of {len(lines)} events holds as far as it can be seen. The game goes on: "
            "shuffle and decisions can be checked with the full record, after its end."
        )
    else:
        finished = lines[-1]["type"] in FINAL_TYPES
        sound = "Sound" if finished else "Sound so far, but not to the game's end"
        echo(f"{sound}: {len(lines)} events: chain, commitment, shuffle and every decision.")
    if practice := lines[0]["data"]["terms"].get("practice"):
        game, step = practice["game"], practice["step"]
        echo(f"For practice: the deal of {game} again, from its event {step}.")
    if daily := lines[0]["data"]["terms"].get("daily"):
        echo(f"The deal of the day, {daily}: compare the commitment with that of its page.")
    echo(_NAMELESS if is_nameless(lines) and not heads else _played(lines, heads))
    echo(f"Head {lines[-1]['hash']}")


def _played(lines: list[StoredEvent], heads: list[str]) -> str:
    """A sentence on the moves that the heads confirm. Raises `ClickException` at a foreign head."""
    bound = 0
    for head in heads:
        seq = bound_by(lines, head)
        if seq is None:
            raise click.ClickException(f"Not the game of this head: no event has the hash {head}.")
        bound = max(bound, seq)
    if not bound:
        return _NOT_SHOWN
    rest = len(lines) - bound
    after = f" The {rest} after it may be others." if rest else ""
    return f"Played: events 1 to {bound}, by the head given.{after}"


class _Verdict(NamedTuple):
    """The result of checking one of many records; `problem` is empty if it is sound."""

    name: str
    events: int = 0
    is_over: bool = False
    is_nameless: bool = False
    problem: str = ""


def _verify_many(records: Iterator[StoredRecord]) -> None:
    verdicts = []
    for verdict in _verdicts(records):
        verdicts.append(verdict._replace(name=""))
        if verdict.problem:
            echo(f"{verdict.name}: {verdict.problem}", err=True)
    sound = [each for each in verdicts if not each.problem]
    events = sum(each.events for each in sound)
    going_on = sum(not each.is_over for each in sound)
    echo(
        f"Sound: {len(sound) - going_on} of {len(verdicts)} records, to the game's end."
        + f" {going_on} more as far as they go." * bool(going_on)
        + f" {events} events: chain, commitment, shuffle and every decision."
    )
    unnamed = sum(each.is_nameless for each in sound)
    if unnamed:
        echo(f"{unnamed} are nameless records: no head that was seen in their games fits.")
    if unnamed < len(sound):
        echo(_NOT_SHOWN)
    if len(sound) < len(verdicts):
        raise click.ClickException(f"{len(verdicts) - len(sound)} records are not sound.")


def _verdicts(records: Iterator[StoredRecord]) -> Iterable[_Verdict]:
    batch = list(islice(records, _BATCH))
    if len(batch) <= _FEW:
        yield from map(_verdict, batch)
        return
    with ProcessPoolExecutor() as processes:
        while batch:
            yield from processes.map(_verdict, batch, chunksize=8)
            batch = list(islice(records, _BATCH))


def _verdict(record: StoredRecord) -> _Verdict:
    try:
        lines = parsed(record)
        fault = fault_in(lines)
    except click.ClickException as refusal:
        return _Verdict(record.name, problem=refusal.message)
    if fault is not None:
        return _Verdict(record.name, problem=f"Not sound: {fault}.")
    is_over = lines[-1]["type"] in FINAL_TYPES
    return _Verdict(record.name, len(lines), is_over, is_nameless(lines))
