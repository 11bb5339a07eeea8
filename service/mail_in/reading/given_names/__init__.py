"""Given names of people in Europe and where English is spoken: a closed list.

`names.txt` is made of the first names in the Python package Faker (version 40.54.0, MIT License),
without those that a spelling dictionary of one of twenty-two languages has as a word, unless they
are common and say nothing beside a turn: "Mark" stays, "Joke", "Morgen" and "Leva" do not. The
nicknames are our own.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
_LISTS: Final = ("names.txt", "nicknames.txt")


def is_given_name(word: str) -> bool:
    """Whether people are called so, in upper or lower case: "Inga", "karl-heinz", "Moni"."""
    return word.isprintable() and " " not in word and f" {word.casefold()} " in _listed()


@lru_cache(1)
def _listed() -> str:
    """All names, between spaces: a set of so many would be ten times as large. It is read with the
    first letter that needs it."""
    texts = ((_FOLDER / name).read_text("utf-8") for name in _LISTS)
    return f" {' '.join(' '.join(texts).split())} "
