"""Printing text that came from a file or another person, safely for any terminal, and errors of the
system or of Redis in one line.
"""

import errno
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click


def printable(text: str) -> str:
    """The text with every unprintable character escaped, except line breaks.

    Escape a value that may hold line breaks before you put it into a longer text.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )


def echo(text: object, **options: Any) -> None:
    """Print a line, with unprintable characters escaped."""
    click.echo(printable(str(text)), **options)


_UNWRITABLE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""System errors raised when output cannot be written."""

_WHOLE: Final = 1000
"""A limit in characters: longer than any sentence of help."""


class CommandGroup(click.Group):
    """Commands that explain a failure or a refusal in one line, and describe themselves in whole
    sentences.

    `within` names the module and the command for each: importing all takes a second.
    """

    def __init__(self, *args: Any, within: Mapping[str, str], **extra: Any) -> None:
        super().__init__(*args, **extra)
        self._within = within

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._within)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now; None if no command has this name."""
        if cmd_name not in self._within:
            return None
        module, _, name = self._within[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"service.cli.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with the first sentence of its help: click would cut it."""
        named = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, command.get_short_help_str(_WHOLE)) for name, command in named if command]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command. Escape text quoted in an error, so that the terminal shows it
        literally."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            vars(error)["message"] = printable(error.message)
            raise

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command named in the arguments, and flush its output."""
        try:
            try:
                return super().main(*args, **extra)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except OSError as error:
            if error.errno not in _UNWRITABLE:
                raise
            # Discard what is still buffered: writing it would fail again when Python exits.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
            click.echo(f"Error: output cannot be written: {error.strerror}.", err=True)
            sys.exit(1)
        except Exception as error:
            # Imported only now: records need neither Redis nor its errors.
            from engine.errors import RuleBroken
            from service.core.errors import STORE_FAILURE, RequestRejected

            if isinstance(error, STORE_FAILURE):
                said = f"Redis failed: {' '.join(str(error).split())}"
            elif isinstance(error, RequestRejected | RuleBroken):
                said = error.detail
            else:
                raise
            echo(f"Error: {said}", err=True)
            sys.exit(1)
