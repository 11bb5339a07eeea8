"""Players who know the game from their mails alone, for tests."""

import re
from collections.abc import Callable
from email.message import EmailMessage
from functools import lru_cache
from itertools import count
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from letters.inert import UNSEEN_MARK
from service.mail.mailbox import Mailbox, StoredMail
from tests.support.clock import Clock
from tests.workers.delivering import deliver
from tests.workers.match import Match
from workers.context import WorkerContext
from workers.mail.mailer import Message

_numbers = count()


def run(
    context: WorkerContext, is_read: Callable[[str], bool] = lambda notice: True, steps: int = 5
) -> None:
    """Deliver what is due, and what that leads to in so many steps, if anybody reads it."""
    for _ in range(steps):
        now = context.container.now()
        clock = context.container.now
        assert isinstance(clock, Clock)
        pending = context.container.log.outbox.pending()
        due = [notice.id for notice in pending if notice.due <= now and is_read(notice.id)]
        if not due:
            return
        for notice in due:
            clock.time += 1  # so that the mailbox has an order
            deliver(context, notice)


@lru_cache(2000)
def _read(stored: StoredMail) -> EmailMessage:
    """Each mail once: the library takes its time."""
    return stored.message


def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return seen(str(body.get_content()))


def seen(text: str) -> str:
    """The text as it looks to the eye."""
    return text.replace("\N{NO-BREAK SPACE}", " ").replace(UNSEEN_MARK, "")


def flat(text: str) -> str:
    """The text on one line, without margins."""
    return " ".join(text.replace("\n| ", " ").split())


def held(match: Match) -> list[str]:
    """What the player to move may do, as action texts."""
    mover = match.now().player_to_move()
    return list(match.context.container.games.view(match.now(), mover).legal)


def counts(match: Match) -> dict[str, int]:
    """How many mails came in, by how each ended."""
    return match.context.container.incoming_mail.counts()


class Correspondent:
    """Somebody with an address, who answers the latest mail there."""

    def __init__(self, context: WorkerContext, mailbox: Mailbox, email: str) -> None:
        self.context = context
        self.mailbox = mailbox
        self.email = email

    def mails(self) -> list[EmailMessage]:
        """Newest first."""
        found = [_read(stored) for stored in self.mailbox.newest(500)]
        return [mail for mail in found if self.email in str(mail["To"])]

    @property
    def latest(self) -> EmailMessage:
        return self.mails()[0]

    def answer(
        self,
        text: str,
        to: str | None = None,
        message_id: str | None = None,
        sender: str = "",
        envelope: str | None = None,
        **headers: str,
    ) -> str:
        """Answer, let it be carried out, and give the latest mail then, on one line."""
        said = self.latest if self.mails() else EmailMessage()
        message = EmailMessage()
        message["From"] = sender or self.email
        message["To"] = to or str(said["Reply-To"])
        message["Subject"] = f"Re: {said['Subject']}"
        message["Message-ID"] = message_id or f"<{next(_numbers)}@example.org>"
        message["In-Reply-To"] = str(said["Message-ID"])
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        quote = "\n".join(f"> {line}" for line in text_of(said).split("\n")) if said else ""
        message.set_content(f"{text}\n\nOn Sat, Nov 21, 2026, Scottenbury wrote:\n{quote}\n")
        incoming = self.context.container.incoming_mail
        incoming.accept(
            str(message["To"]), self.email if envelope is None else envelope, message.as_bytes()
        )
        run(self.context)
        return flat(text_of(self.latest)) if self.mails() else ""


def kinds(of: Correspondent) -> list[str]:
    """What mails came, newest first."""
    return [str(mail["Message-ID"]).partition("@")[0].split(".")[-1] for mail in of.mails()]


def answered_late(match: Match, bob: Correspondent) -> None:
    """Bob's turn comes in by mail, and Ann plays hers before his mail is answered."""
    raw = f"From: {bob.email}\nMessage-ID: <x@y>\n\n{held(match)[0]}\n".encode()
    match.context.container.incoming_mail.accept(str(bob.latest["Reply-To"]), bob.email, raw)
    (notice,) = [notice for notice in match.due() if "mail-in" in notice]
    deliver(match.context, notice)
    match.play(held(match)[0])
    assert match.now().player_to_move() == match.bob


def links(mail: EmailMessage) -> dict[str, tuple[str, str]]:
    """Each link to an answer by what it says: the address, and the text that it opens."""
    body = mail.get_body(("html",))
    assert body is not None
    found = re.findall(r'<a [^>]*href="(mailto:[^"]+)"[^>]*>([^<]+)</a>', str(body.get_content()))
    opened = {}
    for href, said in found:
        parts = urlsplit(href.replace("&amp;", "&"))
        fields = parse_qs(parts.query, keep_blank_values=True, strict_parsing=True)
        assert set(fields) == {"subject", "body"}
        opened[said.replace("\N{NO-BREAK SPACE}", " ")] = unquote(parts.path), fields["body"][0]
    return opened


def send(match: Match, sender: str, address: str, text: str) -> None:
    """A new mail, which quotes nothing and answers nothing."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, address, "Scottenbury"
    message["Message-ID"] = f"<{len(text)}.{match.now().version}@example.org>"
    message.set_content(text)
    match.context.container.incoming_mail.accept(address, sender, message.as_bytes())
    run(match.context)


class KeepingMailer:
    """Keeps the last mail as it would go out."""

    needs_address = False
    kept: Message

    def send(self, message: Message) -> None:
        self.kept = message


class Pair(NamedTuple):
    """A match, its players, who answer their mails, and the clock."""

    match: Match
    ann: Correspondent
    bob: Correspondent
    clock: Clock
