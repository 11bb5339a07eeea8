"""Mail that comes back: which address it marks, what takes the mark away, and who is told."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from service.accounts.email_addresses import RETURN_LIFE, AddressFailure, AddressVerification
from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.games import NewGame
from service.mail_in.store import MAX_SIZE
from tests.support.clock import Clock
from tests.support.delivery_reports import delivery_report
from tests.support.mail_server import MailServer
from tests.support.settings import settings
from tests.workers.mail.correspondence import run
from tests.workers.match import Match, begin
from workers.context import WorkerContext, build_context

BOB, ANN = "bob@example.org", "ann@example.org"
DOMAIN = "play.example.org"


@pytest.fixture
def context(redis: Client, clock: Clock, mailserver: MailServer) -> WorkerContext:
    """Mail goes to a mail server, and answers come back."""
    return build_context(
        settings(smtp_url=mailserver.url, mail_domain=DOMAIN, rate_limits=True), redis, clock
    )


@pytest.fixture
def container(context: WorkerContext) -> Container:
    return context.container


@pytest.fixture
def sent_from(match: Match, mailserver: MailServer) -> str:
    """The sender in the envelope of the mail that tells Bob of his turn."""
    match.play("R4@3")
    run(match.context)
    assert mailserver.recipients == [BOB]
    return mailserver.senders[-1]


@pytest.fixture
def come_back(match: Match) -> Callable[..., dict[str, int]]:
    """Let a mail come in at an address for bounces; how those that came so far ended."""

    def come_back(
        to: str, raw: bytes | None = None, sender: str = "", **report: str
    ) -> dict[str, int]:
        incoming = match.context.container.incoming_mail
        incoming.accept(to, sender, raw or delivery_report(to, **report))
        run(match.context)
        return incoming.counts()

    return come_back


def failure_of(container: Container, email: str = BOB) -> AddressFailure | None:
    return container.addresses.failing.find(email)


ComeBack = Callable[..., dict[str, int]]


class Mailing(NamedTuple):
    """A match, its server, and what lets its mails come back."""

    match: Match
    container: Container
    come_back: ComeBack


@pytest.fixture
def mailing(match: Match, container: Container, come_back: ComeBack) -> Mailing:
    return Mailing(match, container, come_back)


def test_each_mail_has_a_sender_of_its_own_that_nobody_forges(
    sent_from: str, mailserver: MailServer, mailing: Mailing
) -> None:
    local, _, domain = sent_from.partition("@")
    assert local.startswith("bounce+")
    assert len(local) <= 64
    assert domain == DOMAIN
    assert str(mailserver.mails[-1]["From"]) == "Ann · your turn <scottenbury@scottenbury.test>"

    for forged in (
        f"{local[:-1]}{'b' if local[-1] == 'a' else 'a'}@{domain}",
        sent_from.replace(mailing.match.bob, mailing.match.ann),
        sent_from.replace("bounce+", "play+"),
        sent_from.replace("@", "@elsewhere."),
        f"bounce+{mailing.match.ann}@{domain}",
        f"bounce@{domain}",
    ):
        with pytest.raises(RequestRejected):
            mailing.come_back(forged)
    mailing.come_back("scottenbury@scottenbury.test")
    assert failure_of(mailing.container) is None
    assert failure_of(mailing.container, ANN) is None


def test_where_no_mail_comes_in_the_sender_stays_plain(
    redis: Client, clock: Clock, mailserver: MailServer
) -> None:
    own = settings(smtp_url=mailserver.url, mail_domain=None)
    match = begin(build_context(own, redis, clock))
    match.play("R4@3")
    run(match.context)
    assert mailserver.senders == ["scottenbury@scottenbury.test"]


def test_a_mail_that_comes_back_for_good_marks_its_address_alone(
    mailing: Mailing, sent_from: str, mailserver: MailServer
) -> None:
    both = [mailing.container.players.find(each) for each in (mailing.match.ann, mailing.match.bob)]
    assert mailing.come_back(sent_from.upper())["bounce-marked"] == 1
    failure = failure_of(mailing.container)
    assert failure is not None
    assert failure.how == "returned"
    assert failure.error == "5.1.1 550 5.1.1 <bob@example.org>: nobody of that name"
    assert failure.since == failure.at == mailing.container.now()
    assert failure_of(mailing.container, ANN) is None
    assert mailserver.recipients == [BOB]
    assert [each.name for each in both if mailing.container.players.mail_fails(each)] == ["Bob"]


@pytest.mark.parametrize(
    ("action", "status", "label"),
    [
        ("failed", "5.1.1", "bounce-marked"),
        ("Failed", "5.2.2 (mailbox full)", "bounce-marked"),
        ("failed", "5.0.0", "bounce-marked"),
        ("failed", "5.7.1", "bounce-policy"),
        ("failed", "5.1.8", "bounce-policy"),
        ("failed", "4.4.1", "bounce-temporary"),
        ("delayed", "4.4.1", "bounce-temporary"),
        ("relayed", "2.0.0", "bounce-delivered"),
        ("failed", "5", "bounce"),
        ("", "5.1.1", "bounce"),
    ],
)
def test_only_what_is_for_good_marks_and_all_is_counted(
    mailing: Mailing, sent_from: str, action: str, status: str, label: str
) -> None:
    assert mailing.come_back(sent_from, action=action, status=status) == {label: 1}
    failure = failure_of(mailing.container)
    assert (failure is not None) == (label in ("bounce-marked", "bounce-policy"))
    assert failure is None or failure.by_policy == (label == "bounce-policy")


def test_the_address_that_the_report_names_counts_for_nothing(
    container: Container, sent_from: str, come_back: ComeBack
) -> None:
    come_back(sent_from, recipient=ANN)
    assert failure_of(container) is not None
    assert failure_of(container, ANN) is None


@pytest.mark.parametrize(
    "head",
    [
        "From: ada@example.org\r\n",
        "From: ada@example.org\r\nAuto-Submitted: auto-replied\r\n",
        "From: MAILER-DAEMON@example.net\r\nSubject: failure notice\r\n",
        "Content-Type: multipart/report; boundary=x\r\n",
    ],
)
def test_what_is_no_report_marks_nothing_and_is_not_answered(
    container: Container, sent_from: str, come_back: ComeBack, mailserver: MailServer, head: str
) -> None:
    come_back(sent_from, f"{head}\r\nStatus: 5.1.1\r\nAction: failed\r\n".encode())
    assert failure_of(container) is None
    assert len(mailserver.mails) == 1


@pytest.mark.parametrize(
    "raw",
    [
        b"x" * (MAX_SIZE + 1),
        delivery_report("a@b.c") + b"\r",
        delivery_report("a@b.c") + b"\r\n--4C9.1/mx\r\n\r\n" * 600,
        b"X: y\r\n" * 2000 + delivery_report("a@b.c"),
    ],
)
def test_a_hostile_or_huge_one_is_refused_as_any_mail(
    container: Container, sent_from: str, come_back: ComeBack, raw: bytes
) -> None:
    with pytest.raises(RequestRejected) as refused:
        come_back(sent_from, raw)
    assert refused.value.code == "malformed-mail"
    assert failure_of(container) is None


def test_more_than_sixty_an_hour_wait(container: Container, sent_from: str) -> None:
    for _ in range(60):
        container.incoming_mail.accept(sent_from, "", delivery_report(sent_from))
    with pytest.raises(RequestRejected, match="Too many mails have come in"):
        container.incoming_mail.accept(sent_from, "", delivery_report(sent_from))


class TestClearing:
    def test_a_mail_server_that_takes_the_next_mail_does_not(
        self, container: Container, match: Match, sent_from: str, come_back: ComeBack
    ) -> None:
        come_back(sent_from)
        match.play(*(container.games.view(match.now(), match.bob).legal[0],))
        mover = match.now().player_to_move()
        match.play(container.games.view(match.now(), mover).legal[0])
        run(match.context)
        assert failure_of(container) is not None

    def test_confirming_it_again_does_and_older_mails_say_nothing_then(
        self, container: Container, match: Match, sent_from: str, come_back: ComeBack, clock: Clock
    ) -> None:
        come_back(sent_from)
        clock.time += 120
        assert container.players.verify(AddressVerification(match.bob, BOB, 0))
        assert failure_of(container) is None

        assert come_back(sent_from)["bounce-late"] == 1
        assert failure_of(container) is None

    def test_the_player_s_own_answer_does(
        self, container: Container, sent_from: str, come_back: ComeBack, mailserver: MailServer
    ) -> None:
        come_back(sent_from)
        to = str(mailserver.mails[0]["Reply-To"])
        answer = f"From: {BOB}\r\nTo: {to}\r\nMessage-ID: <1@example.org>\r\n\r\nshow\r\n"
        come_back(to, answer.encode(), sender=BOB)
        assert failure_of(container) is None
        assert mailserver.senders[-1] == ""

    def test_another_address_does_and_is_not_marked_itself(
        self, container: Container, match: Match, sent_from: str, come_back: ComeBack
    ) -> None:
        bob = container.players.find(match.bob)
        assert bob is not None
        container.players.set_address(bob, "new@example.org")
        container.players.verify(AddressVerification(match.bob, "new@example.org", 0))

        assert come_back(sent_from)["bounce-former"] == 1

        assert container.addresses.failing.all() == []

    def test_the_answer_of_somebody_who_only_gave_it_does_not(
        self, container: Container, match: Match, mailserver: MailServer, come_back: ComeBack
    ) -> None:
        invited = NewGame(opponent_email="further@example.org")
        eve = container.registrations.register("Eve", BOB).player
        container.answer_addresses.add(eve.id, "further@example.org")
        container.answer_addresses.verify(AddressVerification(eve.id, "further@example.org", 0))
        container.games.create(match.ann, invited)
        run(match.context)
        (to,) = (
            str(mail["Reply-To"])
            for mail, recipient in zip(mailserver.mails, mailserver.recipients, strict=True)
            if recipient == "further@example.org" and mail["Reply-To"]
        )
        container.addresses.failing.mark(BOB, "550", "returned")
        answer = (
            f"From: further@example.org\r\nTo: {to}\r\nMessage-ID: <1@example.org>\r\n\r\naccept"
        )
        come_back(to, answer.encode(), sender="further@example.org")
        assert container.games.index.unfinished(eve.id)
        assert failure_of(container) is not None

    def test_a_report_that_comes_weeks_later_says_nothing(
        self, container: Container, sent_from: str, come_back: ComeBack, clock: Clock
    ) -> None:
        clock.time += RETURN_LIFE + 60
        assert come_back(sent_from)["bounce-late"] == 1
        assert failure_of(container) is None


def test_an_invitation_that_comes_back_marks_the_address_that_it_went_to(
    container: Container, match: Match, mailserver: MailServer, come_back: ComeBack
) -> None:
    container.games.create(match.ann, NewGame(opponent_email="carla@example.org"))
    run(match.context)
    assert mailserver.recipients == ["carla@example.org"]

    assert come_back(mailserver.senders[-1])["bounce-marked"] == 1

    assert failure_of(container, "carla@example.org") is not None


def test_a_sign_in_link_that_comes_back_marks_the_address(
    container: Container, match: Match, mailserver: MailServer, come_back: ComeBack
) -> None:
    container.sign_in.request_link(BOB)
    run(match.context)
    assert come_back(mailserver.senders[-1])["bounce-marked"] == 1
    assert failure_of(container) is not None


def test_it_does_whoever_else_gave_that_address_and_took_it_back(
    container: Container, match: Match, mailserver: MailServer, come_back: ComeBack
) -> None:
    others = [container.registrations.register(f"Eve {n}").player for n in range(8)]
    for other in others:
        container.players.set_address(other, BOB)
    container.sign_in.request_link(BOB)
    run(match.context)
    sender = next(
        sender
        for sender, mail in zip(mailserver.senders, mailserver.mails, strict=True)
        if "sign in" in str(mail["Subject"]).lower()
    )
    for other in others:
        container.players.set_address(other._replace(email=BOB), None)
    assert come_back(sender)["bounce-marked"] == 1
    assert failure_of(container) is not None


def test_answers_to_mails_have_no_sender_to_answer(
    match: Match, sent_from: str, mailserver: MailServer, come_back: ComeBack
) -> None:
    to = str(mailserver.mails[0]["Reply-To"])
    answer = f"From: {BOB}\r\nTo: {to}\r\nMessage-ID: <1@example.org>\r\n\r\nhelp\r\n"
    come_back(to, answer.encode(), sender=BOB)
    assert mailserver.senders == [sent_from, ""]
