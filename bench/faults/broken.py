"""Servers that are broken on purpose, by a module that their processes load before all others.

Each replaces one function of the program while it runs; the program has no switch for it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_SCRIPT: Final = """
from service.eventlog import EventStore

append = vars(EventStore)["_append"]
for old, new in {changes}:
    append.source = append.source.replace(old, new)
"""
DOUBLE: Final = (
    ("for i = 1, events do", "for i = 1, (expected > 20 and 2 or 1) * events do"),
    ("FIRST_EVENT + i - 1]", "FIRST_EVENT + (i - 1) % events]"),
)
UNGUARDED: Final = (
    (
        "  return version == expected and ",
        "  if version ~= expected then\n"
        "    expected, after = version, version + events\n    return true\n  end\n"
        "  return version == expected and ",
    ),
)
_LEAK: Final = """
import engine

def seen_fields(game, seat, whole=engine.seen_fields):
    shown = whole(game, seat)
    following = game.decks["clan"][:1] if game.version > 20 and not game.over else ()
    return {**shown, "discard": [*shown["discard"], *following]}

engine.seen_fields = seen_fields
"""
"""Views show the next card of the deck."""

FORGETS: Final = "lost"
"""The server that turns its append-only file off before Redis dies, and so forgets the end."""
MODULES: Final[Mapping[str, str]] = {
    "double": _SCRIPT.format(changes=DOUBLE),
    "unguarded": _SCRIPT.format(changes=UNGUARDED),
    "leak": _LEAK,
}
BROKEN: Final = (FORGETS, *MODULES)


@contextmanager
def broken_environment(broken: str) -> Iterator[dict[str, str]]:
    """The environment in which the processes of the server are broken, if they are to be."""
    if broken not in MODULES:
        yield {}
        return
    with TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(MODULES[broken])
        yield {"PYTHONPATH": folder}
