"""A context over a real Redis, and a game between two players whose notices it delivers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.core.heartbeat import Heartbeat
from service.core.redis.client import Client
from service.mail.mailbox import Mailbox
from service.ops.status import QUEUES
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.ports import free_port
from tests.support.servers import RedisServer, SocketServer
from tests.support.settings import settings
from tests.workers.match import Match, begin
from workers import jobs
from workers.context import WorkerContext, build_context
from workers.mail.mailer import SmtpMailer
from workers.queue import JobQueue
from workers.relay import JobQueues, Relay


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


@pytest.fixture
def queue_redis(redis: Client, redis_server: RedisServer) -> Redis:
    """The queue's client of the server that `redis` has emptied."""
    return Redis.from_url(redis_server.url)


@pytest.fixture
def the_relay(
    context: WorkerContext, queue_redis: Redis, redis: Client, clock: Clock, tmp_path: Path
) -> Relay:
    heartbeat = Heartbeat(redis, clock)
    queues = JobQueues(*(JobQueue(queue_redis, name, 30) for name in QUEUES))
    built = context.container
    return Relay(
        built.log, built.send_limits, context.leases, queues, heartbeat, "worker-1", tmp_path, clock
    )


@pytest.fixture
def worked(context: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are done with this test's context and clock."""
    monkeypatch.setattr(jobs, "get_context", lambda: context)
