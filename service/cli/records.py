"""Commands that need no server: `replay` a record, `judge` claims."""

import sys
from io import TextIOWrapper
from typing import Final, cast

import click

from engine.cards import Seat
from engine.chain import StoredEvent, redact, to_event
from engine.errors import UnknownEvent
from engine.events import GameCreated, PlayerJoined, RoundStarted
from engine.evolve import evolve
from engine.game import Game
from engine.judge_io import judge_line
from engine.verify import is_redacted
from engine.view import view
from service.cli.files import read_record
from service.cli.output import echo
from service.cli.verify import fault_in
from service.text.board import board_text
from service.text.history import narrate

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
    fault = fault_in(lines)
    if fault is not None:
        echo(f"Warning: this record is not sound: {fault}.", err=True)
    shown = lines[:at]
    if is_redacted(lines):
        for sentence in narrate(shown, SEAT_NAMES):
            echo(f"{sentence.seq:4}  {sentence.text}")
        echo("\nThe game goes on, and cards are hidden: the boards can be shown after its end.")
        return
    _show_whole(shown, cast(Seat | None, seat), steps)


def _show_whole(lines: list[StoredEvent], seat: Seat | None, steps: bool) -> None:
    # A record that is not sound may have other event numbers.
    lines = [{**line, "seq": number} for number, line in enumerate(lines, 1)]
    game: Game | None = None
    done = 0
    for sentence in narrate([redact(line, seat, over=False) for line in lines], SEAT_NAMES):
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
