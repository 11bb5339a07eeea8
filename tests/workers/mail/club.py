"""A player whose mail is counted, and her games."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from math import inf
from typing import NamedTuple
from zoneinfo import ZoneInfo

from service.accounts.mail_preferences import Subscription
from service.core.redis.client import Client
from service.core.times import MINUTE
from service.games import NewGame
from service.mail.mailbox import Mailbox, StoredMail
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.delivering import deliver_together
from tests.workers.match import registered
from workers.context import WorkerContext, build_context
from workers.mail.mailer import MailboxMailer, Message

BERLIN = "Europe/Berlin"


class Sent(NamedTuple):
    at: float
    kind: str
    subject: str
    text: str

    def hour(self, where: str = BERLIN) -> int:
        return datetime.fromtimestamp(self.at, ZoneInfo(where)).hour


class RecordingMailer:
    """Keeps what is sent, and when; fails while it is `broken`."""

    needs_address = True

    def __init__(self, mailbox: Mailbox, clock: Clock) -> None:
        self._mailbox = MailboxMailer(mailbox)
        self._clock = clock
        self.broken = False
        self.sent: list[tuple[float, Message]] = []

    def send(self, message: Message) -> None:
        if self.broken:
            raise OSError("the mail server is away")
        self.sent.append((self._clock(), message))
        self._mailbox.send(message)


class Club:
    """Ann, whose mail is counted, and her games against Bob."""

    def __init__(self, redis: Client, clock: Clock) -> None:
        self.clock = clock
        self.mailer = RecordingMailer(Mailbox(redis, clock), clock)
        self.context: WorkerContext = build_context(settings(), redis, clock, self.mailer)
        self.container = self.context.container
        self.preferences = self.container.mail_preferences
        self.ann, self.bob = (registered(self.context, name) for name in ("Ann", "Bob"))
        self.client = create_app(settings(), redis, clock).test_client()
        self.turn_off_everything(self.bob)
        self.preferences.turn_off(Subscription(self.ann, "reminder"))
        for notice in self.container.log.outbox.pending():
            self.container.log.outbox.finish(notice.id)

    def turn_off_everything(self, player: str) -> None:
        self.preferences.set_choice(player, {"delivery": "off"})

    def choose(self, **chosen: str | None) -> None:
        self.preferences.set_choice(self.ann, chosen)

    def begin(self, **options: object) -> str:
        """A new game, in which Bob has played and it is Ann's turn; her mail is not sent yet."""
        wanted = NewGame(first_player="creator", opponent=self.ann, **options)  # type: ignore[arg-type]
        made = self.container.games.create(self.bob, wanted)
        self.container.games.join(made.id, self.ann)
        for notice in self.container.log.outbox.pending():
            if notice.id.startswith(made.id):
                self.container.log.outbox.finish(notice.id)
        self.play(made.id, self.bob)
        return made.id

    def play(self, game: str, player: str) -> None:
        """A whole turn of this player."""
        games = self.container.games
        while (stored := games.load(game)).player_to_move() == player:
            games.play(game, player, [games.view(stored, player).legal[0]])

    def both_play(self, game: str) -> None:
        """Ann plays as if by mail, which is no visit, and Bob answers."""
        self.play(game, self.ann)
        self.play(game, self.bob)

    def deliver(self) -> Counter[str]:
        """Deliver what is due; what became of it."""
        found: Counter[str] = Counter()
        while due := self.container.log.outbox.claim(100, 60, "mail"):
            found.update(deliver_together(self.context, due))
        return found

    def wait(self, seconds: float, step: float = 10 * MINUTE) -> None:
        end = self.clock.time + seconds
        self.deliver()
        due = self._next_mail()
        while self.clock.time < end:
            self.clock.time = min(end, self.clock.time + step)
            if due <= self.clock.time:
                self.deliver()
                due = self._next_mail()

    def _next_mail(self) -> float:
        """When the next mail is due; nothing else is delivered here."""
        pending = self.container.log.outbox.pending()
        return min((each.due for each in pending if ".mail." in each.id), default=inf)

    def visit(self) -> None:
        """Ann opens the front page."""
        session = self.container.tokens.open_session(self.ann, "a browser")
        self.client.set_cookie("scottenbury_session", session)
        assert self.client.get("/").status_code == 200

    @property
    def sent(self) -> list[Sent]:
        return list(self._sent())

    def _sent(self) -> Iterator[Sent]:
        shown = {mail.id: mail for mail in self._mails()}
        for at, message in self.mailer.sent:
            mail = shown[message.id].message
            body = mail.get_body(("plain",))
            assert body is not None
            kind = message.id.partition("@")[0].rpartition(".")[2]
            text = body.get_content().replace("\N{NO-BREAK SPACE}", " ")
            yield Sent(at, kind, str(mail["Subject"]), text)

    def _mails(self) -> list[StoredMail]:
        return Mailbox(self.container.redis, self.clock).newest()
