"""Text as a reader sees it: in this form our mails and the answers to them are compared.

Also other people's text made harmless in our mails: an answer may quote it, and no quoted line may
be read as a turn, wherever a mail program wraps it. Marks that nobody sees are around its words:
the reader of mails takes them for a character that no command has.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from engine import RuleBroken, parse
from letters import taught

_DASHES: Final = dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-"
)
_WIDTHLESS: Final = (
    *((0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2065, 0x2065)),
    *((0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF)),
)
"""Code points, first and last, that fonts need not show (Unicode's Default_Ignorable_Code_Point),
besides the control and format characters."""
_FIRST_WIDTHLESS: Final = chr(_WIDTHLESS[0][0])
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
UNSEEN_MARK: Final = "\N{INVISIBLE TIMES}"
"""Stands around words of others that read as a command. A line with it is none. No mail
program that we know writes it."""


def visible(text: str) -> str:
    """The text without invisible characters: joiners, selectors, tags, controls.

    White space stays, including line breaks.
    """
    if max(text, default="") < _FIRST_WIDTHLESS and text.replace(_NO_BREAK, " ").isprintable():
        return text
    # Each character is judged once: a text may repeat a few characters a million times.
    unseen = "".join(c for c in set(text) if not c.isspace() and _is_widthless(c))
    return re.sub(f"[{re.escape(unseen)}]+", "", text) if unseen else text


def plain(text: str) -> str:
    """A line as if it were typed on a plain keyboard.

    Full-width letters become ordinary ones, any dash a hyphen, any white space one space, and
    characters that `visible` drops are dropped.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    # Twice: dropping characters lets letters and marks meet, and normalising makes new fillers.
    shown = visible(unicodedata.normalize("NFKC", visible(text)))
    return " ".join(shown.translate(_DASHES).split())


@lru_cache(1 << 10)
def _is_widthless(character: str) -> bool:
    if unicodedata.category(character) in ("Cf", "Cc"):
        return True
    place = ord(character)
    return place >= 0x34F and any(first <= place <= last for first, last in _WIDTHLESS)


COMMAND_WORDS: Final = frozenset(
    (
        *("accept", "agree", "agreed", "back", "call", "claim", "clan", "commands", "confirm"),
        *("decline", "done", "draw", "end", "finished", "games", "give", "help", "language", "lay"),
        *("list", "mail", "mails", "move", "new", "no", "offer", "pass", "place", "play", "put"),
        *("refuse", "rematch", "resign", "resume", "return", "rules", "say", "set", "show", "stop"),
        *("tactic", "tactics", "take", "time", "timezone", "undo", "vacation", "win", "yep", "yes"),
        *("yup",),
    )
)
"""Words that are commands in an answer, alone or with others. Whatever else a turn may begin with
is followed by a card."""
_CARD_AND_STONE: Final = re.compile(r"\b[A-Za-z]\d\b\D*\d")
"""A Clan card's code and a number, which are a play: `R7 3`."""
_TOKEN: Final = re.compile(r"\S+")
_AROUND: Final = ".,;:()'\"`"


def inert_name(name: str) -> str:
    """The name for a mail: without invisible characters of its own, and in unseen marks and
    unbreakable if any of it looks like a command."""
    shown, read = visible(name), plain(name)
    words = re.findall(r"[^\W\d_]+", read.casefold())
    if (
        (COMMAND_WORDS | taught.COMMAND_WORDS).isdisjoint(words)
        and not has_action(read)
        and not _CARD_AND_STONE.search(read)
    ):
        return shown
    return marked(_NO_BREAK.join(shown.split()))


def marked(text: str) -> str:
    """The text in unseen marks, with which it is no command."""
    return f"{UNSEEN_MARK}{text}{UNSEEN_MARK}"


def has_action(text: str) -> bool:
    """Whether this text contains an action text as a separate word."""
    return any(map(_is_action, text.split()))


def inert(text: str) -> str:
    """The visible text, with action texts in unseen marks: an answer that quotes it plays
    nothing."""
    return _TOKEN.sub(_quoted, visible(text))


def _quoted(match: re.Match[str]) -> str:
    core = match[0].strip(_AROUND)
    return match[0].replace(core, marked(core), 1) if core and _is_action(core) else match[0]


def _is_action(word: str) -> bool:
    try:
        parse(plain(word).strip(_AROUND))
    except RuleBroken:
        return False
    return True
