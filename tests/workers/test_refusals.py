"""What a mail server refuses, for a time or for good, and what becomes of the address."""

import pytest

from service.core.redis.client import Client
from service.ops.doctor import examine
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.settings import settings
from tests.workers.delivering import deliver
from tests.workers.match import Match, begin
from workers.context import WorkerContext, build_context
from workers.jobs import FIRST_PAUSE

BOB = "bob@example.org"
SENDER = "scottenbury@scottenbury.test"


@pytest.fixture
def smtp_context(redis: Client, clock: Clock, mailserver: MailServer) -> WorkerContext:
    """Mail goes to the mail server that the settings name."""
    return build_context(settings(smtp_url=mailserver.url), redis, clock)


@pytest.fixture
def smtp_match(smtp_context: WorkerContext) -> Match:
    return begin(smtp_context)


def failure_of(match: Match, email: str = BOB) -> str | None:
    found = match.context.container.addresses.failing.find(email)
    return found.error if found else None


@pytest.mark.parametrize("answer", ["450 4.2.1 busy", "452 4.2.2 full", "421 closing"])
def test_a_refusal_for_a_time_is_tried_again(
    smtp_match: Match, mailserver: MailServer, clock: Clock, answer: str
) -> None:
    notice = smtp_match.first_notice()
    for at in ("to_recipient", "to_mail"):
        setattr(mailserver, at, answer)
        assert deliver(smtp_match.context, notice) == "postponed"
        setattr(mailserver, at, "250 OK")
    (pending,) = smtp_match.context.container.log.outbox.pending()
    assert pending == (notice, clock.time + FIRST_PAUSE)
    assert failure_of(smtp_match) is None

    assert deliver(smtp_match.context, notice) == "sent"
    assert mailserver.recipients == [BOB]


@pytest.mark.parametrize(
    ("at", "answer"),
    [
        ("to_recipient", "550 5.1.1 nobody of that name"),
        ("to_recipient", "550 nobody of that name"),
        ("to_mail", "550 5.1.1 nobody of that name"),
        ("to_mail", "552 5.2.2 mailbox full"),
    ],
)
def test_an_address_refused_for_good_is_marked_until_a_mail_passes(
    smtp_match: Match, mailserver: MailServer, at: str, answer: str
) -> None:
    notice = smtp_match.first_notice()
    setattr(mailserver, at, answer)

    assert deliver(smtp_match.context, notice) == "dead-letter"
    assert failure_of(smtp_match) == answer
    assert failure_of(smtp_match, BOB.upper()) == answer
    assert failure_of(smtp_match, "ann@example.org") is None

    setattr(mailserver, at, "250 OK")
    assert deliver(smtp_match.context, notice) == "sent"
    assert failure_of(smtp_match) is None


@pytest.mark.parametrize(
    ("at", "answer"),
    [
        ("to_recipient", "550 5.7.1 relaying denied"),
        ("to_mail", "554 5.7.1 this looks like spam"),
        ("to_mail", "554 no"),
    ],
)
def test_a_mail_refused_by_a_rule_is_told_and_the_address_is_not_dead(
    smtp_match: Match, mailserver: MailServer, at: str, answer: str
) -> None:
    container = smtp_match.context.container
    setattr(mailserver, at, answer)
    assert deliver(smtp_match.context, smtp_match.first_notice()) == "dead-letter"

    assert failure_of(smtp_match) == answer
    bob = container.players.find(smtp_match.bob)
    assert bob is not None
    problem = container.players.address_problem(bob)
    assert problem is not None
    assert problem.failure.by_policy
    assert not container.players.mail_fails(bob)
    assert not container.addresses.failing.is_dead(BOB)

    container.addresses.failing.mark(BOB, "550 5.1.1 nobody")
    container.addresses.failing.mark(BOB, answer, by_policy=True)
    assert container.players.mail_fails(bob)  # that is what is known of the address
    setattr(mailserver, at, "250 OK")
    (dead,) = container.dead_letters.all()
    assert deliver(smtp_match.context, dead.notice) == "sent"
    assert failure_of(smtp_match) is None


@pytest.mark.parametrize(
    ("at", "answer"),
    [
        ("to_recipient", "550 5.1.8 <a@b.c>: Domain not found"),
        ("to_recipient", "550 <a@b.c>: Sender address rejected: Domain not found"),
        ("to_mail", "554 5.1.7 bad sender"),
    ],
)
def test_what_is_no_fault_of_the_address_does_not_mark_it(
    smtp_match: Match, mailserver: MailServer, at: str, answer: str
) -> None:
    setattr(mailserver, at, answer)

    assert deliver(smtp_match.context, smtp_match.first_notice()) == "dead-letter"

    assert failure_of(smtp_match) is None
    (dead,) = smtp_match.context.container.dead_letters.all()
    assert answer.partition(" ")[2] in dead.error


@pytest.mark.parametrize("at", ["sender", "recipient"])
def test_a_mail_server_that_takes_only_the_own_sender_gets_that(
    redis: Client, clock: Clock, mailserver: MailServer, at: str
) -> None:
    context = build_context(
        settings(smtp_url=mailserver.url, mail_domain="play.example.org"), redis, clock
    )
    match = begin(context)
    mailserver.only_sender, mailserver.refuses_sender_at = SENDER, at
    notice = match.first_notice()

    assert deliver(context, notice) == "sent"

    assert mailserver.senders == [SENDER]
    assert failure_of(match) is None
    mailserver.only_sender = "somebody@example.org"
    mover = match.now().player_to_move()
    match.play(context.container.games.view(match.now(), mover).legal[0])
    for notice in match.due():
        assert deliver(context, notice) in ("dead-letter", "postponed", "dropped")
    assert context.container.addresses.failing.all() == []


def test_the_doctor_warns_of_refused_addresses(
    smtp_match: Match, mailserver: MailServer, redis: Client, clock: Clock
) -> None:
    known = settings(smtp_url=mailserver.url, redis_url="redis://127.0.0.1:1")

    def told() -> tuple[str, str]:
        (found,) = [one for one in examine(known, redis, clock) if one.subject == "addresses"]
        return found.state, found.line()

    assert told()[0] == "ok"
    mailserver.unknown.add(BOB)
    deliver(smtp_match.context, smtp_match.first_notice())

    state, line = told()
    assert state == "warning"
    assert "mail to 1 is refused for good, or comes back" in line
    assert "nobody of that name" in line
    assert BOB not in line


def test_a_confirmed_address_that_fails_can_be_confirmed_again(
    smtp_match: Match, mailserver: MailServer
) -> None:
    container = smtp_match.context.container
    mailserver.unknown.add(BOB)
    deliver(smtp_match.context, smtp_match.first_notice())
    bob = container.players.find(smtp_match.bob)
    assert bob is not None

    container.players.set_address(bob, BOB)
    (verify,) = [notice for notice in smtp_match.due() if notice.endswith(".mail.verify")]
    assert deliver(smtp_match.context, verify) == "dead-letter"
    assert failure_of(smtp_match) is not None

    mailserver.unknown.clear()
    container.players.set_address(bob, BOB)
    (verify,) = [notice for notice in smtp_match.due() if notice.endswith(".mail.verify")]
    assert deliver(smtp_match.context, verify) == "sent"
    assert failure_of(smtp_match) is None


def test_an_address_that_its_player_leaves_is_marked_no_longer(smtp_match: Match) -> None:
    container = smtp_match.context.container
    container.addresses.failing.mark(BOB, "550 no")
    bob = container.players.find(smtp_match.bob)
    assert bob is not None

    container.players.set_address(bob, None)

    assert failure_of(smtp_match) is None


def test_marks_end_after_half_a_year(smtp_match: Match, clock: Clock) -> None:
    failing = smtp_match.context.container.addresses.failing
    failing.mark("one@example.org", "550 no")
    clock.time += 181 * 24 * 3600

    failing.mark("two@example.org", "550 no")

    assert len(failing.all()) == 1
