"""The rules for players' names. They appear in others' mail headers, subjects and pages."""

import re
import unicodedata
from typing import Final

from letters.inert import visible

MAX_NAME: Final = 40
"""The most characters that a name may have."""
_ENCODED: Final = "=?"
"""The beginning of an encoded word of a mail header (RFC 2047), which mail programs would
decode."""
_DOTS: Final = ".\u3002"
"""The dots that separate the labels of a domain, after NFKC (UTS 46)."""
_ADDRESS: Final = re.compile(
    rf"""://                        # of a URL with its scheme
    | \bwww[{_DOTS}]
    | \w@\w                         # of a mail address
    | \w[{_DOTS}][^\W\d_]{{2}}      # a name and a top-level domain
    | \d[{_DOTS}]\d+[{_DOTS}]\d+[{_DOTS}]\d  # of an IPv4 address
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN: Final = ("L", "M", "N")
"""The first letters of Unicode's categories of letters, their marks, and digits."""
BOT_SIGN: Final = " (bot)"
"""The end of every bot's name; no other player's name contains it."""
NOBODY: Final = "Somebody"
NAMELESS: Final = "Guest"
"""The name of a guest who has given none; a number follows if it is taken."""


def is_nameless(name: str) -> bool:
    """Whether this is the name of a guest who has given none."""
    return re.fullmatch(rf"{NAMELESS}( \d+)?", name) is not None


def without_sign(name: str) -> str:
    """Return the name of a bot without `BOT_SIGN`."""
    return name.removesuffix(BOT_SIGN)


def with_sign(name: str) -> str:
    """Return the name with `BOT_SIGN` at its end; a long name is cut."""
    return without_sign(name)[: MAX_NAME - len(BOT_SIGN)].rstrip() + BOT_SIGN


def name_problem(name: str) -> str | None:
    """Return the reason why a name is not allowed, as a sentence for the player; None if it is."""
    shown = unicodedata.normalize("NFKC", name)
    if not name.isprintable():  # control, format and bidirectional characters, lone surrogates
        return "Only printable characters can stand in a name."
    if _ENCODED in shown:
        return "A name cannot contain `=?`."
    if _ADDRESS.search(shown):
        return "A name cannot contain a web or mail address. Put a space after a dot."
    return None


def displayable(name: str) -> str:
    """Return the name as a mail may show it: without invisible characters.

    Older versions stored names that break these rules: only their letters and digits are shown.
    """
    if name_problem(name) is None:
        return visible(name).strip() or NOBODY
    shown = (c if unicodedata.category(c)[0] in _PLAIN else " " for c in name)
    return " ".join("".join(shown).split()) or NOBODY
