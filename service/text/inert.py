"""Text of others in our mails: whoever answers a mail may quote it, and no line of a quote may be
read as a turn, wherever a mail program wraps it.
"""

import re
import unicodedata
from typing import Final

from engine import RuleBroken, parse

COMMAND_WORDS: Final = frozenset(
    (
        *("accept", "agree", "claim", "confirm", "decline", "draw", "end", "give", "help"),
        *("pass", "play", "refuse", "resign", "return", "say", "show", "stop", "win"),
    )
)
"""The words that commands in an answer begin with."""
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_TOKEN: Final = re.compile(r"\S+")
_AROUND: Final = ".,;:()'\"`"


def inert_name(name: str) -> str:
    """The name, in quotation marks and unbreakable where it holds anything like a command."""
    read = unicodedata.normalize("NFKC", name)
    words = re.findall(r"[^\W\d_]+", read.casefold())
    if COMMAND_WORDS.isdisjoint(words) and not any(map(_is_action, read.split())):
        return name
    return f"“{_NO_BREAK.join(name.split())}”"


def inert(text: str) -> str:
    """The text with quotation marks around each action text in it."""
    return _TOKEN.sub(_quoted, text)


def _quoted(found: re.Match[str]) -> str:
    core = found[0].strip(_AROUND)
    return found[0].replace(core, f"“{core}”", 1) if core and _is_action(core) else found[0]


def _is_action(word: str) -> bool:
    try:
        parse(word.strip(_AROUND))
    except RuleBroken:
        return False
    return True
