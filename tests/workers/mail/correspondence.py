"""Players who know the game from their mails alone, for tests."""

from email.message import EmailMessage
from functools import lru_cache
from itertools import count

from service.mail.mailbox import Mailbox, StoredMail
from tests.support.clock import Clock
from tests.workers.delivering import deliver
from tests.workers.match import Match
from workers.context import WorkerContext

_numbers = count()


def run(context: WorkerContext) -> None:
    """Deliver what is due, and what that leads to."""
    for _ in range(5):
        now = context.container.now()
        clock = context.container.now
        assert isinstance(clock, Clock)
        due = [notice.id for notice in context.container.log.outbox.pending() if notice.due <= now]
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
    return str(body.get_content()).replace("\N{NO-BREAK SPACE}", " ")


def flat(text: str) -> str:
    """The text on one line, without margins."""
    return " ".join(text.replace("\n| ", " ").split())


def held(match: Match) -> list[str]:
    """What the player to move may do, as action texts."""
    mover = match.now().player_to_move()
    return list(match.context.container.games.view(match.now(), mover)["legal"])


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
