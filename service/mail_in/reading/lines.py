"""The lines that somebody wrote in answer to a mail, without what they quote and sign with.

No list of mail programs is ever whole, so this leaves out only what is marked as a quotation, or
is known to be none of the writer's words. Any other line is the writer's, and is to be understood.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from service.mail_in.reading.body import Text
from service.mail_in.reading.html_text import HIDDEN
from service.mail_in.reading.phrases import FROM, GREETING, PRODUCT, SIGN_OFF, WROTE
from service.text.plain import plain

MAX_LINES: Final = 2000
_LONGEST_LINE: Final = 2000
_CUT: Final = "[cut off]"
MESSAGE: Final = re.compile(r"say ?:", re.IGNORECASE)
"""Begins a line that is passed on to the other player, whatever it says."""


class Line(NamedTuple):
    """A line of the writer's: its number in the mail, from 1, and what it says, in plain form, with
    marks before what may be hidden."""

    number: int
    text: str


_AUTOLINK: Final = re.compile(
    r"\s?[<\[(](mailto:|https?:)[^>\])\s]*(?P<end>[>\])]?)", re.IGNORECASE
)
"""A link, or one without an end: then no other that begins in it has one."""
_MARKED: Final = re.compile(r"\[([^\[\]]+)\](?=\s?[<(]mailto:)", re.IGNORECASE)
_QUOTED: Final = re.compile(r"(\w{1,4})?>|\|")
_RULE: Final = re.compile(r"[_=*~-]{5,}")
_SHORTEST_SEPARATOR, _LONGEST_TITLE = 7, 120
_ENDS_OF_GREETINGS: Final = "!,.:。、، "
_FIELD: Final = re.compile(r"\*?[^\W\d]{2,20}\s?\*?\s?: ")
_BEGINS_ATTRIBUTION: Final = re.compile(r"(19|20)\d\d(?!\d)|<|@[\w-]+\.\w|\d{1,2}[:.]\d\d")
_LONGEST_ATTRIBUTION: Final = 4
_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"


def own_lines(text: Text, names: Sequence[str] = ()) -> list[Line]:
    """The lines that the writer, known by these names, has written themselves.

    Reading stops where a copy of another mail begins without marks, and at a signature.
    """
    return _parted(text, names)[0]


def lines_below(text: Text) -> list[Line]:
    """The lines, but for those marked as quoted, from where reading stops: of a copy of another
    mail most likely, and perhaps of somebody who wrote into it."""
    return _parted(text, ())[1]


def _parted(text: Text, names: Sequence[str]) -> tuple[list[Line], list[Line]]:
    lines = list(islice(_unflowed(_unsigned(text.text.split("\n")), text), MAX_LINES))
    marked = [plain_form(line) for line in lines]
    plain = [line.replace(HIDDEN, "").strip() for line in marked]
    own, end = _written(plain, {plain_form(name).casefold() for name in names})
    own = [line._replace(text=marked[line.number - 1]) for line in own]
    copied = text.below.split("\n")[:MAX_LINES] if text.below else []
    rest = [*plain[end:], *map(plain_form, copied)]
    below = [Line(number, line) for number, line in enumerate(rest, end + 1)]
    return own, [line for line in below if line.text and not _QUOTED.match(line.text)]


def plain_form(line: str) -> str:
    """The line as if it were typed on a plain keyboard.

    It is what `plain` says, without links that a program has made of the text. A line that is too
    long ends in a mark, with which it is no command.
    """
    whole = plain(line[:_LONGEST_LINE])
    if max(len(line), len(whole)) > _LONGEST_LINE:  # a letter may stand for eighteen
        whole = f"{whole[:_LONGEST_LINE]} {_CUT}"
    unlinked = _AUTOLINK.sub(_unlinked, _MARKED.sub(r"\1", whole))
    words = " ".join(unlinked.split())
    bold = len(words) > 2 and words[0] == words[-1] and words[0] in "*_"
    return words[1:-1].strip() if bold else words


def _unlinked(found: re.Match[str]) -> str:
    return "" if found["end"] else found[0]


def _written(lines: Sequence[str], names: set[str]) -> tuple[list[Line], int]:
    """The writer's own lines, and the place where reading stops."""
    own: list[Line] = []
    skipped_to = 0
    for place, line in enumerate(lines):
        if place < skipped_to or not line or _QUOTED.match(line):
            continue
        if MESSAGE.match(line):  # marked as the writer's own
            own.append(Line(place + 1, line))
            continue
        if _ends(line) or _is_head(lines, place) or _attributes_rest(lines, place):
            return own, place
        skipped_to = _after_attribution(lines, place)
        if skipped_to > place:
            continue
        if not (_is_polite(line, names) or _RULE.fullmatch(line) or PRODUCT.fullmatch(line)):
            own.append(Line(place + 1, line))
    return own, len(lines)


def _is_polite(line: str, names: set[str]) -> bool:
    """Whether the line is a greeting, a name that the writer signs with, or words before it."""
    bare = line.rstrip(_ENDS_OF_GREETINGS)
    if bare.casefold() in names or GREETING.fullmatch(bare) or SIGN_OFF.fullmatch(bare):
        return True
    words, _, name = bare.rpartition(" ")
    return name.casefold() in names and bool(SIGN_OFF.fullmatch(words.rstrip(", ")))


def _ends(line: str) -> bool:
    """Whether the writer's own words end before this line."""
    if line == "--" or line.startswith(_SIGNATURE):
        return True
    if re.fullmatch("_{10,}", line):
        return True
    return _is_separator(line) or FROM.match(line) is not None


def _is_separator(line: str) -> bool:
    """Whether the line is `-- Original message --`, or all dashes."""
    # No pattern: a row of dashes could be divided in too many ways.
    has_ends = len(line) >= _SHORTEST_SEPARATOR and line.startswith("--") and line.endswith("--")
    return has_ends and len(line.strip("-").strip()) <= _LONGEST_TITLE


def _is_head(lines: Sequence[str], place: int) -> bool:
    """Whether the head of another mail begins here with another line than its sender."""
    following = lines[place + 1] if place + 1 < len(lines) else ""
    return bool(_FIELD.match(lines[place]) and FROM.match(following))


def _paragraph(lines: Sequence[str], place: int) -> Iterator[int]:
    """The places from this one to the end of its paragraph, as far as an attribution may go."""
    said = ""
    for at in range(place, min(place + _LONGEST_ATTRIBUTION, len(lines))):
        # The last of an address may have come to stand at the beginning of a line.
        is_open = said.count("<") > said.count(">") and lines[at].endswith(":")
        if not lines[at] or (_QUOTED.match(lines[at]) and not is_open):
            return
        said += lines[at]
        yield at


def _after_attribution(lines: Sequence[str], place: int) -> int:
    """Where a quotation begins that the lines from here introduce; `place` where they do not."""
    if not _BEGINS_ATTRIBUTION.search(lines[place]):
        return place
    for at in _paragraph(lines, place):
        if lines[at].endswith(":"):
            following = next((line for line in lines[at + 1 : at + 4] if line), "")
            return at + 1 if _QUOTED.match(following) else place
    return place


def _attributes_rest(lines: Sequence[str], place: int) -> bool:
    """Whether the lines from here say who wrote what follows, which is not marked."""
    if _after_attribution(lines, place) > place or not _BEGINS_ATTRIBUTION.search(lines[place]):
        return False
    said = ""
    for at in _paragraph(lines, place):
        said = f"{said} {lines[at]}"
        if lines[at].endswith(":"):
            return WROTE.search(said) is not None
    return False


def _unflowed(lines: Sequence[str], text: Text) -> Iterator[str]:
    """The lines of a `format=flowed` text (RFC 3676), each whole again."""
    if not text.flowed:
        yield from lines
        return
    begun: tuple[int, str] | None = None
    for raw in lines:
        line = raw.rstrip("\r")
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        before = ""
        if begun is not None:
            if begun[0] == depth and content != "-- ":
                before = begun[1]
            else:
                yield ">" * begun[0] + begun[1]
        if content.endswith(" ") and content != "-- ":
            begun = (depth, before + (content[:-1] if text.delsp else content))
        else:
            begun = None
            yield (">" * depth + " " if depth else "") + before + content
    if begun is not None:
        yield ">" * begun[0] + begun[1]


def _unsigned(lines: Sequence[str]) -> list[str]:
    """A text that is signed within (OpenPGP) without what was added for it."""
    at = next((at for at, line in enumerate(lines) if line.strip() == _SIGNED), None)
    if at is None:
        return list(lines)
    begin = next((n for n in range(at + 1, len(lines)) if not lines[n].strip()), len(lines))
    return [*lines[:at], *(line.removeprefix("- ") for line in lines[begin:])]
