"""An office over a real Redis, and a game between two players whose notices it delivers."""

import socket
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from service.accounts.email_addresses import Claim
from service.core.redis.client import Client
from service.games import NewGame, StoredGame
from service.mail.mailbox import Mail, Mailbox
from tests.service.clock import Clock
from tests.service.settings import settings
from tests.workers.mailserver import MailServer
from workers.context import Office, furnish
from workers.mail.transport import SmtpPost

SECRET = "5e" * 32


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def office(redis: Client, clock: Clock) -> Office:
    """Mail goes to the local mailbox."""
    return furnish(settings(), redis, clock)


@pytest.fixture
def mailbox(redis: Client) -> Mailbox:
    return Mailbox(redis)


@pytest.fixture
def mailserver() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


@pytest.fixture
def smtp_office(redis: Client, clock: Clock, mailserver: MailServer) -> Office:
    """Mail goes to a mail server."""
    return furnish(settings(), redis, clock, SmtpPost(mailserver.url))


@pytest.fixture
def closed_port() -> int:
    """A port of this machine where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Match(NamedTuple):
    """Ann (north, who plays first) against Bob."""

    office: Office
    id: str
    ann: str
    bob: str

    def play(self, *turns: str) -> StoredGame:
        """Turns of whoever is to move."""
        for turn in turns:
            mover = self.now().player_to_move()
            assert mover is not None
            self.office.games.play(self.id, mover, turn.split())
        return self.now()

    def now(self) -> StoredGame:
        return self.office.games.load(self.id)

    def due(self) -> list[str]:
        """The notices that are not finished."""
        return sorted(notice.id for notice in self.office.log.pending())


def registered(office: Office, name: str) -> str:
    """The id of a new player whose address, NAME@example.org, is verified."""
    email = f"{name.lower()}@example.org"
    player = office.players.register(name, email).player
    assert office.players.verify(Claim(player.id, email, expires=0))
    return player.id


def begin(office: Office, **options: object) -> Match:
    """A new match that has just begun, and Ann knows it: no notice is due."""
    ann, bob = (registered(office, name) for name in ("Ann", "Bob"))
    wanted = NewGame(first_player="creator", salt="a", **options)  # type: ignore[arg-type]
    made = office.games.create(ann, wanted, secret=SECRET)
    invite = office.games.invitations.token(made.id)
    office.games.join(made.id, bob, invite=invite, salt="b")
    match = Match(office, made.id, ann, bob)
    for notice in match.due():
        office.log.finish_notice(notice)
    return match


@pytest.fixture
def match(office: Office) -> Match:
    return begin(office)


def only(mails: list[Mail]) -> Mail:
    (mail,) = mails
    return mail
