"""A letter as a mail: its headers, its text and its HTML.

Every header but Date follows from the notice, so a mail that is sent again is the same mail.
"""

import textwrap
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, parseaddr
from typing import NamedTuple

from jinja2 import Environment, PackageLoader

from service.log import NoticeParts
from workers.letters import Letter, Section

WIDTH = 72
TOKENS = ("Message-ID", "In-Reply-To", "References", "List-Unsubscribe", "X-Scottenbury-Head")
MARGIN = "| "
"""In front of every line that tells of cards and moves. No line of ours may be read as a move when
somebody's answer quotes it: with this it never begins like one."""

templates = Environment(loader=PackageLoader("workers"), autoescape=True, trim_blocks=True)


class WholeTokens(EmailPolicy):
    """Leaves ids, links and hashes on one line. The library would break a long one in two, and
    write the halves in a code that no mail program looks for there."""

    def fold(self, name: str, value: str) -> str:
        return _line(name, value, self.linesep) or super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        return _line(name, value, self.linesep).encode() or super().fold_binary(name, value)


def _line(name: str, value: str, end: str) -> str:
    return f"{name}: {value}{end}" if name in TOKENS else ""


class Reader(NamedTuple):
    """To whom a mail goes: a name and an address."""

    name: str
    email: str


def compose(
    letter: Letter, notice: NoticeParts, to: Reader, sender: str, unsubscribe: str, at: datetime
) -> EmailMessage:
    """The mail for this notice. `sender` is `Name <address>`, `unsubscribe` a link.

    ValueError for an address that is none.
    """
    message = EmailMessage(policy=WholeTokens())
    from_name, from_address = parseaddr(sender)
    message["From"] = Address(from_name, addr_spec=from_address)
    message["To"] = Address(to.name, addr_spec=to.email)
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(at)
    for name, value in _identity(notice, from_address.rpartition("@")[2]).items():
        message[name] = value
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"] = f"<{unsubscribe}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message["X-Scottenbury-Game"] = notice.game
    if letter.head is not None:
        message["X-Scottenbury-Version"] = str(letter.version)
        message["X-Scottenbury-Head"] = letter.head
    message.set_content(_text(letter, unsubscribe), cte="quoted-printable")
    message.add_alternative(_html(letter, unsubscribe), subtype="html", cte="quoted-printable")
    return message


def _identity(notice: NoticeParts, domain: str) -> dict[str, str]:
    """The mail's own id, the same each time, and the root that makes a game one thread.

    The root itself is never sent: every mail answers it.
    """
    root = f"<{notice.game}@{domain}>"
    own = f"<{notice.game}.{notice.version}.{notice.recipient}.{notice.kind}@{domain}>"
    return {"Message-ID": own, "In-Reply-To": root, "References": root}


def _text(letter: Letter, unsubscribe: str) -> str:
    blocks = [
        letter.opening,
        *("\n".join(_section(section)) for section in letter.sections),
        f"{letter.link_text}:\n{letter.link}",
        *_proof(letter),
        f"No more mails of this kind:\n{unsubscribe}",
    ]
    return "\n\n".join(blocks) + "\n"


def _proof(letter: Letter) -> list[str]:
    """What the log has come to, for whoever checks it after the game."""
    if letter.head is None:
        return []
    told = f"{MARGIN}Version {letter.version} of the game. The hash of its log:"
    return [f"{told}\n{MARGIN}{letter.head}"]


def _section(section: Section) -> list[str]:
    lines = section.lines if section.drawn else _wrapped(section.lines)
    return [f"{section.title}:", *(f"{MARGIN}{line}".rstrip() for line in lines)]


def _wrapped(lines: list[str]) -> list[str]:
    width = WIDTH - len(MARGIN)
    return [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  ")]


def _html(letter: Letter, unsubscribe: str) -> str:
    template = templates.get_template("letter.html")
    return template.render(letter=letter, unsubscribe=unsubscribe)
