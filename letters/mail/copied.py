"""Recognises copies of our own mail by their words: in any language, below any head or none.

A mail program may break lines elsewhere, join them, or put other marks around them, but the words
stay in their order. So a run of words is a copy if every three of its words in a row are also in a
row in our mail. A copy has at least eight words, more than anybody writes by chance: a command of
the writer's own that equals one in our mail is no copy, unless the words around it are.
"""

import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from struct import Struct
from typing import Final, Self

_BITS: Final = 4096
"""Bits of the filter. A mail of 300 words sets a quarter of them, so that about one row of three
words in 300 is taken for one of the mail's by mistake."""
_NONE: Final = bytes(_BITS // 8)
_ROW: Final = 3
_SHORTEST: Final = 8
"""Fewest words of a copy."""
_EXAMPLE: Final = re.compile(r"play \w+ at \d(?: then| and| claim \d)*")
"""Matches the turn that our mails give as an example. Alone it is no copy: the writer chose it."""
_WORD: Final = re.compile(r"[^\W\d_]?\d+|[^\W\d_]+?(?=[A-Z]?\d|\b|_|(?<=[a-z])[A-Z])")
"""Matches words and figures, even if a program has joined the end of a line to the next line."""
_FOUR_NUMBERS: Final = Struct(">4H")


class SentWords:
    """The rows of three words in a mail, as a Bloom filter: the mail cannot be read from it."""

    def __init__(self, bits: bytes = _NONE) -> None:
        self._bits = bits

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the filter for the words of this text."""
        bits = bytearray(_BITS // 8)
        for row in _rows([word[0] for word in _WORD.finditer(text)]):
            for place in _places(row):
                bits[place >> 3] |= 1 << (place & 7)
        return cls(bytes(bits))

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse the text that `str()` returns for a filter."""
        return cls(b64decode(text)[::-1])

    def __str__(self) -> str:
        return b64encode(self._bits[::-1]).decode()  # the highest bit first

    def __bool__(self) -> bool:
        """Whether the filter holds any words."""
        return self._bits != _NONE

    def without_copies(self, lines: Sequence[str]) -> list[str]:
        """Return the lines without copies of the mail; a line that is only a copy becomes empty.

        A line with other words both before and after a copy stays whole: these words belong
        together.
        """
        if not self:
            return [*lines]
        words = [list(_WORD.finditer(line)) for line in lines]
        copied = iter(self._copied([word[0] for of_line in words for word in of_line]))
        return [
            _own_part(line, [(word, next(copied)) for word in of_line])
            for line, of_line in zip(lines, words, strict=True)
        ]

    def _copied(self, words: Sequence[str]) -> list[bool]:
        """Return for each word whether it is part of a copy."""
        copied = [False] * len(words)
        begun = 0
        for at, row in enumerate([*_rows(words), None]):
            if row is None or not self._has(row):
                end = at + _ROW - 1
                run = " ".join(words[begun:end]).casefold()
                if end - begun >= _SHORTEST and _EXAMPLE.fullmatch(run) is None:
                    copied[begun:end] = [True] * (end - begun)
                begun = at + 1
        return copied

    def _has(self, row: str) -> bool:
        bits = self._bits
        return all(bits[place >> 3] >> (place & 7) & 1 for place in _places(row))


def _own_part(line: str, words: Sequence[tuple[re.Match[str], bool]]) -> str:
    marks = [is_copied for _, is_copied in words]
    if True not in marks:
        return line
    first, last = marks.index(True), len(marks) - 1 - marks[::-1].index(True)
    is_last = last == len(marks) - 1
    if first and not is_last:
        return line
    if first:
        return line[: words[first][0].start()].rstrip(" |“\"'*")
    return "" if is_last else line[words[last][0].end() :].lstrip(" ”\"'*.;:,")


def _rows(words: Sequence[str]) -> Iterator[str]:
    lowered = [word.casefold() for word in words]
    return (" ".join(lowered[at : at + _ROW]) for at in range(len(words) - _ROW + 1))


def _places(row: str) -> tuple[int, ...]:
    """Return the indexes of the four bits that stand for some words in a row in a Bloom filter."""
    digest = hashlib.blake2b(row.encode(), digest_size=8).digest()
    return tuple(number % _BITS for number in _FOUR_NUMBERS.unpack(digest))
