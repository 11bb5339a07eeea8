"""Recognises header fields, and lines that programs and companies add to a mail: none is a command.

The patterns list their words, as in `phrases`: one that allowed any words would also accept a line
that says "stop".
"""

import re
from functools import cache
from typing import Final

from letters.mail.phrases import takes_back
from letters.words import words

_DEVICES: Final = words("program_lines", "devices")
_PROGRAMS: Final = words("program_lines", "programs")
_SYSTEM: Final = r"(ios|android|mac|macos|windows(\ 1[01])?|iphone|ipad|mobile|the\ web)"
_ANY: Final = rf"({_DEVICES}|{_PROGRAMS})"
_WITH: Final = rf"(\ (for|on|f[üu]r|auf|pour|para|per|dla|voor|för|til|pro|для|using)\ {_SYSTEM})?"
_PARTS: Final = {
    "ANY": _ANY,
    "WITH": _WITH,
    "SYSTEM": _SYSTEM,
    "PROGRAMS": _PROGRAMS,
    "DEVICES": _DEVICES,
}
"""The parts of these patterns, by their names in the file."""
_LONGEST_PRODUCT: Final = 120
_LINKS: Final = re.compile(r"[\[\]]|[<(]?\s?https?://[^\s>)]+\s?[>)]?|®|™")


def is_product(line: str) -> bool:
    """Whether a phone or a program signs with this line, unchanged: "Sent from my iPhone"."""
    text = " ".join(_LINKS.sub("", line).split()).rstrip(".:! ")
    if len(text) > _LONGEST_PRODUCT:
        return False
    return _products().fullmatch(text) is not None


@cache
def _products() -> re.Pattern[str]:
    """Return the pattern of these lines. It is compiled with the first mail, as it takes 4 MB."""
    text = words("program_lines", "products")
    for name, part in _PARTS.items():
        text = text.replace(name, part)
    return re.compile(text, re.IGNORECASE | re.VERBOSE)


_BOILERPLATE: Final = re.compile(
    words("program_lines", "boilerplate"),
    re.IGNORECASE | re.VERBOSE,
)
"""Sentences that mail systems and companies add."""
_OF_COMPANIES: Final = re.compile(
    r"confidential|recipient|addressee|virus|liab|disclos|attachment|registered|vat|\d{4}|(?<!\w)(?:ltd"
    r"|limited|llp|plc|gmbh|hrb|company|law|legal|copyright|monitored|secure|privacy|policy)(?!\w)"
    r"|vertraulich|haftung|geschäftsführer|amtsgericht",
    re.IGNORECASE,
)
"""Matches words in other sentences of companies, but not in sentences about a game."""
LIST_FOOTER: Final = re.compile(r"[\w ]{1,40} mailing list -- \S+@\S+")
"""Matches the first line that a mailing list adds below a mail."""
_SENTENCE: Final = re.compile(r"(?<=[.!])\s+")


def is_boilerplate(line: str) -> bool:
    """Whether the line is a notice of a mail system, such as "This email is confidential."

    Its first sentence is one that mail systems add. Others must have words of companies, be no
    question, and revoke no turn ("scrap that").
    """
    first, *others = (sentence.rstrip(".! ") for sentence in _SENTENCE.split(line))
    if _BOILERPLATE.fullmatch(first) is None:
        return False
    own = [each for each in others if _BOILERPLATE.fullmatch(each) is None]
    own = [each for each in own if not is_link(each)]
    return all(_OF_COMPANIES.search(each) and not takes_back(each) for each in own) and not any(
        "?" in each for each in own
    )


def is_link(line: str) -> bool:
    """Whether the line is a link and nothing else."""
    return line.casefold().startswith(("https://", "http://", "www.")) and " " not in line


FIELD: Final = re.compile(r"\*?[^\W\d][^\d:\"<@]{0,24}\s?:\*?(?=\s|$|\")")
"""Matches the beginning of a header field in a copy of another mail."""

FROM: Final = re.compile(
    words("program_lines", "from"),
    re.IGNORECASE | re.VERBOSE,
)
"""Matches the header field that names the sender, in many languages."""

WROTE: Final = re.compile(
    words("program_lines", "wrote"),
    re.IGNORECASE | re.VERBOSE,
)
"""Matches the verb of an attribution line ("On … X wrote:"), in many languages."""
