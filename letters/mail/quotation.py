"""Recognises header fields, and lines that programs and companies add to a mail: none is a command.

The patterns list their words, as in `phrases`: one that allowed any words would also accept a line
that says "stop".

Finds quotations in a mail: lines with marks, a copy of our mail below its head, and copies by
their words: in any language, below any head or none.

A mail program may break lines elsewhere, join them, or put other marks around them, but the words
stay in their order. So a run of words is a copy if every three of its words in a row are also in a
row in our mail. A copy has at least eight words, more than anybody writes by chance: a command of
the writer's own that equals one in our mail is no copy, unless the words around it are.

A head is an attribution line ("On … X wrote:") or a block of header fields. In any language, it is
recognised by our own address or name in it. A head of another person's mail does not count, so that
a mail that somebody passed on is not left out unseen.
"""

import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from functools import cache
from struct import Struct
from typing import Final, NamedTuple, Self

from letters import taught
from letters.languages import JOINS, any_of
from letters.mail.phrases import surely_takes_back, takes_back
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


_BOILERPLATE: Final = re.compile(words("program_lines", "boilerplate"), re.IGNORECASE | re.VERBOSE)
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

FROM: Final = re.compile(words("program_lines", "from"), re.IGNORECASE | re.VERBOSE)
"""Matches the header field that names the sender, in many languages."""

WROTE: Final = re.compile(words("program_lines", "wrote"), re.IGNORECASE | re.VERBOSE)
"""Matches the verb of an attribution line ("On … X wrote:"), in many languages."""


_BITS: Final = 8192
"""Bits of the filter. A mail of 300 words sets a quarter of them, so that about one row of three
words in 60,000 is taken for one of the mail's by mistake: a "wait" right below a copy may be lost
so."""
_NONE: Final = bytes(_BITS // 8)
_ROW: Final = 3
_SHORTEST: Final = 8
"""Fewest words of a copy."""
_EXAMPLE: Final = re.compile(
    rf"(?:{taught.any_form('play', card='[^ ]+', stone='[1-9]')})"
    rf"(?: (?:{JOINS})| (?:{taught.any_form('claim', stone='[1-9]')}))*"
)
"""Matches the turn that our mails give as an example. Alone it is no copy: the writer chose it."""
_WORD: Final = re.compile(r"[^\W\d_]?\d+|[^\W\d_]+?(?=[A-Z]?\d|\b|_|(?<=[a-z])[A-Z])")
"""Matches words and figures, even if a program has joined the end of a line to the next line."""
_EIGHT_NUMBERS: Final = Struct(">8H")


class SentWords:
    """The rows of three words in a mail, as a Bloom filter: the mail cannot be read from it. And
    the `messages` of the other player that mails have told."""

    def __init__(self, bits: bytes = _NONE, messages: Sequence[str] = ()) -> None:
        self._bits = bits
        told = [[word[0] for word in _WORD.finditer(text)] for text in messages]
        self._messages = [f" {' '.join(words).casefold()} " for words in told]
        self._told = frozenset(row for words in told for row in _rows(words))

    def with_messages(self, messages: Sequence[str]) -> "SentWords":
        """Return the same words, and those of the other player's messages."""
        return SentWords(self._bits, messages)

    def has_told(self, line: str) -> bool:
        """Whether these words stand in a message: the line may be a part of its copy."""
        words = " ".join(word[0] for word in _WORD.finditer(line)).casefold()
        return any(f" {words} " in message for message in self._messages)

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the filter for the words of this text."""
        bits = bytearray(_BITS // 8)
        for row in _rows([word[0] for word in _WORD.finditer(text)]):
            for place in _places(row):
                bits[place >> 3] |= 1 << (place & 7)
        return cls(bytes(bits))

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse the text that `str()` returns for a filter. One of another size, which an older
        version wrote, is as good as none."""
        bits = b64decode(text)[::-1]
        return cls(bits) if len(bits) == len(_NONE) else cls()

    def __str__(self) -> str:
        return b64encode(self._bits[::-1]).decode()  # the highest bit first

    def __bool__(self) -> bool:
        """Whether the filter holds any words."""
        return self._bits != _NONE

    def without_copies(self, lines: Sequence[str]) -> list[str]:
        """Return the lines without copies of the mail; a line that is only a copy becomes empty.

        A line with other words both before and after a copy stays whole: these words belong
        together.
        """
        if not (self or self._told):
            return [*lines]
        words = [list(_WORD.finditer(line)) for line in lines]
        copied = iter(self._copied([word[0] for of_line in words for word in of_line]))
        return [
            _own_part(line, [(word, next(copied)) for word in of_line])
            for line, of_line in zip(lines, words, strict=True)
        ]

    def _copied(self, words: Sequence[str]) -> list[bool]:
        """Return for each word whether it is part of a copy."""
        copied = [False] * len(words)
        begun = 0
        for at, row in enumerate([*_rows(words), None]):
            if row is None or not self._has(row):
                end = at + _ROW - 1
                run = " ".join(words[begun:end]).casefold()
                if end - begun >= _SHORTEST and _EXAMPLE.fullmatch(run) is None:
                    copied[begun:end] = [True] * (end - begun)
                begun = at + 1
        return copied

    def _has(self, row: str) -> bool:
        bits = self._bits
        return row in self._told or all(
            bits[place >> 3] >> (place & 7) & 1 for place in _places(row)
        )


def _own_part(line: str, words: Sequence[tuple[re.Match[str], bool]]) -> str:
    marks = [is_copied for _, is_copied in words]
    if True not in marks:
        return line
    first, last = marks.index(True), len(marks) - 1 - marks[::-1].index(True)
    is_last = last == len(marks) - 1
    if first and not is_last:
        return line
    if first:
        return line[: words[first][0].start()].rstrip(" |“\"'*")
    return "" if is_last else line[words[last][0].end() :].lstrip(" ”\"'*.;:,")


def _rows(words: Sequence[str]) -> Iterator[str]:
    lowered = [word.casefold() for word in words]
    return (" ".join(lowered[at : at + _ROW]) for at in range(len(words) - _ROW + 1))


def _places(row: str) -> tuple[int, ...]:
    """Return the indexes of the eight bits that stand for some words in a row in a Bloom filter."""
    digest = hashlib.blake2b(row.encode(), digest_size=16).digest()
    return tuple(number % _BITS for number in _EIGHT_NUMBERS.unpack(digest))


MARK: Final = re.compile(r"[^\W\d_]{0,4}>|\|")
"""Matches the beginning of a quoted line: the marks of programs, or the margin of our own mails."""
_SEPARATOR: Final = re.compile(r"[-_=*─━ ]{3,}|[-_=]{2,}[^-_=].{0,60}?[-_=]{2,}")
_TITLE: Final = re.compile(
    "messag|nachricht|mail|mensaje|mensagem|wiadomość|bericht|meddelande|besked|melding|viesti"
    "|сообщение|письмо|邮件|郵件|メッセージ|메시지",
    re.IGNORECASE,
)
"""Matches words that programs write into a separator, below which they may leave lines empty."""
_GLUED: Final = re.compile(r"-{2,}[^-]{1,60}-{2,}[^\W\d]")
_SENDER: Final = re.compile(
    r"\S · (?:your turn|you won|a draw|challenge withdrawn)(?!\w)|done · \S.* to move(?!\w)",
    re.IGNORECASE,
)
"""Matches the sender's name in mails about a game."""
_BEGINS_ATTRIBUTION: Final = re.compile(
    rf"(19|20|25)\d\d(?!\d)|<|@[\w-]+\.\w|\d{{1,2}}[:.]\d\d|{_SENDER.pattern}", re.IGNORECASE
)
_ON_DAYS: Final = words("program_lines", "on_days")
_ON_DAY: Final = re.compile(rf"(?:{_ON_DAYS})(?!\w)", re.IGNORECASE | re.VERBOSE)
"""Matches the beginning of a short attribution line: "On Sun, Ben wrote:"."""
_PASSING: Final = any_of(words("program_lines", "in_passing"))
_IN_PASSING: Final = re.compile(rf"(?<!\w)(?:{_PASSING})(?!\w)", re.IGNORECASE)
"""Matches words of a sentence of the writer's: "On Sunday only, as Ben wrote:"."""
_OF_GAME: Final = re.compile(
    r"[^:]{0,24}(?<!\w)(?:moves?|play|cards?|stones?|turn|claims?|answer|zug|karte|stein|coup|carte|borne"
    r"|jugada|carta|piedra|mossa|pietra|jogada|zet|kaart|steen)\s?:",
    re.IGNORECASE,
)
"""Matches fields that players write, and no program."""
_ADDRESS: Final = re.compile(r"@[\w-]+(\.[\w-]+)+")
_LONGEST_HEAD: Final = 9
_LONGEST_ATTRIBUTION: Final = 4


class Ours(NamedTuple):
    """How heads above copies of our mails name their sender: by the address, the domain of our
    reply addresses, or the name. All are in lower case, empty if there is none."""

    address: str = ""
    domain: str = ""
    name: str = ""

    def has_address(self, line: str) -> bool:
        text = line.casefold()
        is_reply = bool(self.domain) and re.search(rf"\+\w+-\w+@{re.escape(self.domain)}", text)
        return bool(self.address and self.address in text) or bool(is_reply)

    def has_name(self, line: str) -> bool:
        """Whether the line holds our name, as a word of its own."""
        if not self.name:
            return False
        if _SENDER.search(line):
            return True
        return re.search(rf"(?<!\w){re.escape(self.name)}(?!\w)", line.casefold()) is not None


def head_at(lines: Sequence[str], place: int, ours: Ours) -> tuple[int, bool] | None:
    """Return the index of the line below a head of our mail that begins at `place`, and whether
    marked lines follow; None if no head begins there."""
    head = _attribution(lines, place, ours) or _block(lines, place, ours)
    if head is None:
        return None
    following = next((line for line in lines[head : head + 3] if line), "")
    is_marked = MARK.match(following) is not None
    return (head, True) if is_marked else (head, False)


def _paragraph(lines: Sequence[str], place: int, most: int) -> Iterator[tuple[int, str]]:
    """Yield the lines from `place` to the end of the paragraph, at most `most`, each with its
    index."""
    said = ""
    for at in range(place, min(place + most, len(lines))):
        # A line may begin with the `>` that closes an address.
        is_open = said.count("<") > said.count(">")
        if not lines[at] or (MARK.match(lines[at]) and not is_open):
            return
        said += lines[at]
        yield at, lines[at]


def _attribution(lines: Sequence[str], place: int, ours: Ours) -> int | None:
    """Return the index of the line below an attribution line that begins at `place`; None if none
    begins there.

    The attribution line has to say that we wrote what follows, or that anybody did, if marked lines
    follow.
    """
    is_short = _BEGINS_ATTRIBUTION.search(lines[place]) is None
    if is_short and _ON_DAY.match(lines[place]) is None:
        return None
    said = ""
    for at, line in _paragraph(lines, place, _LONGEST_ATTRIBUTION):
        said = f"{said} {line}"
        if is_short and _IN_PASSING.search(said):
            return None
        following = next((each for each in lines[at + 1 : at + 4] if each), "")
        is_marked = MARK.match(following) is not None
        names_writer = WROTE.search(said) or _SENDER.search(said)
        if line.rstrip("-~ ").endswith(":") or (names_writer and is_marked):
            return at + 1 if _says_who_wrote(said, ours, is_marked=is_marked) else None
        if re.search(r"wrote\s*-{2,}$", line):
            return at + 1 if _says_who_wrote(said, ours, is_marked=is_marked) else None
    return None


def _says_who_wrote(said: str, ours: Ours, *, is_marked: bool) -> bool:
    if surely_takes_back(said):
        return False
    if ours.has_address(said) or (is_marked and (_ADDRESS.search(said) or _SENDER.search(said))):
        return True
    if takes_back(said) or not WROTE.search(said):
        return False
    return is_marked or ours.has_name(said)


def _block(lines: Sequence[str], place: int, ours: Ours) -> int | None:
    """Return the index of the line below a block of header fields that begins at `place`, and names
    us as the sender; None if none begins there."""
    first = lines[place]
    if _GLUED.match(first) and (ours.has_address(first) or ours.has_name(first)):
        return None if surely_takes_back(first) else place + 1
    at = place
    if _SEPARATOR.fullmatch(first):
        if takes_back(first):
            return None
        reach = 7 if _TITLE.search(first) else 2
        below = range(place + 1, min(place + reach, len(lines)))
        at = next((each for each in below if lines[each]), len(lines))
    is_named = False
    begun = at
    for at, line in _paragraph(lines, begun, _LONGEST_HEAD):
        is_field = FIELD.match(line) is not None
        begins = not is_named and at > begun and (_SEPARATOR.fullmatch(line) or _GLUED.match(line))
        is_of_writer = _OF_GAME.match(line) or (
            at == place and takes_back(line) and not ours.has_address(line)
        )
        if begins or (is_of_writer and not is_named) or surely_takes_back(line):
            return None  # "Next move: Y8 on 8" may stand right above a head
        names_us = ours.has_address(line) or (
            (is_field or begun > place) and _is_named_sender(lines, at, ours)
        )
        if not is_named and not is_field and not names_us:
            return None
        is_named = is_named or names_us
    if not is_named or begun >= len(lines):
        return None
    return at + 1


def _is_named_sender(lines: Sequence[str], place: int, ours: Ours) -> bool:
    """Whether a line names us as the sender, without an address."""
    if not ours.has_name(lines[place]) or takes_back(lines[place]):
        return False
    following = next((line for line in lines[place + 1 : place + 4] if line), "")
    return bool(FROM.match(lines[place]) or FIELD.match(following))
