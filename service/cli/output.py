"""Printing text that came from a file or another person, safely for any terminal."""

from typing import Any

import click


def printable(text: str) -> str:
    """The text with every unprintable character escaped, except line breaks.

    Escape a value that may hold line breaks before you put it into a longer text.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\n" else _escaped(each) for each in text)


def echo(text: object, **options: Any) -> None:
    """Print a line, with unprintable characters escaped."""
    click.echo(printable(str(text)), **options)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()
