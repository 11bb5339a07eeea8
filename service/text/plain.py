"""Text as a reader sees it. Our mails and the answers to them are compared in this form."""

import re
import unicodedata
from typing import Final

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


def _is_widthless(character: str) -> bool:
    if unicodedata.category(character) in ("Cf", "Cc"):
        return True
    place = ord(character)
    return place >= 0x34F and any(first <= place <= last for first, last in _WIDTHLESS)
