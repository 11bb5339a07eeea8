"""Lists of words and phrases, each a section of a file beside this module: rows of one language."""

from functools import cache
from pathlib import Path


def words(file: str, section: str) -> str:
    """The rows of a section."""
    return _sections(file)[section]


@cache
def _sections(file: str) -> dict[str, str]:
    text = (Path(__file__).parent / f"{file}.txt").read_text(encoding="utf-8")
    sections = (part.split("]\n", 1) for part in text.removeprefix("[").split("\n\n["))
    return {name: rows.rstrip("\n") for name, rows in sections}
