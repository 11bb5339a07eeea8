"""Protects our mails from being read as commands when an answer quotes them: no part of them may
read as a command, should it come to be on a line of its own.

Our own sentences are not broken before such a part (`unbroken`). Nor is plain prose
of a player's that names no turn. Other text of theirs, which programs may break anywhere, gets
unseen marks there that no command has (`inert_prose`).
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from letters.commands import Answer, Empty, Unread, WholeTurn, read_commands
from letters.grammar import may_hold
from letters.guesses import may_begin, may_begin_between_words
from letters.inert import marked, visible
from letters.mail.lines import OPENS_LINK, Line, plain_form
from letters.patterns import HALF
from letters.taught import may_begin as may_be_foreign

_LONGEST_COMMAND: Final = 80
"""Most characters, in plain form, that are read to decide whether a text that begins like a command
is one."""
_FARTHEST: Final = 5 * _LONGEST_COMMAND
"""Most characters, as they are written, that are read. A text that becomes so much shorter in plain
form is not trusted."""
_MOST_WORDS: Final = 20
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_LONGEST_WORD: Final = 50
"""Characters after which `inert_prose` breaks a word."""
_NARROWEST: Final = 20
"""Length of a word in characters from which on a mail program may break it anywhere."""
_LONGEST_PROSE: Final = 240
"""Most characters of a line of which every part is tested."""
_PROSE_WORD: Final = re.compile(r"[^\W\d_]{1,19}(?:['’][^\W\d_]{1,19})?[.,!?:;]{0,3}|[.,!?:;]")
_MOST_PARTS: Final = 8
"""Parts that are tested for each character of a line. After that, whatever may begin a command is
marked as if it did. Prose needs fewer."""


def inert_prose(text: str) -> str:
    """Return the text without invisible characters of its own, and with no-break spaces, or unseen
    marks around the first word, for each part that reads as a command."""
    return "\n".join(map(_inert_line, visible(text).split("\n")))


def unbroken(text: str) -> str:
    """Return the text with no-break spaces where a part that reads as a command would begin a line,
    or end the first line."""
    return "\n".join(map(_unbroken_line, text.split("\n")))


@lru_cache(maxsize=1 << 11)
def _unbroken_line(line: str) -> str:
    words = line.split(" ")
    if len(words) == 1:
        return line
    spaces = [" "] * len(words)
    for start, word in enumerate(words):
        whole = " ".join(words[start : start + _MOST_WORDS]) if word else ""
        if may_begin_between_words(plain_form(whole)):
            ends = _ends_of_commands(words, start)
            for end in islice(ends, 1) if start else ends:
                spaces[start - 1 if start else end] = _NO_BREAK
    spaces[-1] = ""
    return "".join(f"{word}{space}" for word, space in zip(words, spaces, strict=True))


def _ends_of_commands(words: list[str], start: int) -> Iterator[int]:
    """Yield the index of the last word of each command that begins with the word at `start`."""
    is_command = False
    for end in range(start, min(start + _MOST_WORDS, len(words))):
        part = " ".join(words[start : end + 1])
        if len(part) > _LONGEST_COMMAND:
            return
        # Columns are set apart by empty words, which change nothing.
        is_command = _is_command(plain_form(part)) if words[end] else is_command
        if is_command:
            yield end


def _held_together(line: str) -> str | None:
    """Return a line of plain prose with no-break spaces, so that no part of it between two other
    spaces reads as a command; None if that cannot be, or it names a turn."""
    if len(line) > _LONGEST_PROSE or not all(map(_PROSE_WORD.fullmatch, line.split(" "))):
        return None
    if any(isinstance(_answer(part), WholeTurn) for part in _parts(line)):
        return None
    held = _unbroken_line(line)
    is_long = any(len(word) >= _NARROWEST for word in held.split(" "))
    return None if is_long or any(map(_is_command, map(plain_form, _parts(held)))) else held


def _parts(line: str) -> Iterator[str]:
    words = line.split(" ")
    for start in range(len(words)):
        for end in range(start, min(start + _MOST_WORDS, len(words))):
            yield " ".join(words[start : end + 1])


def _inert_line(line: str) -> str:
    if (held := _held_together(line)) is not None:
        return held
    whole = re.sub(rf"(\S{{{_LONGEST_WORD}}})(?=\S)", r"\1 ", line)
    breaks = _breaks(whole)
    shown, done = "", 0
    budget = iter(range(_MOST_PARTS * len(whole)))
    for at in breaks:
        end = _first_word_of_command(whole, at, breaks, budget) if at >= done else None
        if end is not None:
            shown += f"{whole[done:at]}{marked(whole[at:end])}"
            done = end
    return shown + whole[done:]


def _breaks(line: str) -> list[int]:
    """Return the indexes where the line could be broken: next to anything but letters and digits,
    and within long words."""
    inside = {
        place
        for word in re.finditer(rf"\S{{{_NARROWEST - 1},}}", line)  # with marks
        for place in range(word.start(), word.end())
    }
    return [
        place
        for place in range(len(line) + 1)
        if place in inside
        or place in (0, len(line))
        or not (_joins(line[place - 1]) and _joins(line[place]))
    ]


def _joins(character: str) -> bool:
    """Whether a line is not broken between this character and a letter; next to a Chinese character
    it is."""
    return character.isalnum() and unicodedata.east_asian_width(character) not in ("W", "F")


def _first_word_of_command(
    line: str, at: int, breaks: list[int], budget: Iterator[int]
) -> int | None:
    """Return the end of the first word of the command that begins at `at`; None if none does.

    Each part that is tested takes one off the budget. Once it is spent, whatever may begin a
    command counts as one.
    """
    words = line[at : at + _FARTHEST].split(maxsplit=1)
    if not words or line[at].isspace():
        return None
    if not may_begin(plain_form(line[at : at + _FARTHEST])):
        return None
    for end in breaks[bisect_right(breaks, at) :]:
        part = line[at : min(end, at + _FARTHEST)]
        is_trusted = len(part) < _FARTHEST and next(budget, None) is not None
        read = plain_form(part) if is_trusted else ""
        if _is_read_as_longer(read):
            return None
        if not is_trusted or _is_command(read):
            # A mail program may break a long word right behind its first mark: the second is then
            # in the rest.
            first, last = line.rfind(" ", 0, at) + 1, at + len(words[0])
            most_marks = 2 * (bisect_left(breaks, last) - bisect_left(breaks, first))
            return min(end, at + 1 if last - first + most_marks > _NARROWEST else last)
    return None


def _is_read_as_longer(part: str) -> bool:
    """Whether the part, in plain form, is too long for a command. A part with an open link may be
    longer, as the whole link may vanish."""
    is_link_open = not OPENS_LINK.isdisjoint(part)
    return len(part) > _LONGEST_COMMAND + (_LONGEST_WORD if is_link_open else 0)


@lru_cache(maxsize=1 << 11)
def _is_command(read: str) -> bool:
    """Whether a text, in plain form, is a command, or half of one."""
    return HALF.fullmatch(read) is not None or not isinstance(_answer(read), Unread | Empty)


def _answer(read: str) -> Answer:
    """Return what a text in plain form asks for."""
    if not (may_hold(read) or may_be_foreign(read)):
        return Empty()
    return read_commands([Line(1, read)])
