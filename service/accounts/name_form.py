"""What a player's name may hold: names stand in mail headers, pages and other people's subjects."""

import re
import unicodedata
from typing import Final

MAX_NAME: Final = 40
"""Characters of a name at most."""
_ENCODED: Final = "=?"
"""How an encoded word of a mail header begins (RFC 2047): mail programs would decode it."""
_DOTS: Final = ".\u3002"
"""Those that separate the labels of a domain, as NFKC leaves them (UTS 46)."""
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
"""Unicode's categories of letters, their marks, and digits, by their first letter."""
NOBODY: Final = "Somebody"


def fault(name: str) -> str | None:
    """Why nobody may take this name, in words for the player; None where nothing is wrong."""
    shown = unicodedata.normalize("NFKC", name)
    if not name.isprintable():  # control, format and bidirectional characters, lone surrogates
        return "Only printable characters can stand in a name."
    if _ENCODED in shown:
        return "A name cannot contain `=?`."
    if _ADDRESS.search(shown):
        return "A name cannot contain a web or mail address. Put a space after a dot."
    return None


def harmless(name: str) -> str:
    """The name as a mail may show it: names stored by older versions may have a fault.

    Of such a name the letters and digits are left.
    """
    if fault(name) is None:
        return name
    kept = (c if unicodedata.category(c)[0] in _PLAIN else " " for c in name)
    return " ".join("".join(kept).split()) or NOBODY
