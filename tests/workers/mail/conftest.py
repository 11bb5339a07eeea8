"""The two players of a match, who answer their mails."""

import pytest

from service.core.redis.client import Client
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.workers.mail.club import Club
from tests.workers.mail.correspondence import Correspondent, Pair, run
from tests.workers.match import Match, begin
from workers.context import WorkerContext


@pytest.fixture
def ann(match: Match, mailbox: Mailbox) -> Correspondent:
    return Correspondent(match.context, mailbox, "ann@example.org")


@pytest.fixture
def bob(match: Match, mailbox: Mailbox) -> Correspondent:
    """Bob, whose turn it is, and who was told so."""
    match.play("R4@3")
    run(match.context)
    return Correspondent(match.context, mailbox, "bob@example.org")


@pytest.fixture
def timed(context: WorkerContext) -> Match:
    """Bob has two days for his turn since noon, and was told of it."""
    match = begin(context, clock={"days_per_move": 2})
    match.play("R4@3")
    run(context)
    return match


@pytest.fixture
def pair(match: Match, ann: Correspondent, bob: Correspondent, clock: Clock) -> Pair:
    return Pair(match, ann, bob, clock)


@pytest.fixture
def club(redis: Client, clock: Clock) -> Club:
    return Club(redis, clock)
