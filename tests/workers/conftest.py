"""A context over a real Redis, and a game between two players whose notices it delivers."""

import socket
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from service.accounts.email_addresses import Claim
from service.core.redis.client import Client
from service.games import NewGame, StoredGame
from service.mail.mailbox import Mailbox, StoredMail
from tests.service.clock import Clock
from tests.service.settings import settings
from tests.workers.mailserver import MailServer
from workers.context import WorkerContext, build_context
from workers.mail.mailer import SmtpMailer

SECRET = "5e" * 32


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def context(redis: Client, clock: Clock) -> WorkerContext:
    """Mail goes to the local mailbox."""
    return build_context(settings(), redis, clock)


@pytest.fixture
def mailbox(redis: Client) -> Mailbox:
    return Mailbox(redis)


@pytest.fixture
def mailserver() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


@pytest.fixture
def smtp_context(redis: Client, clock: Clock, mailserver: MailServer) -> WorkerContext:
    """Mail goes to a mail server."""
    return build_context(settings(), redis, clock, SmtpMailer(mailserver.url))


@pytest.fixture
def closed_port() -> int:
    """A port of this machine where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Match(NamedTuple):
    """Ann (north, who plays first) against Bob."""

    context: WorkerContext
    id: str
    ann: str
    bob: str

    def play(self, *turns: str) -> StoredGame:
        """Turns of whoever is to move."""
        for turn in turns:
            mover = self.now().player_to_move()
            assert mover is not None
            self.context.container.games.play(self.id, mover, turn.split())
        return self.now()

    def now(self) -> StoredGame:
        return self.context.container.games.load(self.id)

    def due(self) -> list[str]:
        """The notices that are not finished."""
        return sorted(notice.id for notice in self.context.container.log.outbox.pending())


def registered(context: WorkerContext, name: str) -> str:
    """The id of a new player whose address, NAME@example.org, is verified."""
    email = f"{name.lower()}@example.org"
    player = context.container.players.register(name, email).player
    assert context.container.players.verify(Claim(player.id, email, expires=0))
    return player.id


def begin(context: WorkerContext, **options: object) -> Match:
    """A new match that has just begun, and Ann knows it: no notice is due."""
    ann, bob = (registered(context, name) for name in ("Ann", "Bob"))
    wanted = NewGame(first_player="creator", salt="a", **options)  # type: ignore[arg-type]
    made = context.container.games.create(ann, wanted, secret=SECRET)
    invite = context.container.games.invitations.token(made.id)
    context.container.games.join(made.id, bob, invite=invite, salt="b")
    match = Match(context, made.id, ann, bob)
    for notice in match.due():
        context.container.log.outbox.finish(notice)
    return match


@pytest.fixture
def match(context: WorkerContext) -> Match:
    return begin(context)


def only(mails: list[StoredMail]) -> StoredMail:
    (mail,) = mails
    return mail
