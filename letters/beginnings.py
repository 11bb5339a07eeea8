"""Tests quickly whether a command may begin with a text, before the whole of it is read.

Our mails are full of cards, numbers and words with which commands begin as well. Reading every part
of them as a command would take most of a worker's time.
"""

import re
from typing import Final

from letters import grammar, languages, patterns
from letters.inert import COMMAND_WORDS
from letters.languages import any_of
from letters.mail.lines import MESSAGE
from letters.patterns import CARD, LEAD, NUMBER
from letters.ruses import BEGINNING_OF_RUSE
from letters.single_words import ANY_WORD
from letters.wishes import BEGINNING_OF_WISH

_OF_TEXT: Final = re.compile(rf"{MESSAGE.pattern}|accept as ", re.IGNORECASE)
"""Matches the beginnings of the commands that may hold any words."""
_FIRST_SIGNS: Final = (
    rf"(?:{CARD}|[a-z]{{3}}:|![1-9]|\+ ?[ct]|-\w\w|[a-z]{{3}}@|[1-9]: |{NUMBER}(?!\w)"
    rf"|(?:{languages.ARTICLES}|{languages.VERBS}|{languages.CLAIMS}|{languages.STONES}|{languages.TAKES}"
    rf"|{languages.DRAWS}|have|{languages.AT}|{languages.FROM}|{languages.CARDS})(?!\w))"
)
_FIRST_WORDS: Final = (
    rf"(?:{'|'.join(sorted(COMMAND_WORDS))}|{any_of(languages.LEADS)}"
    f"|{patterns.RUSES}|going|here|could|would|can|will|not|using|with)"
)
_FIRST: Final = re.compile(
    rf"\W{{0,2}}(?:(?:\d{{1,2}}[.)]|[a-z]\)) )?\W?(?:{_FIRST_SIGNS}|{_FIRST_WORDS})"
)

_OPENINGS: Final = (
    patterns.PLAY,
    patterns.STONE_FIRST,
    patterns.HALF,
    patterns.NO_CLAIM,
    patterns.STONE_CLAIMED,
    patterns.IS_MINE,
    patterns.DRAW,
    patterns.RETURN,
    grammar.QUOTED,
    grammar.GIVE,
    grammar.DONE,
    ANY_WORD,
    BEGINNING_OF_WISH,
    # Beginnings of the commands whose patterns look at the rest of the line.
    re.compile(
        rf"{LEAD}(?:{languages.CLAIMS}|claim|{languages.CLAIMS_IT}|{languages.TAKES}|have both)"
        r"(?!\w)"
    ),
    patterns.BEGINNING_OF_BARE_PLAY,
    BEGINNING_OF_RUSE,
    re.compile("(?:could|can|would|will) you "),
)


def may_begin(text: str) -> bool:
    """Whether a line of commands may begin like this text, in plain form, wherever the line is
    broken: with a command, or with courtesies before one. It is True for some other texts too."""
    line = text.lower().replace("’", "'")
    return (
        _FIRST.match(line) is not None
        or grammar.is_courtesy(line)
        or _OF_TEXT.match(text) is not None
    )


def may_begin_between_words(text: str) -> bool:
    """Whether a line of commands may begin like this text, in plain form, if lines are broken only
    between words. The text has to be as long as a command may be, if its line is."""
    if not may_begin(text):
        return False
    line = grammar.normalized(text)
    bullet = grammar.BULLET.match(line)
    starts = (0, bullet.end()) if bullet else (0,)
    return any(_opens(line, start) for start in starts) or _OF_TEXT.match(text) is not None


def _opens(line: str, start: int) -> bool:
    return (
        any(pattern.match(line, start) for pattern in _OPENINGS)
        or grammar.is_courtesy(line, start)
        or grammar.action_at(line, start) is not None
    )
