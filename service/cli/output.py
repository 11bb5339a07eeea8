"""Printing what came from a file or from another person."""

from typing import Any

import click


def printable(text: str) -> str:
    """The text with everything escaped that a terminal would not show as it is.

    Line breaks stay, of one's own making: escape a value before it becomes part of several lines.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\n" else _escaped(each) for each in text)


def echo(text: object, **options: Any) -> None:
    """Print a line; every character in it is shown, and none is obeyed."""
    click.echo(printable(str(text)), **options)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()
