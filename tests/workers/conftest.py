"""A context over a real Redis, and a game between two players whose notices it delivers."""

from collections.abc import Iterator

import pytest

from service.core.redis.client import Client
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.ports import free_port
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.workers.match import Match, begin
from workers.context import WorkerContext, build_context
from workers.mail.mailer import SmtpMailer


@pytest.fixture
def url(redis_server: SocketServer) -> str:
    """Where Redis is, for a worker in a process of its own."""
    return redis_server.url


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
    return free_port()


@pytest.fixture
def match(context: WorkerContext) -> Match:
    return begin(context)
