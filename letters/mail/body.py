"""Reads the text of a mail, and a mail server's delivery report in it.

The library takes quadratic time for long fields and endless time for many parts, so fields are cut
and HTML is read within a budget for the whole mail. A mail may still be hard to read in a way that
nobody has thought of: `apart.py` reads large ones in a child process.
"""

import re
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message
from typing import Any, Final, NamedTuple

from letters.mail import html_text
from letters.mail.headers import DeliveryReport, decode, read_report

MAX_PARTS: Final = 100
MAX_TEXT: Final = 64 * 1024
MAX_LINES: Final = 2000
"""Most characters and lines of text that are read. Of a longer text nothing is played."""
MAX_HTML: Final = 256 * 1024
"""Most characters of HTML that are read, in all parts together."""
_BRIEF, _OF_LINE = 800, 20
"""Characters that are read of the beginning of a text, if each line counts as so many more."""
CUT: Final = "[cut off]"
"""Stands for text that is not read. No command."""
_LONGEST_FIELD: Final = 2000
_ENCRYPTED: Final = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


class Text(NamedTuple):
    """The text of a mail; `flowed` and `delsp` say how its lines continue (RFC 3676).

    From HTML, `below` is the text from where a copy of another mail begins, and what it quotes,
    with marks. `aside` is text that some programs show and others do not. `is_cut` says that there
    is more, which is not read.
    """

    text: str
    flowed: bool = False
    delsp: bool = False
    below: str = ""
    aside: str = ""
    is_cut: bool = False


class ReadBody(NamedTuple):
    """The body of a mail.

    - `text`: its plain text, or the text of its HTML if there is no plain text
    - `page`: the text of its HTML, if it has both; programs show only one of them, so both must ask
      for the same thing
    - `problem`: why there is no text (`encrypted`, `no-text`, `unreadable` or `given-up`), else
      None
    - `report`: a mail server's report about a mail that it could not deliver, None for other mails
    - `seconds`: the processor time that another process has taken to read it
    """

    text: Text
    page: Text | None = None
    problem: str | None = None
    report: DeliveryReport | None = None
    seconds: float = 0.0


_FOOTER: Final = re.compile(r"\s*[-_]{3,}\s*\n")
UNREADABLE: Final = ReadBody(Text(""), problem="unreadable")
GIVEN_UP: Final = ReadBody(Text(""), problem="given-up")
"""The body of a mail that is not read any more, since reading it has killed processes."""


class _Part(Message):
    """A mail or a part of one. Its fields are cut, so that reading them takes little time."""

    def get(self, name: str, failobj: Any = None) -> Any:
        """Return the field's value, cut to `_LONGEST_FIELD` characters."""
        value = super().get(name, failobj)
        return value if value is failobj else str(value)[:_LONGEST_FIELD]


def read_body(lines: bytes) -> ReadBody:
    """Return the body of a mail with plain line ends; `UNREADABLE` if it is malformed."""
    try:
        message = message_from_bytes(lines, _class=_Part, policy=policy.compat32)
        if sum(1 for _ in message.walk()) > MAX_PARTS:
            return UNREADABLE
        text, page, problem = _text(message)
        return ReadBody(text, page, problem, read_report(message))
    except (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        # The library raises all kinds of errors for malformed mails.
        return UNREADABLE


def read_beginning(lines: bytes) -> ReadBody:
    """Return the body with the first lines of its text alone, which have room for a wish, and
    without its other form. One line of each quotation stands for all."""
    body = read_body(lines)
    kept: list[str] = []
    rest = _BRIEF
    for line in body.text.text.split("\n"):
        if line.startswith(">") and kept and kept[-1].startswith(">"):
            continue
        rest -= len(line) + (_OF_LINE if line.strip() else 1)
        if rest < 0:
            kept.append(CUT)
            break
        kept.append(line)
    return ReadBody(
        body.text._replace(text="\n".join(kept), below="", aside=""), None, body.problem
    )


def _text(message: Message) -> tuple[Text, Text | None, str | None]:
    kinds = {part.get_content_type() for part in message.walk()}
    if kinds.intersection(_ENCRYPTED) and message.get_content_type() != "multipart/signed":
        return Text(""), None, "encrypted"
    plain, pages = _Texts().of(message)
    text = _joined(plain)
    if "-----BEGIN PGP MESSAGE-----" in text.text:
        return Text(""), None, "encrypted"
    page = _joined(pages) if pages != plain else None
    is_empty = not text.text.strip() and not (page and page.text.strip())
    return text, page, "no-text" if is_empty else None


def _joined(texts: list[Text]) -> Text:
    whole = [
        "\n".join(getattr(each, part) for each in texts) for part in ("text", "below", "aside")
    ]
    kept = ["\n".join(part[:MAX_TEXT].split("\n")[:MAX_LINES]) for part in whole]
    is_cut = kept != whole or any(text.is_cut for text in texts)
    flowed = all(text.flowed for text in texts)
    delsp = flowed and all(text.delsp for text in texts)
    return Text(kept[0], flowed, delsp, kept[1], kept[2], is_cut)


class _Texts:
    """Reads the texts for people in a mail, each part once, HTML within one budget."""

    def __init__(self) -> None:
        self._html_left = MAX_HTML

    def of(self, part: Message) -> tuple[list[Text], list[Text]]:
        """Return the texts in this part twice, each in order: the plain ones of alternatives, and
        the HTML ones. A text without alternatives is in both lists."""
        kind = part.get_content_type()
        if part.get_content_maintype() == "message":
            return [], []  # another mail, or a report of one
        if part.is_multipart():
            parts: list[Any] = list(part.get_payload())
            texts = [self.of(inner) for inner in parts]
            if kind == "multipart/mixed":
                texts = texts[:1] + [(_marked(text), _marked(page)) for text, page in texts[1:]]
            if kind == "multipart/alternative":
                return _alternatives(parts, texts)
            return [t for plain, _ in texts for t in plain], [t for _, page in texts for t in page]
        text = self._of_leaf(part, kind)
        is_file = part.get_filename() or part.get_content_disposition() == "attachment"
        if text is not None and is_file:  # programs show it, or offer it as a file
            text = Text("", aside=f"{text.text}\n{text.aside}", is_cut=text.is_cut)
        return ([text], [text]) if text is not None else ([], [])

    def _of_leaf(self, part: Message, kind: str) -> Text | None:
        if kind == "text/plain":
            flowed = str(part.get_param("format", "")).lower() == "flowed"
            delsp = str(part.get_param("delsp", "")).lower() == "yes"
            return Text(_content(part), flowed, delsp)
        if kind == "text/html":
            content = _content(part)
            source = content[: self._html_left]
            self._html_left -= len(source)
            read = html_text.text_of(source)
            is_cut = read.is_cut or source != content
            return Text(read.text, below=read.below, aside=read.aside, is_cut=is_cut)
        if part.get_content_maintype() == "text" or kind == "application/rtf":
            return Text("", aside=_content(part))  # some programs show it
        return None


def _alternatives(
    parts: list[Any], texts: list[tuple[list[Text], list[Text]]]
) -> tuple[list[Text], list[Text]]:
    """Return the texts of the plain alternative, or of the others if it is empty; and the texts of
    the others, or of the plain one if there are none."""
    plain, pages = list[Text](), list[Text]()
    for part, (text, page) in zip(parts, texts, strict=True):
        if part.get_content_type() == "text/plain":
            plain += text
        else:
            pages += page
    if not any(text.text.strip() for text in plain):
        return pages, pages
    return plain, pages or plain


def _marked(texts: list[Text]) -> list[Text]:
    """Return the texts of a further part. A text that begins with a rule is marked as a signature:
    mailing lists and providers add such footers."""
    return [
        each._replace(text=f"-- \n{each.text}") if _FOOTER.match(each.text) else each
        for each in texts
    ]


def _content(part: Message) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    return decode(content, part.get_content_charset() or "utf-8")
