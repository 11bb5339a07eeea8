"""Given names of people in Europe and where English is spoken: a closed list.

`names.txt` holds the first names in the Python package Faker (version 40.54.0, MIT License), except
those that a spelling dictionary of one of twenty-two languages lists as a word. Common names stay
if they mean nothing next to a turn: "Mark" stays, "Joke", "Morgen" and "Leva" do not. The nicknames
are our own.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
_LISTS: Final = ("names.txt", "nicknames.txt")


def is_given_name(word: str) -> bool:
    """Whether this is a listed given name, in upper or lower case: "Inga", "karl-heinz", "Moni"."""
    return word.isprintable() and " " not in word and f" {word.casefold()} " in _listed()


@lru_cache(1)
def _listed() -> str:
    """Return all names in one string, between spaces: a set of them would be ten times as large.
    The files are read when a mail first needs them."""
    texts = ((_FOLDER / name).read_text("utf-8") for name in _LISTS)
    return f" {' '.join(' '.join(texts).split())} "
