"""Recognises the lines below two dashes that are only a signature."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from letters.grammar import may_hold
from letters.mail.phrases import takes_back
from letters.mail.sign_offs import is_of_game, is_signature
from letters.taught import MESSAGE, opens
from letters.words import keyed, words

_MOST_LINES: Final = 4
_LONGEST: Final = 70
_SAYS: Final = "|".join(keyed(words("sign_offs", "saying")).values())
_SAYING: Final = re.compile(rf"[\d?\"“”„«»:;=>@#]|(?<!\w)(?:{_SAYS})(?!\w)", re.IGNORECASE)
"""Matches figures, questions, quotations, postscripts, and words that make a condition,
doubt, report, or point at something."""


def signature_of(lines: Sequence[str], names: set[str]) -> Collection[str]:
    """Return those of the lines below two dashes that are only a signature: a name, a company, an
    address, a link or a motto; and, of few lines that begin with one, what can say nothing of the
    turn: "On the bus, please excuse typos"."""
    is_short = 0 < len(lines) <= _MOST_LINES and is_signature(lines[0], names)
    return {
        line
        for line in lines
        if not MESSAGE.match(line)
        and (is_signature(line, names) or (is_short and _says_nothing(line)))
    }


def _says_nothing(line: str) -> bool:
    return (
        len(line) <= _LONGEST
        and not _SAYING.search(line)
        and not (may_hold(line) or opens(line, 0) or is_of_game(line) or takes_back(line))
    )
