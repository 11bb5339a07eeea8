"""Commands that need no server: `verify` and `replay` records, `judge` claims."""

import re
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from io import TextIOWrapper
from itertools import chain, islice
from typing import Final, NamedTuple, cast

import click

from engine.cards import Seat
from engine.chain import FINAL_TYPES, StoredEvent, redact, to_event
from engine.errors import UnknownEvent
from engine.events import GameCreated, PlayerJoined, RoundStarted
from engine.evolve import evolve
from engine.game import Game
from engine.judge_io import judge_line
from engine.nameless import is_nameless
from engine.verify import RecordFault, bound_by, is_redacted, verify_chain
from engine.verify import verify as verify_whole
from engine.view import view
from service.cli.files import StoredRecord, parsed, read_record, records_in
from service.cli.output import echo
from service.core.words import ENGLISH
from service.text.board import board_text
from service.text.history import narrate

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
    if (fault := fault_in(lines)) is not None:
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
    after = f" No head was given for the last {rest}." if rest else ""
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


_LONGEST_LINE: Final = 1024 * 1024
"""Longest situation, in characters: many times longer than any real one."""

SEAT_NAMES: Final = {"north": "North", "south": "South"}
"""The names of the seats: a record holds no names of players."""


@click.command(name="replay", short_help="Show a game from its RECORD.")
@click.argument("record", type=click.Path(allow_dash=True))
@click.option("--at", type=click.IntRange(min=1), help="Show it as it stood after this event.")
@click.option("--steps", is_flag=True, help="Show the board after every turn.")
@click.option(
    "--seat", type=click.Choice(["north", "south"]), help="Show this player's hand as well."
)
def show(record: str, at: int | None, steps: bool, seat: str | None) -> None:
    """Show a game from its RECORD: what happened, and the board at the end.

    RECORD is a file as the server gives it, or - for standard input. A record that is not sound is
    shown with a warning.
    """
    lines = read_record(record)
    if at is not None and at > len(lines):
        raise click.ClickException(f"The record holds {len(lines)} events.")
    if (fault := fault_in(lines)) is not None:
        echo(f"Warning: this record is not sound: {fault}.", err=True)
    shown = lines[:at]
    if is_redacted(lines):
        for sentence in narrate(ENGLISH, shown, SEAT_NAMES):
            echo(f"{sentence.seq:4}  {sentence.text}")
        echo("\nThe game goes on, and cards are hidden: the boards can be shown after its end.")
        return
    _show_whole(shown, cast(Seat | None, seat), steps)


def _show_whole(lines: list[StoredEvent], seat: Seat | None, steps: bool) -> None:
    # A record that is not sound may have other event numbers.
    lines = [{**line, "seq": number} for number, line in enumerate(lines, 1)]
    game: Game | None = None
    done = 0
    for sentence in narrate(
        ENGLISH, [redact(line, seat, over=False) for line in lines], SEAT_NAMES
    ):
        echo(f"{sentence.seq:4}  {sentence.text}")
        if steps:
            game = _after(game, lines[done : sentence.seq])
            done = sentence.seq
            if not isinstance(to_event(lines[done - 1]), _BEFORE_PLAY):
                echo(_board(game, seat))
    if not steps:
        echo(_board(_after(game, lines), seat))


_BEFORE_PLAY: Final = (GameCreated, PlayerJoined, RoundStarted)
"""Events that leave the board empty."""


def _after(game: Game | None, lines: list[StoredEvent]) -> Game:
    """The game after these events, whose record may be unsound."""
    for line in lines:
        try:
            game = evolve(game, to_event(line))
        except UnknownEvent as unknown:
            raise click.ClickException(str(unknown)) from None
        except (LookupError, ValueError, TypeError, AssertionError):
            problem = f"Event {line['seq']} does not fit the game before it: the board ends here."
            raise click.ClickException(problem) from None
    assert game is not None, "a record holds events"
    return game


def _board(game: Game, seat: Seat | None) -> str:
    return f"\n{board_text(ENGLISH, view(game, seat), SEAT_NAMES)}\n"


@click.command(short_help="Judge claims: a situation a line in, a verdict a line out.")
def judge() -> None:
    """Judge claims: situations as JSON Lines on standard input, a verdict a line on output.

    A situation is {"mine": ["R7","R8","JOK"], "theirs": ["G4"], "seen": ["B1"], "first": null,
    "modes": []}: `seen` are all other face-up Clan cards; `first` says who completed a side first,
    "mine" or "theirs", and may be left out like `modes`. A line that is not a situation is answered
    with an error object, judging goes on, and the exit code is 1.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    interactive = sys.stdin.isatty() or sys.stdout.isatty()
    failed = False
    while line := sys.stdin.readline(_LONGEST_LINE + 1):
        if len(line) > _LONGEST_LINE:  # otherwise it might never end
            raise click.ClickException(f"A line has more than {_LONGEST_LINE} characters.")
        answer = judge_line(line)
        sys.stdout.write(answer.text + "\n")
        failed = failed or answer.failed
        if interactive:
            sys.stdout.flush()
    if failed:
        sys.exit(1)
