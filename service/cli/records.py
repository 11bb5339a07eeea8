"""Commands that need no server: `verify` and `replay` a record, `judge` claims."""

import re
import sys
from io import TextIOWrapper
from typing import Final, cast

import click

from engine.cards import Seat
from engine.chain import FINAL_TYPES, StoredEvent, redact, to_event
from engine.errors import UnknownEvent
from engine.events import GameCreated, PlayerJoined, RoundStarted
from engine.evolve import evolve
from engine.game import Game
from engine.judge_io import judge_line
from engine.verify import RecordFault, bound_by, is_redacted, verify_chain
from engine.verify import verify as verify_whole
from engine.view import view
from service.cli.files import read_record
from service.cli.operate import verify_all
from service.cli.output import echo
from service.text.board import board_text
from service.text.history import narrate

_LONGEST_LINE: Final = 1024 * 1024
"""Longest situation, in characters: many times longer than any real one."""

SEAT_NAMES: Final = {"north": "North", "south": "South"}
"""A record holds no names, only who sat where."""


@click.command(short_help="Check a game's RECORD, or every stored game.")
@click.argument("record", type=click.Path(allow_dash=True), required=False)
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
def verify(record: str | None, heads: tuple[str, ...], whole_store: bool, afresh: bool) -> None:
    """Check a game's RECORD: its chain, its shuffle and every decision.

    RECORD is a file from the server, JSON Lines or text, or - for standard input. It needs neither
    server nor network. If the record is not sound, the command names the event
    and exits with 1.

    Whoever has a finished record can change its moves and seal it anew: it is sound again. Only a
    head that was seen before, given with --head, shows that the moves up to it are those played.

    With --all and no RECORD, check every stored game, and name those that are not sound. An
    interrupted run continues where it stopped.
    """
    if whole_store == (record is not None):
        raise click.UsageError("Give a RECORD, or --all.")
    if record is None:
        if heads:
            raise click.UsageError("A --head belongs to a RECORD.")
        verify_all(afresh)
    else:
        _verify_record(record, [_head(text) for text in heads])


def _head(text: str) -> str:
    if not re.fullmatch("[0-9a-fA-F]{64}", text.strip()):
        raise click.UsageError("A head is 64 hexadecimal digits.")
    return text.strip().lower()


def _verify_record(record: str, heads: list[str]) -> None:
    lines = read_record(record)
    fault = _fault_in(lines)
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
    echo(_played(lines, heads))
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
        return "Not shown: that these moves were played. That takes a head seen before (--head)."
    rest = len(lines) - bound
    after = f" The {rest} after it may be others." if rest else ""
    return f"Played: events 1 to {bound}, by the head given.{after}"


def _fault_in(lines: list[StoredEvent]) -> RecordFault | None:
    try:
        return verify_chain(lines) if is_redacted(lines) else verify_whole(lines)
    except UnknownEvent as unknown:
        raise click.ClickException(f"{unknown} The record is of a later version.") from None


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
    fault = _fault_in(lines)
    if fault is not None:
        echo(f"Warning: this record is not sound: {fault}.", err=True)
    shown = lines[:at]
    if is_redacted(lines):
        for told in narrate(shown, SEAT_NAMES):
            echo(f"{told.seq:4}  {told.text}")
        echo("\nThe game goes on, and cards are hidden: the boards can be shown after its end.")
        return
    _show_whole(shown, cast(Seat | None, seat), steps)


def _show_whole(lines: list[StoredEvent], seat: Seat | None, steps: bool) -> None:
    # A record that is not sound may have other event numbers.
    lines = [{**line, "seq": number} for number, line in enumerate(lines, 1)]
    game: Game | None = None
    done = 0
    for told in narrate([redact(line, seat, over=False) for line in lines], SEAT_NAMES):
        echo(f"{told.seq:4}  {told.text}")
        if steps:
            game = _after(game, lines[done : told.seq])
            done = told.seq
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
    return f"\n{board_text(view(game, seat), SEAT_NAMES)}\n"


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
