"""Recognises words that take a turn back, or put it off, in the languages that answers come in.

They need no grammar: if the writer's own text holds one of them, nothing is played, and the answer
asks. A false alarm costs a mail, an unintended turn costs the game.
"""

import re
from collections.abc import Collection
from typing import Final

from letters.words import words

_WORDS: Final = words("taking_back", "words")
_STEMS: Final = words("taking_back", "stems")
"""Beginnings of words."""
_PARTS: Final = words("taking_back", "parts")


def _pattern() -> re.Pattern[str]:
    words = {word.strip() for line in _WORDS.split("\n") for word in line.split("|")} - {""}
    parts = {part for line in _PARTS.split("\n") for part in line.split("|") if part.strip()}
    stems = {stem for line in _STEMS.split("\n") for stem in line.split("|") if stem}
    first = "".join({re.escape(word[0]) for word in words | stems})
    inside = "|".join(part.replace(" ", r"\s") for part in sorted(parts, key=len, reverse=True))
    # "No. 1" is a number, "no virus" what scanners say, "Greenwich Mean Time" a clock's, and
    # "7. Mai 2024" a date.
    # No part begins with a letter of ASCII, of which most texts are.
    return re.compile(
        rf"(?<!\w)(?=[{first}])(?!no(?:\. ?\d| virus)|mean time|(?:(?<=\d )|(?<=\d\. )|(?<=\d de ))mai\.?(?: de)? 20\d\d)(?:{_any_of(words)}(?!\w)|{_any_of(stems)})"
        rf"|n['’´]t(?!\w)|(?![\x00-\x7f])(?:{inside})",
        re.IGNORECASE,
    )


def _any_of(words: Collection[str]) -> str:
    """Return a pattern of these words, grouped by their first letter: a plain list of so many would
    be tried from its beginning to its end at each word of a text."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(re.escape(word[1:]))
    forms = (f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in rests.items())
    return f"(?:{'|'.join(forms)})"


_TAKES_BACK: Final = _pattern()
_STRONG: Final = re.compile(
    r"(?<!\w)(?:(?:do not|don'?t|never) (?:play|do|claim)|ignore (?:this|that|it|my|the)|please ignore|changed my"
    r" mind|take (?:this|that|it)(?: all)? back|cancel (?:this|that|it|my)|scratch that|undo"
    r"|i meant|typo|(?:not|n't)(?: yet)? decided|(?:only|just) (?:joking|kidding)|not th(?:is|at) one|never ?mind)(?!\w)",
    re.IGNORECASE,
)


def takes_back(line: str) -> bool:
    """Whether the line holds a word that takes something back, or puts it off."""
    return _TAKES_BACK.search(_straight(line)) is not None


def surely_takes_back(text: str) -> bool:
    """Whether the text certainly takes something back. This is for a message to the other player, a
    subject, or the head of another mail, which may hold "no" in many languages."""
    return _STRONG.search(_straight(text)) is not None


def _straight(line: str) -> str:
    return line.replace("’", "'")
