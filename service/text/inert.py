"""Makes other people's text harmless in our mails: an answer may quote it, and no quoted line may
be read as a turn, wherever a mail program wraps it.

Single angle quotes mark it: text between them is never a command, while our own words may be sent
back in the quotation marks of our mails.
"""

import re
from typing import Final

from engine import RuleBroken, parse
from service.text.plain import plain, visible

COMMAND_WORDS: Final = frozenset(
    (
        *("accept", "agree", "back", "call", "claim", "clan", "commands", "confirm", "decline"),
        *("done", "draw", "end", "finished", "games", "give", "help", "lay", "list", "mail"),
        *("mails", "move", "new", "no", "offer", "pass", "place", "play", "put", "refuse"),
        *("rematch", "resign", "resume", "return", "rules", "say", "set", "show", "stop"),
        *("tactic", "tactics", "take", "time", "timezone", "undo", "vacation", "win", "yes"),
    )
)
"""Words that are commands in an answer, alone or with others. Whatever else a turn may begin with
is followed by a card."""
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_CARD_AND_STONE: Final = re.compile(r"\b[A-Za-z]\d\b\D*\d")
"""A Clan card's code and a number, which are a play: `R7 3`."""
_TOKEN: Final = re.compile(r"\S+")
_AROUND: Final = ".,;:()'\"`"


def inert_name(name: str) -> str:
    """The name for a mail: without invisible characters, and in marks and unbreakable if any of it
    looks like a command."""
    shown, read = visible(name), plain(name)
    words = re.findall(r"[^\W\d_]+", read.casefold())
    if (
        COMMAND_WORDS.isdisjoint(words)
        and not has_action(read)
        and not _CARD_AND_STONE.search(read)
    ):
        return shown
    return f"‹{_NO_BREAK.join(shown.split())}›"


def has_action(text: str) -> bool:
    """Whether this text contains an action text as a separate word."""
    return any(map(_is_action, text.split()))


def inert(text: str) -> str:
    """The visible text, with action texts in marks (`‹R7@3›`): an answer that quotes it plays
    nothing."""
    return _TOKEN.sub(_quoted, visible(text))


def _quoted(match: re.Match[str]) -> str:
    core = match[0].strip(_AROUND)
    return match[0].replace(core, f"‹{core}›", 1) if core and _is_action(core) else match[0]


def _is_action(word: str) -> bool:
    try:
        parse(plain(word).strip(_AROUND))
    except RuleBroken:
        return False
    return True
