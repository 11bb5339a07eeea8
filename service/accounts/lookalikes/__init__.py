"""Names that could be mistaken for each other: by case, accents and look-alikes.

The table is Unicode's (UTS #39), a copy in this folder. Names are stored under its results, so with
an updated table from a library the server would not find stored names any more.
"""

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Final

_TABLE: Final = Path(__file__).with_name("confusables.txt")
_BLANK: Final = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    "\U00013441\U00013442\U0001d159"
)
"""Invisible characters, besides the variation selectors."""
_SELECTORS: Final = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
_ACCENTS: Final = ((1, 1), (10, 36), (200, 255))
"""Combining classes of marks that do not distinguish names: overlays, points of Hebrew, Arabic and
Syriac, marks above or below a letter. Other marks, like vowel signs and voicing marks, do."""
_ROUNDS: Final = 5
"""The most passes until the text no longer changes; every character needs fewer."""


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of the name: of the name as written, and of the name in lower case.

    A skeleton is a text in which look-alike characters are equal. Two names could be mistaken for
    each other if they share one.
    """
    return frozenset({_skeleton(name), folded(name)})


def look_alike(name: str, other: str) -> bool:
    """Whether two names could be mistaken for each other."""
    return not skeletons(name).isdisjoint(skeletons(other))


def folded(name: str) -> str:
    """Return the name without case, accents and look-alikes.

    If two names begin alike, their results begin alike as well.
    """
    return _skeleton(name.casefold())


def _skeleton(text: str) -> str:
    # First by Unicode's own rules, so that all names it treats as equal are equal here.
    for _ in range(_ROUNDS):
        before = text
        text = _with_prototypes(unicodedata.normalize("NFD", text))
        text = _with_prototypes(unicodedata.normalize("NFKD", text)).casefold()
        if text == before:
            break
    return text


def _with_prototypes(text: str) -> str:
    plain = "".join(character for character in text if not _is_dropped(character))
    return unicodedata.normalize("NFD", plain.translate(_prototypes()))


def _is_dropped(character: str) -> bool:
    if character in _BLANK or unicodedata.category(character) == "Me":
        return True
    code, accent = ord(character), unicodedata.combining(character)
    return any(low <= code <= high for low, high in _SELECTORS) or any(
        low <= accent <= high for low, high in _ACCENTS
    )


@lru_cache(maxsize=1)
def _prototypes() -> dict[int, str]:
    lines = (line.split() for line in _TABLE.read_text("ascii").splitlines() if line[0] != "#")
    return {
        int(source, 16): "".join(chr(int(code, 16)) for code in target) for source, *target in lines
    }
