"""Finds quotations in a mail: lines with marks, and a copy of our mail below its head.

A head is an attribution line ("On … X wrote:") or a block of header fields. In any language, it is
recognised by our own address or name in it. A head of another person's mail does not count, so that
a mail that somebody passed on is not left out unseen.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from letters.mail.program_lines import FIELD, FROM, WROTE
from letters.mail.taking_back import surely_takes_back, takes_back

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
        """Whether the line holds an address of ours."""
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
    if not _BEGINS_ATTRIBUTION.search(lines[place]):
        return None
    said = ""
    for at, line in _paragraph(lines, place, _LONGEST_ATTRIBUTION):
        said = f"{said} {line}"
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
