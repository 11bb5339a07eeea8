"""Letters that players could have written, with what a person would understand of each.

The form of the files is in `README.md` beside this module. Nothing here knows how the service
reads mail: a letter and its meaning were written down before any code had read it.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
CLASSES = (
    "programs",
    "languages",
    "encodings",
    "signatures",
    "wording",
    "several",
    "traps",
    "wishes",
    "fresh",
    "second",
    "third",
    "fourth",
    "nasty",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "chatty",
    "pretexts",
    "courteous",
)
_SECTION = re.compile(r"^@(html|head|raw|below)$\n?", re.MULTILINE)
_ENTRY = re.compile(r"^%% (.+)$\n?", re.MULTILINE)


class Letter(NamedTuple):
    """One letter. `outcomes` are the acceptable ones, the best first; `README.md` lists them."""

    id: str
    kind: str
    frame: str
    flags: frozenset[str]
    situation: str
    outcomes: tuple[str, ...]
    own: str
    sections: dict[str, str]


@cache
def letters() -> tuple[Letter, ...]:
    """All letters, class by class."""
    return tuple(_read())


def of_class(kind: str) -> list[Letter]:
    """The letters of a class."""
    return [letter for letter in letters() if letter.kind == kind]


def _read() -> Iterator[Letter]:
    for kind in CLASSES:
        for title, body in entries(HERE / f"{kind}.txt"):
            where, _, meaning = title.partition(" = ")
            number, frame, situation = where.split()
            frame, *flags = frame.split("+")
            own, *rest = map(_unescaped, _SECTION.split(body))
            yield Letter(
                number,
                kind,
                frame,
                frozenset(flags),
                situation,
                tuple(meaning.split(" or ")),
                own.strip("\n"),
                dict(zip(rest[::2], rest[1::2], strict=True)),
            )


def entries(path: Path) -> Iterator[tuple[str, str]]:
    """The entries of such a file: what stands beside `%%`, and the lines below."""
    _, *parts = _ENTRY.split(path.read_text("utf-8"))
    return zip(parts[::2], parts[1::2], strict=True)


def _unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
