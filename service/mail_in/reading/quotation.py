"""What of a mail's lines is quoted: lines with marks, and a copy of our mail below its head.

A head, in whichever language, is known by our own address or name in it. Whatever a program puts
above another person's mail is none, so that a mail that somebody passed on is not left out unseen.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from service.mail_in.reading.program_lines import FIELD, FROM, WROTE
from service.mail_in.reading.taking_back import surely_takes_back, takes_back

MARK: Final = re.compile(r"[^\W\d_]{0,4}>|\|")
"""How a quoted line begins: with the marks of programs, or with the margin of our own mails."""
_SEPARATOR: Final = re.compile(r"[-_=*─━ ]{3,}|[-_=]{2,}[^-_=].{0,60}?[-_=]{2,}")
_TITLE: Final = re.compile(
    "messag|nachricht|mail|mensaje|mensagem|wiadomość|bericht|meddelande|besked|melding|viesti"
    "|сообщение|письмо|邮件|郵件|メッセージ|메시지",
    re.IGNORECASE,
)
"""What programs write into a separator, below which they may leave lines empty."""
_GLUED: Final = re.compile(r"-{2,}[^-]{1,60}-{2,}[^\W\d]")
_SENDER: Final = re.compile(
    r"\S · (?:your turn|you won|a draw|challenge withdrawn)(?!\w)|done · \S.* to move(?!\w)",
    re.IGNORECASE,
)
"""How the mails about a game name their sender."""
_BEGINS_ATTRIBUTION: Final = re.compile(
    rf"(19|20|25)\d\d(?!\d)|<|@[\w-]+\.\w|\d{{1,2}}[:.]\d\d|{_SENDER.pattern}", re.IGNORECASE
)
_OF_GAME: Final = re.compile(
    r"[^:]{0,24}(?<!\w)(?:moves?|play|cards?|stones?|turn|claims?|answer|zug|karte|stein|coup|carte|borne"
    r"|jugada|carta|piedra|mossa|pietra|jogada|zet|kaart|steen)\s?:",
    re.IGNORECASE,
)
"""Fields that no program writes."""
_ADDRESS: Final = re.compile(r"@[\w-]+(\.[\w-]+)+")
_LONGEST_HEAD: Final = 9
_LONGEST_ATTRIBUTION: Final = 4


class Ours(NamedTuple):
    """What the heads above copies of our mails say of their sender: the address, the domain of our
    reply addresses, and the name; in lower case, empty where there is none."""

    address: str = ""
    domain: str = ""
    name: str = ""

    def has_address(self, line: str) -> bool:
        """Whether an address of ours stands in this line."""
        text = line.casefold()
        is_reply = bool(self.domain) and re.search(rf"\+\w+-\w+@{re.escape(self.domain)}", text)
        return bool(self.address and self.address in text) or bool(is_reply)

    def has_name(self, line: str) -> bool:
        """Whether our name stands in this line, as a word."""
        if not self.name:
            return False
        if _SENDER.search(line):
            return True
        return re.search(rf"(?<!\w){re.escape(self.name)}(?!\w)", line.casefold()) is not None


def head_at(lines: Sequence[str], place: int, ours: Ours) -> tuple[int, bool] | None:
    """Where the head of a mail of ours ends that begins here, and whether what follows has marks;
    None where none begins."""
    head = _attribution(lines, place, ours) or _block(lines, place, ours)
    if head is None:
        return None
    following = next((line for line in lines[head : head + 3] if line), "")
    is_marked = MARK.match(following) is not None
    return (head, True) if is_marked else (head, False)


def _paragraph(lines: Sequence[str], place: int, most: int) -> Iterator[tuple[int, str]]:
    """The lines from this one to the end of its paragraph, each with its place."""
    said = ""
    for at in range(place, min(place + most, len(lines))):
        # The last of an address may have come to stand at the beginning of a line.
        is_open = said.count("<") > said.count(">")
        if not lines[at] or (MARK.match(lines[at]) and not is_open):
            return
        said += lines[at]
        yield at, lines[at]


def _attribution(lines: Sequence[str], place: int, ours: Ours) -> int | None:
    """Where a sentence ends that says that we wrote what follows; or anybody, if that is marked."""
    if not _BEGINS_ATTRIBUTION.search(lines[place]):
        return None
    said = ""
    for at, line in _paragraph(lines, place, _LONGEST_ATTRIBUTION):
        said = f"{said} {line}"
        following = next((each for each in lines[at + 1 : at + 4] if each), "")
        is_marked = MARK.match(following) is not None
        is_told = WROTE.search(said) or _SENDER.search(said)
        if line.rstrip("-~ ").endswith(":") or (is_told and is_marked):
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
    """Where a block of fields ends of which one names us as the sender."""
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
