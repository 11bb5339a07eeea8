"""Separates the lines that somebody wrote in an answer from quotations and signatures.

No list of mail programs is ever complete, so this leaves out only lines that are marked as a
quotation, or that are certainly not the writer's words. Any other line is the writer's, and has to
be understood.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from letters.inert import UNSEEN_MARK, plain
from letters.mail.below_dashes import signature_of
from letters.mail.body import CUT, Text
from letters.mail.html_text import HIDDEN
from letters.mail.phrases import (
    OTHER,
    announces,
    is_leave,
    is_polite,
    is_writers_name,
    surely_takes_back,
    takes_back,
    without_apology,
)
from letters.mail.quotation import (
    LIST_FOOTER,
    MARK,
    Ours,
    SentWords,
    head_at,
    is_boilerplate,
    is_link,
    is_product,
)
from letters.mail.sign_offs import (
    is_listed_sign_off,
    is_of_business,
    is_phone_number,
    is_sign_off,
)
from letters.taught import MESSAGE, OF_OUR_LINKS

MOST_OWN: Final = 200
"""Most lines that are read as the writer's own, and below a copy of our mail."""
_LONGEST_LINE: Final = 2000
_FEW_WORDS: Final = 24
"""Most characters of a line that is read as written by hand where it stands in a copy."""


class Line(NamedTuple):
    """A line of the writer's: its number in the mail, from 1, and its text in plain form. The mark
    `HIDDEN` precedes text that readers may not see."""

    number: int
    text: str


NOBODY: Final = Ours()
NOTHING_SENT: Final = SentWords()


@dataclass(frozen=True)
class WriterFacts:
    """Facts about the writer of a mail.

    - `names`: theirs; behind the mark `OTHER`, those of players whom they may greet
    - `signature`: lines that they have confirmed as their signature, in lower case
    - `ours`: the names under which quotations of our mails give their sender
    - `sent`: the words of the mail that they answer
    """

    names: Collection[str] = ()
    signature: Collection[str] = ()
    ours: Ours = NOBODY
    sent: SentWords = NOTHING_SENT


class OwnText(NamedTuple):
    """The writer's own `lines`, and others that are no commands.

    `passed_over` are names below a closing, and lines that they sign with. `doubts` are lines that
    take something back, in quoted text without a head, in a copy of our mail or below it, or in
    text that only some programs show; and `CUT` for text that is not read.
    """

    lines: list[Line]
    signed: list[Line]
    """Lines below two dashes, where programs put signatures: no command is read there."""
    courteous: list[Line]
    """Lines that hold courtesies alone."""
    passed_over: list[Line]
    doubts: list[Line]
    below: list[Line]
    """Unmarked lines from where reading stops: most likely a copy of our mail, into which somebody
    may have written."""
    letters: str
    """The letters and digits of all lines that are not quoted, greetings included, in lower
    case."""
    broken_off: frozenset[int]
    """The numbers of lines that may be the end of the quoted line above them: some programs break
    long lines again, and mark only the first half."""


_NO_COMMAND: Final = dict.fromkeys((0xFDFA, 0xFDFB, ord(UNSEEN_MARK)), "\N{REPLACEMENT CHARACTER}")
"""Characters that stand for whole sentences, which in plain form become eighteen and eight letters;
and the mark around words of others."""
OPENS_LINK: Final = frozenset("<[(")
_PLAIN: Final = re.compile(rf"[^\x00-\x1F\x7F-\U0010FFFF<\[(*_]{{0,{_LONGEST_LINE}}}")
"""Matches a line that was typed on a plain keyboard, and holds neither links nor marks."""
_AUTOLINK: Final = re.compile(
    r"\s?[<\[(](mailto:|https?:|cid:)[^>\])\s]*(?P<end>[>\])]?)", re.IGNORECASE
)
"""Matches a link, even without its closing bracket: then no link within it has one either."""
_MARKED: Final = re.compile(r"\[([^\[\]]+)\](?=\s?[<(]mailto:)", re.IGNORECASE)
_RULE: Final = re.compile(r"[_=*~─━-]{2,}")
_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_ELLIPSIS: Final = re.compile(r"[\[(]?(?:\.{3}|…|snip)[\])]?", re.IGNORECASE)
_BOLD: Final = re.compile(r"(?<![\w*])\*([^\s*](?:[^*]{0,60}[^\s*])?)\*(?![\w*])")
_QUOTED: Final = re.compile(r"[\"“”„«»'‘’`]")
_BULLET: Final = re.compile(r"[-–—~]{1,3} ?|\* ")
_NARROWEST: Final = 60
"""Fewest characters of a line that a program breaks again."""
_ENDS: Final = re.compile(r"[.!?…:;)\]}>\"“”»’'|*_=~-]$")
"""Matches the end of a sentence, or of what is no prose."""


def read_lines(text: Text, facts: WriterFacts = WriterFacts()) -> OwnText:
    """Separate the writer's own lines from quotations and signatures."""
    lines = list(_unflowed(_unsigned(text.text.split("\n")), text))
    marked = [plain_form(line) for line in lines]
    bare = [line.replace(HIDDEN, "").strip() for line in marked]
    numbered, end, doubts = _unquoted(bare, facts.ours, facts.sent)
    texts = facts.sent.without_copies([line.text for line in numbered])
    hidden = {number for number, line in enumerate(marked, 1) if HIDDEN in line}
    numbered = [
        line._replace(text=line.text if line.number in hidden else text)
        for line, text in zip(numbered, texts, strict=True)
        if text
    ]
    if len(numbered) > MOST_OWN:
        numbered[MOST_OWN:] = [numbered[MOST_OWN]._replace(text=CUT)]
    names = {plain_form(name).casefold() for name in facts.names}
    own, passed_over = _without_politeness(numbered, names, facts.signature)
    own = [
        line._replace(text=marked[line.number - 1]) if line.number in hidden else line
        for line in own
    ]
    rules = (line for line in numbered if line.text == "--" or LIST_FOOTER.fullmatch(line.text))
    dashes = next((line.number for line in rules), len(bare) + 1)
    signed = [line for line in own if line.number >= dashes]
    own = own[: len(own) - len(signed)]
    courteous = [line for line in numbered if line.number < dashes and is_polite(line.text, names)]
    signature = signature_of([line.text for line in numbered if line.number > dashes], names)
    harmless = [line for line in signed if line.text in signature]
    signed = [line for line in signed if line not in harmless]
    passed_over = [*passed_over, *harmless]
    doubts += [Line(0, each) for each in text.aside.split("\n") if takes_back(each)]
    rest = [*bare[end:], *map(plain_form, text.below.split("\n") if text.below else [])]
    below = [
        Line(number, line)
        for number, line in enumerate(facts.sent.without_copies(rest), end + 1)
        if line and not is_boilerplate(line) and line.casefold() not in facts.signature
    ]
    doubts += [line for line in below if _says_no_in_copy(line.text, facts.sent)]
    below = [line for line in below if not MARK.match(line.text)]
    if text.is_cut or len(below) > MOST_OWN:
        doubts.append(Line(0, CUT))
    below = below[:MOST_OWN]
    letters = re.sub(r"[\W_]+", "", "".join(line.text for line in numbered)).casefold()
    broken_off = frozenset(_broken_off(bare, own, facts.sent))
    return OwnText(own, signed, courteous, passed_over, doubts, below, letters, broken_off)


def _broken_off(bare: Sequence[str], own: Sequence[Line], sent: SentWords) -> Iterator[int]:
    for line in own:
        above = bare[line.number - 2] if line.number > 1 else ""
        if MARK.match(above) is None:
            continue
        is_long = len(above) + 1 + len(line.text.split(" ")[0]) > _NARROWEST
        is_copied = not sent.without_copies([above, line.text])[1]
        if is_copied or (is_long and _ENDS.search(above) is None):
            yield line.number


def rejoined(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with those joined again that a program has most likely wrapped: a long one
    that ends within a sentence, and the next."""
    joined: list[Line] = []
    for at, line in enumerate(lines):
        above = lines[at - 1] if at else Line(0, "")
        is_apart = any(
            HIDDEN in each or MESSAGE.match(each)
            for each in (line.text, *(last.text for last in joined[-1:]))
        )
        is_next = above.number and line.number == above.number + 1
        if is_next and is_wrapped(above, line) and not is_apart:
            joined[-1] = joined[-1]._replace(text=f"{joined[-1].text} {line.text}")
        else:
            joined.append(line)
    return tuple(joined)


def is_wrapped(above: Line, line: Line) -> bool:
    """Whether a program has most likely wrapped the line above before this one: it is long, and
    ends within a sentence."""
    is_long = len(above.text) + 1 + len(line.text.split(" ")[0]) > _NARROWEST
    return is_long and _ENDS.search(above.text) is None


def plain_form(line: str) -> str:
    """Return the line as if it were typed on a plain keyboard.

    This is what `plain` returns, without links that a program has made of the text. A line that is
    too long is cut, and ends in a mark with which it is no command.
    """
    if _PLAIN.fullmatch(line):
        return " ".join(line.split())
    whole = plain(line[:_LONGEST_LINE].translate(_NO_COMMAND))
    if max(len(line), len(whole)) > _LONGEST_LINE:  # a letter may stand for six
        whole = f"{whole[:_LONGEST_LINE]} {CUT}"
    if not OPENS_LINK.isdisjoint(whole):
        whole = " ".join(
            _AUTOLINK.sub(
                lambda link: "" if link["end"] else link[0], _MARKED.sub(r"\1", whole)
            ).split()
        )
    bold = len(whole) > 2 and whole[0] == whole[-1] and whole[0] in "*_"
    if bold and whole[0] not in whole[1:-1]:
        return whole[1:-1].strip()
    return _BOLD.sub(r"\1", whole)


def _unquoted(
    lines: Sequence[str], ours: Ours, sent: SentWords
) -> tuple[list[Line], int, list[Line]]:
    """Return the lines that are not quoted, the index at which reading stops, and the doubts.

    Doubts are lines with a quotation mark (`>`) above the first attribution ("Ben wrote:") that
    take something back: it is unclear who wrote them.
    """
    own: list[Line] = []
    marked: list[Line] = []
    place, has_head = 0, False
    while place < len(lines):
        if not (line := lines[place]):
            place += 1
        elif MESSAGE.match(line):  # marked as the writer's own
            own.append(Line(place + 1, line))
            place += 1
        elif (mark := MARK.match(line)) is not None:
            if not has_head and not line.startswith("|"):
                marked.append(Line(place + 1, line[mark.end() :].lstrip()))
            place += 1
        elif (head := head_at(lines, place, ours)) is not None:
            (end, is_marked), has_head = head, True
            if not is_marked:
                return own, place, _doubts(marked)
            place = end
        else:
            own.append(Line(place + 1, line))
            place += 1
    if not has_head:
        marked = _unexplained(marked, ours, sent)
    return own, len(lines), _doubts(marked)


def _unexplained(marked: list[Line], ours: Ours, sent: SentWords) -> list[Line]:
    """Return the marked lines of a text without a head that may be the writer's own: those above a
    head within the marks or a copy of our mail. Lines with two marks are from older mails."""
    if not sent:
        return []  # it may be a copy of a mail of ours whose words have expired
    texts = [line.text for line in marked]
    rest = sent.without_copies(texts)
    for at, line in enumerate(marked):
        if rest[at] != line.text or head_at(texts, at, ours) is not None:
            return marked[:at]
    return [line for line in marked if not MARK.match(line.text)]


def _says_no_in_copy(line: str, sent: SentWords) -> bool:
    """Whether a line that stands in a copy of our mail, or below it, may take something back.

    Of a few words, as in "No wait", any does. In a longer line a word such as "until" does not: our
    mails and disclaimers use it too.
    """
    if MARK.match(line) and not sent:
        return False  # it may be a copy of a mail of ours whose words have expired
    if CUT in line or surely_takes_back(line):
        return True
    if not sent or len(line) > _FEW_WORDS or any(map(str.isdigit, line)):
        return False
    return line.casefold() not in OF_OUR_LINKS and takes_back(line)


def _doubts(marked: Sequence[Line]) -> list[Line]:
    return [line for line in marked if takes_back(line.text)]


def _without_politeness(
    lines: Sequence[Line], names: set[str], signature: Collection[str]
) -> tuple[list[Line], list[Line]]:
    """Return the lines that have to be understood; and names, signatures and footers, which do
    not."""
    own: list[Line] = []
    passed_over: list[Line] = []
    was_product = is_closed = False
    of_others = _of_others(lines, names)
    for written in lines:
        line = written._replace(text=without_apology(written.text))
        is_advertised = was_product and is_link(line.text)
        was_product = is_advertised or is_product(line.text)
        if not line.text:
            passed_over.append(written)
        elif MESSAGE.match(line.text):
            own.append(line)
        elif line.text.casefold() in signature:
            passed_over.append(line)
        elif line.text == "--" or _RULE.fullmatch(line.text) or was_product:
            continue
        elif is_boilerplate(line.text) or _ELLIPSIS.fullmatch(line.text):
            passed_over.append(line)
        elif _is_courtesy(line.text, names, is_first=not own):
            is_closed = bool(own) and (is_closed or is_leave(line.text, names))
            own += [line] if own and announces(line.text, names) else []
        elif (own and _signs(line, names, of_others)) or is_phone_number(line.text):
            is_closed = bool(own)
            passed_over.append(line)
        elif is_closed and is_of_business(line.text):
            passed_over.append(line)
        else:
            own.append(line)
    return own, passed_over


def _is_courtesy(text: str, names: set[str], *, is_first: bool) -> bool:
    if is_first and text.endswith(","):
        addressed = text[:-1].casefold()
        if is_writers_name(addressed, names):
            return False
        if OTHER + addressed in names:
            return True
    return is_polite(_BULLET.sub("", text, count=1), names)


def _signs(line: Line, names: set[str], of_others: set[int]) -> bool:
    """Whether the line is a sign-off: the writer's, or a listed name where no other line may be
    somebody else's."""
    if is_sign_off(line.text, names):
        return True
    return of_others <= {line.number} and is_listed_sign_off(line.text, names)


def _of_others(lines: Sequence[Line], names: set[str]) -> set[int]:
    """Return the numbers of the lines that begin with a quotation mark or name the writer: somebody
    else may have written them."""
    return {
        line.number
        for line in lines
        if _QUOTED.match(line.text)
        or any(is_writers_name(word, names) for word in re.findall(r"\w+", line.text.casefold()))
    }


def _unflowed(lines: Sequence[str], text: Text) -> Iterator[str]:
    """Yield the lines of a `format=flowed` text (RFC 3676), each joined again."""
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
    """Return the lines of a clear-signed text (OpenPGP) without what signing has added."""
    at = next((at for at, line in enumerate(lines) if line.strip() == _SIGNED), None)
    if at is None:
        return list(lines)
    begin = next((n for n in range(at + 1, len(lines)) if not lines[n].strip()), len(lines))
    signed = [line.removeprefix("- ") for line in lines[begin:]]
    end = next((n for n, line in enumerate(signed) if line.strip() == _SIGNATURE), len(signed))
    return [*lines[:at], *signed[:end]]
