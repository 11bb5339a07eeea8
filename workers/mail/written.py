"""Cuts players' messages in a mail so that the mail stays small."""

from collections.abc import Iterable
from typing import Final, NamedTuple

_MOST_BYTES: Final = 3000
"""Most bytes of messages. A mail may take six times this, since each text appears in its text and
in its HTML."""
_MOST_LINES: Final = 50


class WrittenLines(NamedTuple):
    """A player's lines, in a form that does not read as commands; `is_all` is False if any were
    left out."""

    lines: list[str]
    is_all: bool


def written_lines(texts: Iterable[str]) -> WrittenLines:
    """Return the lines of these texts, as many as fit into a mail."""
    from service.mail_in.words.inert_prose import inert_prose  # here, as in compose.py

    left, fitting = _MOST_BYTES, list[str]()
    for line in (line for text in texts for line in text.split("\n")):
        beginning = line.encode()[:left].decode(errors="ignore")
        if beginning != line or len(fitting) == _MOST_LINES:
            return WrittenLines(
                [*map(inert_prose, fitting), f"{inert_prose(beginning)}…"], is_all=False
            )
        fitting.append(line)
        left -= len(line.encode())
    return WrittenLines([*map(inert_prose, fitting)], is_all=True)
