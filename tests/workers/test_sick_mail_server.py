"""A mail server that hangs, hangs up or refuses, at each step: nothing is lost, and it is told."""

import smtplib
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from types import SimpleNamespace

import pytest

from service.accounts.mail_preferences import Subscription
from service.accounts.notice_kinds import CONFIRMATION
from service.core.redis.client import Client, connect
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings
from tests.support.sick_mail_server import STEPS, SickMailServer, Step, sick_mail_server
from tests.workers.delivering import deliver
from tests.workers.match import Match, begin
from workers.context import WorkerContext, build_context
from workers.due import DueBatch
from workers.jobs import BUDGET, FIRST_PAUSE, MAIL_TIMEOUT, deliver_all
from workers.leases import LEASE, LONGEST_JOB
from workers.mail import mailer
from workers.mail.mailer import MailboxMailer, Message, SmtpMailer, WatchingMailer


@pytest.fixture
def sick() -> Iterator[SickMailServer]:
    with sick_mail_server() as server:
        yield server


@pytest.fixture
def sick_context(redis: Client, clock: Clock, sick: SickMailServer) -> WorkerContext:
    built = build_context(settings(), redis, clock)
    watching = WatchingMailer(SmtpMailer(sick.url), built.container.addresses.failing)
    return build_context(settings(), redis, clock, watching)


@pytest.mark.parametrize("says", [None, "", "421 later", "451 4.3.0 later"])
@pytest.mark.parametrize("step", STEPS)
def test_whatever_passes_is_waited_for(
    sick_context: WorkerContext,
    sick: SickMailServer,
    monkeypatch: pytest.MonkeyPatch,
    step: Step,
    says: str | None,
) -> None:
    sick.at, sick.says = step, says
    notice = begin(sick_context).first_notice()
    container = sick_context.container

    with monkeypatch.context() as hurried:
        if says is None:  # it hangs
            hurried.setattr(mailer, "TIMEOUT", 0.1)
            hurried.setattr(mailer, "LAST_TIMEOUT", 0.1)
        assert deliver(sick_context, notice) == "postponed"

    (pending,) = container.log.outbox.pending()
    assert pending == (notice, container.now() + FIRST_PAUSE)
    assert list(container.dead_letters.retrying()) == [notice]
    assert container.addresses.failing.all() == []
    sick.at, sick.mails = None, []
    assert deliver(sick_context, notice) == "sent"
    assert len(sick.mails) == 1
    assert container.dead_letters.retrying() == {}


@pytest.mark.parametrize(
    ("step", "says", "outcome", "by_policy"),
    [
        ("banner", "554 no service", "postponed", []),
        ("EHLO", "550 not you", "postponed", []),
        ("MAIL", "550 5.7.1 not from here", "postponed", []),
        ("RCPT", "550 5.1.1 nobody", "dead-letter", [False]),
        ("RCPT", "550 5.7.1 relaying denied", "dead-letter", [True]),
        ("DATA", "554 no mail", "dead-letter", [True]),
        ("mail", "550 5.7.1 spam", "dead-letter", [True]),
        ("mail", "552 5.2.2 the mailbox is full", "dead-letter", [False]),
    ],
)
def test_whatever_does_not_pass_is_seen(
    sick_context: WorkerContext,
    sick: SickMailServer,
    step: Step,
    says: str,
    outcome: str,
    by_policy: list[bool],
) -> None:
    """A rule of the server is told to the player, and says nothing against the address."""
    sick.at, sick.says = step, says
    notice = begin(sick_context).first_notice()
    container = sick_context.container

    assert deliver(sick_context, notice) == outcome

    letters = [letter.notice for letter in container.dead_letters.all()]
    retrying = list(container.dead_letters.retrying())
    assert (letters or retrying) == [notice]
    assert bool(letters) == (outcome == "dead-letter")
    assert [failure.by_policy for failure in container.addresses.failing.all()] == by_policy


def test_the_answer_to_a_mail_may_take_longer_than_the_others(
    redis: Client, clock: Clock, mailserver: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, reply = list[float | None](), smtplib.SMTP.getreply

    def getreply(smtp: smtplib.SMTP) -> tuple[int, bytes]:
        waits.append(smtp.sock.gettimeout())
        return reply(smtp)

    monkeypatch.setattr(smtplib.SMTP, "getreply", getreply)
    context = build_context(settings(), redis, clock, SmtpMailer(mailserver.url))
    assert deliver(context, begin(context).first_notice()) == "sent"
    *others, last = waits
    assert (set(others), last) == ({mailer.TIMEOUT}, mailer.LAST_TIMEOUT)


def test_a_job_may_take_as_long_as_the_mail_server_may() -> None:
    conversation = mailer.MOST_ANSWERS * mailer.TIMEOUT + mailer.LAST_TIMEOUT
    assert conversation < MAIL_TIMEOUT < LONGEST_JOB
    assert mailer.LAST_TIMEOUT >= 600  # RFC 5321


class SlowMailer(MailboxMailer):
    """Takes as long as the test says."""

    def __init__(self, context: WorkerContext, takes: Callable[[], object]) -> None:
        super().__init__(context.container.mailbox)
        self.takes = takes
        self.sent: list[str] = []

    def send(self, message: Message) -> None:
        self.takes()
        self.sent.append(message.id)


def two_notices(match: Match, clock: Clock) -> list[str]:
    container = match.context.container
    # Else Ann would have no mail about what she has just done.
    container.mail_preferences.turn_off(Subscription(match.ann, CONFIRMATION))
    match.play("R4@3")
    container.games.resign(match.id, match.ann)
    found = [notice for notice in match.due() if ".mail.over" in notice]
    assert len(found) == 2
    for other in set(match.due()).difference(found):
        match.context.container.log.outbox.finish(other)
    return found


def test_a_worker_that_stood_still_leaves_what_others_have_claimed(
    match: Match, clock: Clock, redis: Client
) -> None:
    """It was suspended in the first of two mails, and another did both meanwhile."""
    notices, outbox = two_notices(match, clock), match.context.container.log.outbox

    def stand_still() -> None:
        clock.time += 2 * LEASE
        assert sorted(outbox.claim(9, LEASE)) == notices

    slow = SlowMailer(match.context, stand_still)
    context = build_context(settings(), redis, clock, slow)
    claimed = outbox.claim(9, LEASE)
    batch = DueBatch(context, claimed)
    with context.leases.hold(batch.renew, claimed, clock.time + LEASE) as lease:
        assert deliver_all(context, lease, batch.read()) == ["sent", "passed-on"]
    assert len(slow.sent) == 1
    assert match.due() == claimed[1:]
    assert outbox.claim(9, LEASE) == [], "the other still holds it"


def test_what_a_slow_job_gives_back_is_due_at_once_unless_another_has_it(
    match: Match, clock: Clock, redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_notices(match, clock)
    outbox = match.context.container.log.outbox
    passed = [0.0]
    monkeypatch.setattr("workers.jobs.time", SimpleNamespace(monotonic=lambda: passed[-1]))
    slow = SlowMailer(match.context, lambda: passed.append(BUDGET + 1))
    context = build_context(settings(), redis, clock, slow)
    claimed = outbox.claim(9, LEASE)
    batch = DueBatch(context, claimed)
    with context.leases.hold(batch.renew, claimed, clock.time + LEASE) as lease:
        assert deliver_all(context, lease, batch.read()) == ["sent", "released"]
        clock.time += 1
        assert outbox.claim(9, LEASE) == claimed[1:]
        lease.release(claimed[1:])  # too late: another has it
    assert outbox.claim(9, LEASE) == []


def test_what_was_sent_is_noted_as_soon_as_redis_is_back(tmp_path: Path) -> None:
    with (
        running(bundled_binary()) as server,
        connect(server.url) as redis,
        MailServer() as mailserver,
    ):
        built = build_context(settings(), redis)
        watching = WatchingMailer(SmtpMailer(mailserver.url), built.container.addresses.failing)
        context = build_context(settings(), redis, mailer=watching)
        notice = begin(context).first_notice()
        mailserver.on_mail = server.kill
        back = Timer(2.5, server.start)  # longer than a command is tried
        back.start()
        assert deliver(context, notice) == "sent"
        back.join()
        assert len(mailserver.mails) == 1
        assert list(context.container.log.outbox.pending()) == []
