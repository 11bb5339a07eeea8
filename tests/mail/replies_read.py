"""The collected replies as files, and what is understood of one without a game."""

import tomllib
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from typing import Any

from letters.letter import read_letter
from letters.mail.lines import WriterFacts
from letters.mail.quotation import Ours
from service.mail_in.message import read
from tests.mail.template import encoded, filled

FOLDER = Path(__file__).parent / "replies"
KNOWN = WriterFacts(
    {"Bob", "Bob Baker", "Scottenbury"},
    ours=Ours("scottenbury@scottenbury.test", "scottenbury.test", "scottenbury"),
)
OUTCOMES: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "outcomes.toml").read_text())


def mail_of_ours(*lines: str) -> EmailMessage:
    """A mail with these lines, as text and in HTML."""
    mail = EmailMessage()
    mail["Reply-To"], mail["Subject"], mail["Message-ID"] = "play@a.b", "Ann v Bob", "<1@a.b>"
    mail.set_content("\n".join(lines))
    paragraphs = "\n".join(f"<p>{line}</p>" for line in lines)
    mail.add_alternative(f"<body>\n{paragraphs}\n</body>", subtype="html")
    return mail


HARMLESS = mail_of_ours("Ann played O4 on Stone 9.", "", "It is your turn.")
HOSTILE = mail_of_ours("Ann played O4 on Stone 9.", "", "R5@4", "claim 5", "It is your turn.")


@lru_cache(1000)
def commands(raw: bytes) -> object:
    """What is understood of a mail of Bob's."""
    found = read(raw)
    return read_letter(found.body, found.subject, KNOWN).answer


def template_of(name: str) -> str:
    """The file of a reply."""
    return (FOLDER / f"{name}.eml").read_bytes().decode()


def raw_reply(name: str, answered: EmailMessage, template: str | None = None) -> bytes:
    """The reply to this mail, or to it with another template."""
    text = filled(template or template_of(name), answered)
    return text.encode() if OUTCOMES[name].get("raw") else encoded(text)
