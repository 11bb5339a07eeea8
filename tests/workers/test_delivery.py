"""Delivering notices: what is sent, dropped, tried again and given up."""

from collections.abc import Callable

import pytest
from redis.exceptions import ConnectionError as RedisDown

from service.accounts.mail_preferences import Subscription
from service.core.redis.client import Client
from service.eventlog import notice_id
from service.mail.mailbox import Mailbox
from tests.support.clock import NOON, Clock
from tests.support.mail_server import MailServer
from tests.support.settings import settings
from tests.workers.delivering import deliver
from tests.workers.match import Match, begin
from workers.context import WorkerContext, build_context
from workers.jobs import FIRST_PAUSE, LONGEST_PAUSE, PATIENCE
from workers.mail.mailer import MailboxMailer, Message, SmtpMailer


class BrokenMailer:
    """Fails in a way that the test chooses, `times` times, then works."""

    needs_address = False

    def __init__(self, mailbox: Mailbox, error: Exception, times: int = 1_000_000) -> None:
        self._works = MailboxMailer(mailbox)
        self._error = error
        self.times = times

    def send(self, message: Message) -> None:
        if self.times:
            self.times -= 1
            raise self._error
        self._works.send(message)


Broken = Callable[..., WorkerContext]


@pytest.fixture
def broken(redis: Client, clock: Clock, mailbox: Mailbox) -> Broken:
    """A context whose mailer fails."""

    def make(error: Exception, times: int = 1_000_000) -> WorkerContext:
        return build_context(settings(), redis, clock, BrokenMailer(mailbox, error, times))

    return make


def test_a_notice_is_delivered_once_and_struck_off(match: Match, mailbox: Mailbox) -> None:
    notice = match.first_notice()

    assert deliver(match.context, notice) == "sent"

    assert match.due() == []
    assert len(mailbox.newest()) == 1

    deliver(match.context, notice)
    deliver(match.context, notice)

    assert len(mailbox.newest()) == 1


def test_a_turn_played_or_ended_meanwhile_is_not_told(match: Match, mailbox: Mailbox) -> None:
    notice = match.first_notice()
    match.play("O7@3", "O8@4")

    assert deliver(match.context, notice) == "dropped"

    assert notice not in match.due()
    assert mailbox.newest() == []

    match.context.container.games.resign(match.id, match.ann)

    assert deliver(match.context, notice) == "dropped"


def test_a_kind_that_the_player_turned_off_is_not_sent(match: Match, mailbox: Mailbox) -> None:
    notice = match.first_notice()
    match.context.container.mail_preferences.turn_off(Subscription(match.bob, "turn"))

    assert deliver(match.context, notice) == "dropped"

    assert mailbox.newest() == []


def test_notices_of_what_is_gone_are_dropped(context: WorkerContext, match: Match) -> None:
    nobody = notice_id(match.id, 3, "nobody", "mail", "turn")
    no_game = notice_id("nowhere", 3, match.bob, "mail", "turn")

    assert deliver(context, nobody) == "dropped"
    assert deliver(context, no_game) == "dropped"


def test_mail_goes_to_the_mail_server(smtp_context: WorkerContext, mailserver: MailServer) -> None:
    notice = begin(smtp_context).first_notice()

    assert deliver(smtp_context, notice) == "sent"

    (mail,) = mailserver.mails
    assert mailserver.recipients == ["bob@example.org"]
    assert mail["To"] == "Bob <bob@example.org>"
    text = mail.get_body(("plain",))
    assert text is not None
    assert text.get_content().startswith("Ann played\xa0Red 4 on\xa0Stone 3.")


def test_a_player_without_an_address_gets_mail_only_in_the_local_mailbox(
    context: WorkerContext, smtp_context: WorkerContext, mailserver: MailServer, mailbox: Mailbox
) -> None:
    ann = context.container.registrations.register("Hannah").player.id
    match = begin(context)
    context.container.games.resign(match.id, match.ann)
    # Ann as she would be without an address
    stranger = notice_id(match.id, match.now().version, ann, "mail", "over")

    assert deliver(smtp_context, stranger) == "dropped"
    assert mailserver.mails == []
    assert deliver(context, stranger) == "sent"
    assert mailbox.newest()[0].message["To"] == f"Hannah <{ann}@mailbox.invalid>"


def test_a_mail_server_that_is_away_is_tried_again(
    redis: Client, clock: Clock, match: Match, closed_port: int
) -> None:
    context = build_context(settings(), redis, clock, SmtpMailer(f"smtp://127.0.0.1:{closed_port}"))
    notice = match.first_notice()

    assert deliver(context, notice) == "postponed"

    (pending,) = context.container.log.outbox.pending()
    assert pending == (notice, clock.time + FIRST_PAUSE)


def test_a_failure_is_forgotten_once_the_mail_is_out(match: Match, broken: Broken) -> None:
    context = broken(OSError("no route"), times=1)
    notice = match.first_notice()
    assert deliver(context, notice) == "postponed"
    assert context.container.dead_letters.retrying() == {notice: NOON}

    assert deliver(context, notice) == "sent"

    assert context.container.dead_letters.retrying() == {}


def test_the_pauses_grow_until_the_notice_is_given_up(match: Match, broken: Broken) -> None:
    context = broken(OSError("no route"))
    notice = match.first_notice()
    pauses = []
    while deliver(context, notice) == "postponed":
        (pending,) = context.container.log.outbox.pending()
        pauses.append(pending.due - match.clock.time)
        match.clock.time = pending.due

    assert pauses[:4] == [FIRST_PAUSE, FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE]
    assert max(pauses) == LONGEST_PAUSE
    assert PATIENCE <= match.clock.time - NOON < PATIENCE + LONGEST_PAUSE
    assert match.due() == []
    (given_up,) = context.container.dead_letters.all()
    assert given_up == (notice, match.clock.time, "OSError('no route')")
    assert context.container.dead_letters.retrying() == {}


def test_an_address_that_the_mail_server_refuses_is_given_up_at_once(
    smtp_context: WorkerContext, mailserver: MailServer
) -> None:
    mailserver.unknown.add("bob@example.org")
    notice = begin(smtp_context).first_notice()

    assert deliver(smtp_context, notice) == "dead-letter"

    (given_up,) = smtp_context.container.dead_letters.all()
    assert "nobody of that name" in given_up.error


def test_trouble_with_redis_leaves_the_notice_to_fall_due_again(
    match: Match, broken: Broken
) -> None:
    context = broken(RedisDown("gone"))
    notice = match.first_notice()

    with pytest.raises(RedisDown):
        deliver(context, notice)

    assert match.due() == [notice]


def test_a_worker_killed_after_sending_sends_the_same_mail_again(
    redis: Client, clock: Clock, match: Match, mailbox: Mailbox, mailserver: MailServer
) -> None:
    class Killed(BaseException):
        """As SIGKILL: nothing more is done."""

    class DeadlyMailer(SmtpMailer):
        def send(self, message: Message) -> None:
            super().send(message)
            MailboxMailer(mailbox).send(message)
            raise Killed

    notice = match.first_notice()
    with pytest.raises(Killed):
        deliver(build_context(settings(), redis, clock, DeadlyMailer(mailserver.url)), notice)
    assert match.due() == [notice]

    assert (
        deliver(build_context(settings(), redis, clock, SmtpMailer(mailserver.url)), notice)
        == "sent"
    )
    assert deliver(match.context, notice) == "dropped", "it is known to have been sent"

    first, second = mailserver.mails
    assert first["Message-ID"] == second["Message-ID"]
    assert len(mailbox.newest()) == 1
