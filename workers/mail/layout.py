"""A letter as a mail: its headers, its text and its HTML.

Every header but Date follows from the notice, so a mail that is sent again is the same mail.
"""

import textwrap
from datetime import datetime
from email.utils import format_datetime, parseaddr

from jinja2 import Environment, PackageLoader

from service.eventlog import NoticeParts
from workers.mail.game import Letter, Section
from workers.mail.message import Address, Body, Message, build

WIDTH = 72
MARGIN = "| "
"""In front of every line that tells of cards and moves. No line of ours may be read as a move when
somebody's answer quotes it: with this it never begins like one."""

templates = Environment(loader=PackageLoader("workers"), autoescape=True, trim_blocks=True)


def compose(
    letter: Letter, notice: NoticeParts, to: Address, sender: str, unsubscribe: str, at: datetime
) -> Message:
    """The mail for this notice. `sender` is `Name <address>`, `unsubscribe` a link.

    Raises `UnsafeMail`.
    """
    own = Address(*parseaddr(sender))
    headers = {
        "Date": format_datetime(at),
        **_identity(notice, own.email.rpartition("@")[2]),
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{unsubscribe}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "X-Scottenbury-Game": notice.game,
    }
    if letter.head is not None:
        headers["X-Scottenbury-Version"] = str(letter.version)
        headers["X-Scottenbury-Head"] = letter.head
    body = Body(_text(letter, unsubscribe), _html(letter, unsubscribe))
    return build(own, to, letter.subject, headers, body)


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
