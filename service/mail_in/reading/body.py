"""The text of a mail, and what a mail server reports in it.

The library takes quadratic time for long fields and endless for many parts, so fields are cut and
HTML is read within a budget for the whole mail. Even so a mail may hold what nobody has thought of:
`apart.py` reads large ones in a process of its own.
"""

import re
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message
from typing import Any, Final, NamedTuple

from service.mail_in.reading import html_text
from service.mail_in.reading.delivery_report import DeliveryReport, read_report
from service.mail_in.reading.headers import decode

MAX_PARTS: Final = 100
MAX_TEXT: Final = 64 * 1024
"""Characters of text that are read. Below it lie quotations of quotations."""
MAX_HTML: Final = 256 * 1024
"""Characters of HTML that are read, in all parts together."""
_LONGEST_FIELD: Final = 2000
_ENCRYPTED: Final = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


class Text(NamedTuple):
    """The text of a mail; `flowed` and `delsp` say how its lines continue (RFC 3676).

    Of HTML, `below` is what stands where a copy of another mail has begun. `aside` is what some
    programs show and others do not.
    """

    text: str
    flowed: bool = False
    delsp: bool = False
    below: str = ""
    aside: str = ""


class ReadBody(NamedTuple):
    """`page` is the HTML of a mail that holds the same as plain `text` too: a program shows either,
    so both have to say it. `problem` is `encrypted`, `no-text`, `unreadable` or `given-up` where
    there is no text to read. `report` is a mail server's, of a mail that it could not deliver."""

    text: Text
    page: Text | None = None
    problem: str | None = None
    report: DeliveryReport | None = None


_FOOTER: Final = re.compile(r"\s*[-_]{3,}\s*\n")
UNREADABLE: Final = ReadBody(Text(""), problem="unreadable")
GIVEN_UP: Final = ReadBody(Text(""), problem="given-up")
"""Of a mail that processes have died over."""


class _Part(Message):
    """A mail or a part of one, whose fields are cut to a length that takes no time to read."""

    def get(self, name: str, failobj: Any = None) -> Any:
        """The field's value, cut."""
        value = super().get(name, failobj)
        return value if value is failobj else str(value)[:_LONGEST_FIELD]


def read_body(lines: bytes) -> ReadBody:
    """The body of a mail with plain line ends; `UNREADABLE` where it is out of form."""
    try:
        message = message_from_bytes(lines, _class=_Part, policy=policy.compat32)
        if sum(1 for _ in message.walk()) > MAX_PARTS:
            return UNREADABLE
        text, page, problem = _text(message)
        return ReadBody(text, page, problem, read_report(message))
    except (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        # The library raises all kinds of errors for what is out of form.
        return UNREADABLE


def _text(message: Message) -> tuple[Text, Text | None, str | None]:
    kinds = {part.get_content_type() for part in message.walk()}
    if kinds.intersection(_ENCRYPTED) and not _is_signed_only(message):
        return Text(""), None, "encrypted"
    plain, pages = _Texts().of(message)
    text = _joined(plain)
    if "-----BEGIN PGP MESSAGE-----" in text.text:
        return Text(""), None, "encrypted"
    page = _joined(pages) if pages != plain else None
    is_empty = not text.text.strip() and not (page and page.text.strip())
    return text, page, "no-text" if is_empty else None


def _joined(texts: list[Text]) -> Text:
    joined, below, aside = (
        (
            "\n".join(part)[:MAX_TEXT]
            for part in zip(*((each.text, each.below, each.aside) for each in texts), strict=True)
        )
        if texts
        else ("", "", "")
    )
    flowed = all(text.flowed for text in texts)
    return Text(joined, flowed, flowed and all(text.delsp for text in texts), below, aside)


def _is_signed_only(message: Message) -> bool:
    """Whether the text can be read beside the signature, which is then a part of its own."""
    return message.get_content_type() == "multipart/signed"


class _Texts:
    """Reads the texts for people in a mail, each part once, HTML within one budget."""

    def __init__(self) -> None:
        self._html_left = MAX_HTML

    def of(self, part: Message) -> tuple[list[Text], list[Text]]:
        """The texts in this part, in their order: as plain text where there are alternatives, and
        as HTML."""
        kind = part.get_content_type()
        if part.get_content_maintype() == "message":
            return [], []  # another mail, or a report of one
        if part.is_multipart():
            parts: list[Any] = list(part.get_payload())
            found = [self.of(inner) for inner in parts]
            if kind == "multipart/mixed":
                found = found[:1] + [(_marked(text), _marked(page)) for text, page in found[1:]]
            if kind == "multipart/alternative":
                return _alternatives(parts, found)
            return [t for plain, _ in found for t in plain], [t for _, page in found for t in page]
        text = None
        if part.get_content_disposition() != "attachment":
            text = self._of_leaf(part, kind)
            if text is not None and part.get_filename():  # programs show it, or offer it as a file
                text = Text("", aside=f"{text.text}\n{text.aside}")
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
            read = html_text.text_of(source, is_whole=source == content)
            return Text(read.text, below=read.below, aside=read.aside)
        return None


def _alternatives(
    parts: list[Any], found: list[tuple[list[Text], list[Text]]]
) -> tuple[list[Text], list[Text]]:
    """Those of the plain part, where it holds anything, and of all others."""
    plain, pages = list[Text](), list[Text]()
    for part, (text, page) in zip(parts, found, strict=True):
        if part.get_content_type() == "text/plain":
            plain += text
        else:
            pages += page
    if not any(text.text.strip() for text in plain):
        return pages, pages
    return plain, pages or plain


def _marked(texts: list[Text]) -> list[Text]:
    """The texts of a further part; as a signature where they begin with a line: lists and providers
    add such footers."""
    return [
        each._replace(text=f"-- \n{each.text}") if _FOOTER.match(each.text) else each
        for each in texts
    ]


def _content(part: Message) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    return decode(content, part.get_content_charset() or "utf-8")
