"""A context whose requests may go to this machine, and somebody who receives them."""

from collections.abc import Iterator

import pytest

from service.core.redis.client import Client
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.receiver import Receiver
from tests.workers.channels.networks import OWN_NETWORK, Heard
from tests.workers.match import Match
from workers.context import WorkerContext, build_context
from workers.mail.mailer import SmtpMailer


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as started:
        yield started


@pytest.fixture
def context(redis: Client, clock: Clock, mailserver: MailServer) -> WorkerContext:
    return build_context(OWN_NETWORK, redis, clock, SmtpMailer(mailserver.url))


@pytest.fixture
def heard(match: Match, receiver: Receiver, clock: Clock) -> Heard:
    return Heard(match, receiver, clock)
