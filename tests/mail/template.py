"""Replies as files: raw mails in which placeholders stand for our mail that they answer.

A file is a mail as its program writes it, but readable: this fills the placeholders from one of our
real mails, and encodes each part as its head says. `{{NAME STEP...}}` is a part of our mail, which
the steps change as the program does:

NAME        address, sender, subject, id: of its head. text: its plain text. html: what is in the
            body of its HTML. shown: the HTML as text, with links.
wrap=72     long lines are wrapped
>   |   >>  each line is marked
indent=4    each line is indented
flow        lines are wrapped as `format=flowed` has them
escape      as text within HTML
x_          classes and ids as Outlook on the web renames them
qp  base64  encoded, for a file that is taken as it is
"""

import html
import quopri
import re
import textwrap
from base64 import encodebytes
from collections.abc import Callable
from email.message import EmailMessage, Message
from email.parser import HeaderParser
from functools import lru_cache

Step = Callable[[str, str], str]


def filled(template: str, answered: EmailMessage) -> str:
    """The template with our mail in place of the placeholders."""
    parts = _parts_of(answered)

    def part(found: re.Match[str]) -> str:
        name, *steps = found[1].split(" ")
        text = parts[name]
        for step in steps:
            kind, _, value = step.partition("=")
            text = _STEPS[kind](text, value)
        return text

    return re.sub(r"\{\{(.+?)\}\}", part, template)


def encoded(mail: str) -> bytes:
    """The mail with each part encoded as its head says."""
    head, _, body = mail.partition("\n\n")
    described = HeaderParser().parsestr(head)
    kind = described.get_content_maintype()
    boundary = described.get_boundary()
    if boundary:
        return head.encode() + b"\n\n" + _multipart(body, boundary)
    if kind == "message":
        return head.encode() + b"\n\n" + encoded(body)
    return head.encode() + b"\n\n" + _leaf(body, described)


def _multipart(body: str, boundary: str) -> bytes:
    pieces = re.split(rf"(?m)^(--{re.escape(boundary)}(?:--)?)\n", body)
    result = pieces[0].encode()
    for line, content in zip(pieces[1::2], pieces[2::2], strict=True):
        is_last = line.endswith("--")
        result += line.encode() + b"\n" + (content.encode() if is_last else encoded(content))
    return result


def _leaf(body: str, head: Message) -> bytes:
    charset = head.get_content_charset() or "utf-8"
    is_text = head.get_content_maintype() == "text"
    unknown = "xmlcharrefreplace" if head.get_content_subtype() == "html" else "replace"
    content = body.encode(charset if is_text else "utf-8", unknown)
    match str(head.get("Content-Transfer-Encoding", "7bit")).lower():
        case "quoted-printable":
            return quopri.encodestring(content)
        case "base64":
            return encodebytes(content)
        case _:
            return content


@lru_cache(50)
def _parts_of(answered: EmailMessage) -> dict[str, str]:
    plain, source = answered.get_body(("plain",)), answered.get_body(("html",))
    assert plain is not None
    assert source is not None
    inner = re.search(r"<body[^>]*>\n(.*)\n</body>", str(source.get_content()), re.DOTALL)
    assert inner is not None
    return {
        "address": str(answered["Reply-To"]),
        "sender": "scottenbury@scottenbury.test",
        "subject": str(answered["Subject"]),
        "id": str(answered["Message-ID"]),
        "text": str(plain.get_content()).rstrip("\n"),
        "html": inner[1],
        "shown": _shown(inner[1]),
    }


def _shown(source: str) -> str:
    """HTML as mail programs write it for their plain text: cells of a row side by side."""
    linked = re.sub(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', r"\2 &lt;\1&gt;", source)
    cells = re.sub(r"</td>\s*<td[^>]*>", " ", linked)
    lines = re.sub(r"</(p|tr|h2|table)>|<br>", "\n", cells)
    bare = html.unescape(re.sub(r"<[^>]*>", "", lines.replace("</span>", " ")))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(" ".join(one.split()) for one in bare.split("\n")))


def _marked(mark: str) -> Step:
    def mark_all(text: str, value: str) -> str:
        return "\n".join(f"{mark} {line}".rstrip() for line in text.split("\n"))

    return mark_all


def _wrapped(text: str, value: str) -> str:
    lines = [textwrap.wrap(line, int(value)) or [""] for line in text.split("\n")]
    return "\n".join(part for parts in lines for part in parts)


def _flowed(text: str, value: str) -> str:
    lines = [textwrap.wrap(line, 66) or [""] for line in text.split("\n")]
    return "\n".join(" \n".join(parts) for parts in lines)


_STEPS: dict[str, Step] = {
    "wrap": _wrapped,
    "flow": _flowed,
    ">": _marked(">"),
    ">>": _marked(">>"),
    "|": _marked("|"),
    "indent": lambda text, value: textwrap.indent(text, " " * int(value)),
    "escape": lambda text, value: html.escape(text).replace("\n", "<br>\n"),
    "x_": lambda text, value: re.sub(r'\b(class|id)="', r'\1="x_', text),
    "qp": lambda text, value: quopri.encodestring(text.encode()).decode(),
    "base64": lambda text, value: encodebytes(text.encode()).decode(),
}
