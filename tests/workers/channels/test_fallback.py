"""A fallback speaks where all other channels have failed, and only there."""

from service.accounts.mail_preferences import Subscription
from service.core.network import read_allowed
from service.core.redis.client import Client
from service.core.times import DAY, HOUR
from tests.support.channels import working_channel
from tests.support.clock import Clock
from tests.support.delivery_reports import delivery_report
from tests.support.mail_server import MailServer
from tests.support.receiver import Receiver
from tests.support.settings import settings
from tests.workers.channels.hooks import hook, state, told
from tests.workers.channels.networks import Heard
from tests.workers.channels.passing import deliver_due, next_due
from tests.workers.match import Match, begin
from workers.context import build_context
from workers.mail.mailer import SmtpMailer


class TestFallback:
    def test_it_stays_silent_while_another_channel_works(
        self, match: Match, receiver: Receiver, mailserver: MailServer
    ) -> None:
        hook(match, receiver, fallback=True)
        match.play("R4@3")
        deliver_due(match)
        assert (receiver.received, len(mailserver.mails)) == ([], 1)

    def test_an_address_that_is_refused_lets_it_speak(
        self, match: Match, receiver: Receiver, mailserver: MailServer
    ) -> None:
        hook(match, receiver, fallback=True)
        mailserver.unknown.add("bob@example.org")
        match.play("R4@3")
        deliver_due(match)
        assert len(receiver.received) == 1
        assert told(match) == {"mail": "failed", "webhook": "reached"}

    def test_it_speaks_where_there_is_nothing_else(self, match: Match, receiver: Receiver) -> None:
        hook(match, receiver, fallback=True)
        match.context.container.mail_preferences.turn_off(Subscription(match.bob, "turn"))
        match.play("R4@3")
        deliver_due(match)
        assert len(receiver.received) == 1

    def test_it_waits_until_all_others_have_failed_for_good(
        self, match: Match, receiver: Receiver, mailserver: MailServer, clock: Clock
    ) -> None:
        dead = Receiver()
        url = dead.url
        dead._server.server_close()
        broken = working_channel(match.context.container, match.bob, "webhook", {"url": f"{url}/x"})
        hook(match, receiver, fallback=True)
        mailserver.unknown.add("bob@example.org")
        match.play("R4@3")
        begun = clock.time
        while not receiver.received:
            deliver_due(match)
            if not receiver.received:
                clock.time = next_due(match)
        assert DAY <= clock.time - begun < DAY + 7 * HOUR
        trouble = state(match, broken).failure
        assert trouble is not None
        assert (trouble.off, trouble.why) == (True, "no connection to it")

    def test_an_address_from_which_mail_came_back_does_not_count(self, heard: Heard) -> None:
        hook(heard.match, heard.receiver, fallback=True)
        failing = heard.match.context.container.addresses.failing
        failing.mark_returned("bob@example.org", "550 no such user", int(heard.clock.time))
        heard.match.play("R4@3")
        deliver_due(heard.match)
        assert len(heard.receiver.received) == 1
        assert told(heard.match)["mail"] == "failed"

    def test_a_mail_that_comes_back_lets_it_speak_for_that_turn(
        self, redis: Client, clock: Clock, receiver: Receiver, mailserver: MailServer
    ) -> None:
        own = settings(
            allowed_egress=read_allowed("127.0.0.1:*"),
            smtp_url="smtp://127.0.0.1:1",
            mail_domain="play.example.org",
        )
        match = begin(build_context(own, redis, clock, SmtpMailer(mailserver.url)))
        hook(match, receiver, fallback=True)
        match.play("R4@3")
        deliver_due(match)
        assert told(match) == {"mail": "reached"}
        to, of = mailserver.senders[0], str(mailserver.mails[0]["Message-ID"])
        incoming = match.context.container.incoming_mail

        other = of.replace(match.id, "b" * 20)
        for returned in (other, of.replace(match.bob, match.ann), "", of):
            assert receiver.received == []
            incoming.accept(to, "", delivery_report(to, of=returned))
            deliver_due(match)

        assert len(receiver.received) == 1
        assert told(match) == {"mail": "failed", "webhook": "reached"}
        incoming.accept(to, "", delivery_report(to, of=of))
        deliver_due(match)
        assert len(receiver.received) == 1

    def test_a_channel_that_is_off_or_deleted_lets_it_speak_at_once(self, heard: Heard) -> None:
        channels = heard.match.context.container.channels
        heard.match.context.container.mail_preferences.turn_off(
            Subscription(heard.match.bob, "turn")
        )
        first = hook(heard.match, heard.receiver, path="first")
        hook(heard.match, heard.receiver, path="second", fallback=True)
        heard.receiver.status = 500
        heard.match.play("R4@3")
        deliver_due(heard.match)
        channels.remove(heard.match.bob, first.id)
        heard.receiver.status = 200
        heard.clock.time = next_due(heard.match)
        deliver_due(heard.match)
        assert [one.path for one in heard.receiver.received] == ["/first", "/second"]
