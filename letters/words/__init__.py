"""Lists of words and phrases, each a section of a file beside this module: rows of one
language, or rows that each begin with what they are for."""

from functools import cache
from pathlib import Path


def words(file: str, section: str) -> str:
    """The rows of a section."""
    return _sections(file)[section]


def keyed(rows: str) -> dict[str, str]:
    """Rows by the word that begins each: a language, the letter of a clan."""
    return dict(row.split(" ", 1) for row in rows.split("\n"))


@cache
def _sections(file: str) -> dict[str, str]:
    text = (Path(__file__).parent / f"{file}.txt").read_text(encoding="utf-8")
    sections = (part.split("]\n", 1) for part in text.removeprefix("[").split("\n\n["))
    return {name: rows.rstrip("\n") for name, rows in sections}
