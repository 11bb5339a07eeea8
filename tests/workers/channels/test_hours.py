"""When a player's channels tell it: quiet hours, the digest, until a visit."""

import json

from service.accounts.mail_preferences import Subscription
from service.core.times import HOUR
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.receiver import Receiver
from tests.workers.channels.hooks import hook, told
from tests.workers.channels.passing import deliver_due, next_due, two_turns
from tests.workers.match import Match


class TestHours:
    def test_quiet_hours_hold_for_all(
        self, match: Match, receiver: Receiver, mailserver: MailServer, clock: Clock
    ) -> None:
        hook(match, receiver)
        match.context.container.mail_preferences.set_choice(match.bob, {"quiet": "11:00-13:00"})
        match.play("R4@3")
        deliver_due(match)
        assert (receiver.received, mailserver.mails) == ([], [])
        clock.time += HOUR
        deliver_due(match)
        assert (len(receiver.received), len(mailserver.mails)) == (1, 1)

    def test_a_message_that_is_tried_again_keeps_to_them(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        hook(match, receiver)
        receiver.status = 503
        match.play("R4@3")
        deliver_due(match)
        match.context.container.mail_preferences.set_choice(match.bob, {"quiet": "12:01-13:00"})
        clock.time = next_due(match)
        deliver_due(match)
        assert len(receiver.received) == 1
        clock.time += HOUR
        deliver_due(match)
        assert len(receiver.received) == 2

    def test_the_digest_is_one_message(
        self, match: Match, receiver: Receiver, mailserver: MailServer, clock: Clock
    ) -> None:
        hook(match, receiver)
        choice = {"delivery": "digest", "digest_at": "18:00"}
        match.context.container.mail_preferences.set_choice(match.bob, choice)
        match.play("R4@3")
        deliver_due(match)
        assert (receiver.received, mailserver.mails) == ([], [])
        clock.time += 6 * HOUR
        deliver_due(match)
        (got,) = receiver.received
        message = json.loads(got.body)
        assert message["type"] == "channel.digest"
        assert message["data"]["title"] == "It is your turn in one game."
        assert message["data"]["text"] == "Against Ann: no time limit."
        assert len(mailserver.mails) == 1
        assert told(match) == {"mail": "reached", "webhook": "reached"}

    def test_who_wants_no_daily_mail_gets_the_digest_on_channels_alone(
        self, match: Match, receiver: Receiver, mailserver: MailServer, clock: Clock
    ) -> None:
        hook(match, receiver)
        preferences = match.context.container.mail_preferences
        preferences.set_choice(match.bob, {"delivery": "digest", "digest_at": "18:00"})
        preferences.turn_off(Subscription(match.bob, "digest"))
        match.play("R4@3")
        deliver_due(match)
        clock.time += 6 * HOUR
        deliver_due(match)
        assert (len(receiver.received), mailserver.mails) == (1, [])

    def test_until_a_visit_there_is_one_message(self, match: Match, receiver: Receiver) -> None:
        hook(match, receiver)
        container = match.context.container
        container.mail_preferences.set_choice(match.bob, {"delivery": "until_visit"})
        match.play("R4@3")
        deliver_due(match)
        two_turns(match)
        deliver_due(match)
        assert len(receiver.received) == 1
        assert container.ledger.of_turn(
            match.bob, match.id, match.now().turn_version, 0
        ).is_notified
        container.deferred_notices.visited(match.bob)
        two_turns(match)
        deliver_due(match)
        assert len(receiver.received) == 2
