"""Reads the text of a mail, and a mail server's delivery report in it.

The library takes quadratic time for long fields and endless time for many parts, so fields are cut
and HTML is read within a budget for the whole mail. A mail may still be hard to read in a way that
nobody has thought of: `apart.py` reads large ones in a child process.

Of a head it decodes the text, recognises mails that no person wrote (nobody answers them, or two
machines would go on for ever), and parses a mail server's report about a mail that it could not
deliver (RFC 3464).
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import HeaderParser
from email.policy import compat32
from re import fullmatch, search
from typing import Any, Final, Literal, NamedTuple

from letters.mail import html_text

_REFUSED: Final = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7")
"""Encodings that are not decoded: slow ones, ones that no mail is written in, and one that hides
plain letters from readers (UTF-7)."""


def decoded(text: str) -> str:
    """Return the first 500 characters of a header with its encoded words (RFC 2047) decoded."""
    parts = [
        (part if isinstance(part, str) else decode(part, charset or "ascii"))
        for part, charset in decode_header(text[:500])
    ]
    return " ".join("".join(parts).split())


def decode(content: bytes, charset: str) -> str:
    """Decode bytes in this charset; in UTF-8, or else Latin-1, if the charset is unknown or
    refused. A byte that cannot be decoded becomes a replacement character."""
    try:
        if (codec := codecs.lookup(charset).name) not in _REFUSED:
            return content.decode(codec, "replace")
    except (LookupError, ValueError, AssertionError):
        pass
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


HOPS: Final = 50
"""A mail that passed more servers than this goes in circles."""
_BULK: Final = re.compile(r"bulk|junk|list|auto[-_]?reply", re.IGNORECASE)
_ROBOTS: Final = re.compile(
    r"(mailer-?daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+._-].*)?@", re.IGNORECASE
)
_AUTO_HEADERS: Final = ("X-Autoreply", "X-Autorespond", "X-Auto-Response", "X-Mail-Autoreply")
_LIST_HEADERS: Final = (
    "List-Id",
    "List-Unsubscribe",
    "List-Post",
    "Mailing-List",
    "X-Mailing-List",
)
_OURS: Final = "X-Scottenbury-Game"
_AWAY: Final = re.compile(
    r"""\s*(auto(matic|mated)?[ -]?(reply|response)|auto:|out\ of\ (the\ )?office|
    automatische\ antwort|abwesen|abwesenheit|r[ée]ponse\ automatique|absence\ du\ bureau|
    respuesta\ autom[áa]tica|fuera\ de\ la\ oficina|risposta\ automatica|resposta\ autom[áa]tica|
    automatisch\ antwoord|afwezig|autosvar|automatiskt\ svar|automaattinen\ vastaus|
    automatyczna\ odpowied|automatick[áa]\ odpov|автоматический\ ответ|автоответ|
    自动回复|自動回覆|自動応答|자동\ ?회신|undeliver|delivery\ status|mail\ delivery\ fail|
    returned\ mail|failure\ notice|unzustellbar)""",
    re.IGNORECASE | re.VERBOSE,
)


def reason(message: Message, sender: str | None) -> str | None:
    """Return why this mail is not from a person, as the label that counts it; None if it is from a
    person."""
    if message.get_content_type() == "multipart/report":
        return "bounce"
    if message[_OURS] is not None or len(message.get_all("Received", [])) > HOPS:
        return "loop"
    if str(message.get("Return-Path", "")).strip() == "<>":
        return "bounce"
    if any(message[name] is not None for name in _LIST_HEADERS):
        return "list"
    submitted = str(message.get("Auto-Submitted", "no")).partition(";")[0].strip().lower()
    answers = any(message[name] is not None for name in _AUTO_HEADERS)
    bulk = _BULK.fullmatch(str(message.get("Precedence", "")).strip())
    away = _AWAY.match(decoded(str(message.get("Subject", ""))))
    if submitted != "no" or answers or bulk or away or (sender and _ROBOTS.match(sender)):
        return "automatic"
    return None


_LONGEST: Final = 300
_LONGEST_HEAD: Final = 20_000
_MOST: Final = 20
_POLICY: Final = r"5\.7\..+|5\.1\.[78]"
"""Matches status codes that do not blame the address: its mail server refuses this mail, this
server or our sender (RFC 3463)."""


class DeliveryReport(NamedTuple):
    """How the delivery of a mail ended.

    `result` is `for_good` if the address does not work, `policy` if a rule refused the mail. `said`
    is the mail server's reason. `of` is the Message-ID of the mail, None if the report lacks its
    head.
    """

    result: Literal["for_good", "policy", "temporary", "delivered"]
    said: str
    of: str | None = None


def read_report(message: Message) -> DeliveryReport | None:
    """Return the report in this mail, None if there is none. Of several recipients the worst result
    counts."""
    if message.get_content_type() != "multipart/report":
        return None
    # Its own parts only: the mail that came back may hold a report too.
    parts: Any = message.get_payload() if message.is_multipart() else []
    reports = filter(None, (_of_recipient(fields) for fields in _recipients(parts)))
    order = ("for_good", "policy", "temporary", "delivered")
    worst = min(reports, key=lambda one: order.index(one.result), default=None)
    return worst and worst._replace(of=_returned(parts))


def _returned(parts: Sequence[Message]) -> str | None:
    """Return the Message-ID of the mail that came back, without brackets; None if its head is
    missing."""
    for part in parts:
        if part.get_content_type() == "message/rfc822" and part.is_multipart():
            inner: Any = part.get_payload()
            head = inner[0]
        elif part.get_content_type() in ("text/rfc822-headers", "text/rfc822"):
            head = HeaderParser(policy=compat32).parsestr(str(part.get_payload())[:_LONGEST_HEAD])
        else:
            continue
        match = search(r"<([^<>\s]{1,250})>", str(head.get("Message-ID", "")))
        return match[1] if match else None
    return None


def _recipients(parts: Sequence[Message]) -> Iterator[Message]:
    """Yield the groups of fields in each report: first one for the whole mail, then one a
    recipient."""
    for part in parts:
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            fields: Any = part.get_payload()
            yield from fields[:_MOST]


def _of_recipient(fields: Message) -> DeliveryReport | None:
    action = str(fields.get("Action", "")).strip().lower()
    status = str(fields.get("Status", "")).strip().partition(" ")[0]
    if not action or not fullmatch(r"[245]\.\d{1,3}\.\d{1,3}", status):
        return None
    said = str(fields.get("Diagnostic-Code", "")).partition(";")[2]
    words = " ".join(f"{status} {said}".split())[:_LONGEST]
    printable = "".join(c for c in words if c.isprintable())
    if action == "failed" and status.startswith("5."):
        policy = fullmatch(_POLICY, status) is not None
        return DeliveryReport("policy" if policy else "for_good", printable)
    if action in ("failed", "delayed"):
        return DeliveryReport("temporary", printable)
    return DeliveryReport("delivered", printable)


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
