"""Letters as mail programs hand them in: quotation, parts, encodings and heads."""

import html
import re
from email import policy
from email.message import EmailMessage, MIMEPart
from email.parser import Parser
from functools import cache, lru_cache
from string import Template
from typing import NamedTuple

from tests.support.letters import HERE, Letter, entries

CHARSETS = {
    "ascii": "us-ascii",
    "big5": "big5",
    "cp1252": "windows-1252",
    "jis": "iso-2022-jp",
    "koi8": "koi8-r",
    "latin1": "iso-8859-1",
    "utf16": "utf-16",
}
TRANSFERS = {"base64": "base64", "qp": "quoted-printable"}
PIXEL = bytes.fromhex("47494638396101000100800000000000ffffff2c00000000010001000002024401003b")


class Answered(NamedTuple):
    """The mail of ours that a letter answers, and who answers it."""

    sender: str
    reply_to: str
    message_id: str
    subject: str
    text: str
    html: str
    me: str = "ada@example.org"


def sent(letter: Letter, answered: Answered) -> bytes:
    """The mail; the same each time."""
    words = _words(answered)
    if "raw" in letter.sections:
        return _fill(letter.sections["raw"], words).encode()
    message = _with_parts(letter, *_texts(letter, words))
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"={letter.id}={number}")
    return _head(answered, letter) + message.as_bytes(policy=policy.SMTP)


@lru_cache(50)
def _words(answered: Answered) -> dict[str, str]:
    lines = answered.text.rstrip("\n").split("\n")
    inner = re.search(r"<body[^>]*>(.*)</body>", answered.html, re.DOTALL)
    return answered._asdict() | {
        "marked": "\n".join(f"> {line}".rstrip() for line in lines),
        "unmarked": "\n".join(lines),
        "indented": "\n".join(f"  {line}".rstrip() for line in lines),
        "glued": "".join(lines),
        "original": inner[1] if inner else answered.html,
    }


def _fill(template: str, words: dict[str, str]) -> str:
    return Template(template).safe_substitute(words)


def _texts(letter: Letter, words: dict[str, str]) -> tuple[str, str]:
    """The plain text and the HTML, empty where the letter has none."""
    layout, head = _frames()[letter.frame]
    plain, line, page = re.split(r"^@line (.*)$\n@html\n", _layouts()[layout], flags=re.MULTILINE)
    below = letter.sections.get("below", "").rstrip("\n")
    head = _fill(head, words)
    rich = letter.sections.get("html") or _lines_of_html(letter.own, line)
    texts = {"own": letter.own, "head": head, "below": below}
    texts |= {f"glued_{name}": text.replace("\n", "") for name, text in texts.items()}
    pages = {"own": rich, "head": html.escape(head).replace("\n", "<br>\n")}
    pages["below"] = _lines_of_html(below, line) if below else ""
    if "bare" in letter.flags:
        return letter.own + "\n", rich
    text = _fill(plain, words | texts).lstrip("\n")
    return text, "" if "plain" in letter.flags else _fill(page, words | pages)


@cache
def _frames() -> dict[str, tuple[str, str]]:
    """For each program and language: its layout, and the head that it puts above a quotation."""
    lines = (HERE / "frames.txt").read_text("utf-8").splitlines()
    rows = [line.split(" | ", 2) for line in lines if line and not line.startswith("#")]
    return {name: (layout, head.replace("¶", "\n")) for name, layout, head in rows}


@cache
def _layouts() -> dict[str, str]:
    return dict(entries(HERE / "layouts.txt"))


def _lines_of_html(own: str, line: str) -> str:
    lines = (html.escape(each, quote=False) or "<br>" for each in own.split("\n"))
    return "".join(line.replace("$line", each) for each in lines)


def _with_parts(letter: Letter, text: str, rich: str) -> EmailMessage:
    flags, message = letter.flags, EmailMessage(policy=policy.SMTP)
    if "htmlonly" in flags:
        _fill_in(message, rich, "html", flags)
        return message
    _fill_in(message, text, "plain", flags)
    for flag, name, value in (("flowed", "format", "flowed"), ("delsp", "delsp", "yes")):
        if flag in flags:
            message.set_param(name, value)
    if rich.strip():
        message.make_alternative()
        page = MIMEPart(policy=policy.SMTP)
        _fill_in(page, rich, "html", flags)
        message.attach(page)
    _attach(message, flags)
    return message


def _fill_in(part: MIMEPart, text: str, subtype: str, flags: frozenset[str]) -> None:
    charset = next((CHARSETS[flag] for flag in flags & CHARSETS.keys()), "utf-8")
    transfer = next((TRANSFERS[flag] for flag in flags & TRANSFERS.keys()), None)
    errors = "xmlcharrefreplace" if subtype == "html" else "replace"
    data = text.encode(charset, errors)
    if transfer == "base64" or charset == "utf-16":  # the library breaks lines between bytes
        data = text.replace("\n", "\r\n").encode(charset, errors)
        part.set_content(data, "text", subtype, params={"charset": charset})
        return
    part.set_content(data.decode(charset), subtype, charset=charset, cte=transfer)


def _attach(message: EmailMessage, flags: frozenset[str]) -> None:
    if "logo" in flags:
        shown = message.get_body(("html",))
        assert isinstance(shown, MIMEPart)
        shown.add_related(PIXEL, "image", "gif", cid="<logo@example.org>", filename="logo.gif")
    if "attach" in flags:
        message.add_attachment(b"%PDF-1.4 R9@9", "application", "pdf", filename="scan.pdf")
    if "footer" in flags:
        message.add_attachment("This mail was scanned.\n", filename="footer.txt")


def _head(answered: Answered, letter: Letter) -> bytes:
    """The fields that say from whom to whom the mail is, each with its line end."""
    head = {
        "From": f"Ada King <{answered.me}>",
        "To": answered.reply_to,
        "Subject": f"Re: {answered.subject}",
        "Date": "Sat, 21 Nov 2026 13:30:00 +0000",
        "Message-ID": f"<{letter.id}@mail.example.org>",
        "In-Reply-To": answered.message_id,
        "References": answered.message_id,
    }
    if "head" not in letter.sections:  # then the library need not read and encode them
        return "".join(f"{name}: {value}\r\n" for name, value in head.items()).encode("ascii")
    message = EmailMessage(policy=policy.SMTP)
    given = Parser(policy=policy.SMTP).parsestr(letter.sections["head"])
    for name, value in (head | dict(given.items())).items():
        message[name] = value
    return message.as_bytes().removesuffix(b"\r\n")
