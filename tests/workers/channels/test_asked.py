"""What players ask for: tests, and a message once more."""

import json

from service.accounts.channels import notice_channel
from service.accounts.channels.deliveries import MOST_DELIVERIES, ChannelDelivery
from service.accounts.channels.send_limits import OF_ADDRESS
from service.eventlog import NoticeParts
from tests.support.clock import Clock
from tests.support.receiver import Receiver
from tests.workers.channels.hooks import hook, state
from tests.workers.channels.networks import Heard
from tests.workers.channels.passing import deliver_due
from tests.workers.match import Match


class TestAsked:
    def test_a_test_is_sent_once(self, match: Match, receiver: Receiver) -> None:
        channel = hook(match, receiver, name="my program")
        container = match.context.container
        container.channels.switch(match.bob, channel.id, on=False)
        container.channels.request_test(match.bob, channel.id)
        assert deliver_due(match) == ["sent"]
        receiver.status = 500
        container.channels.request_test(match.bob, channel.id)
        assert deliver_due(match) == ["dropped"]
        texts = [json.loads(one.body)["data"]["text"] for one in receiver.received]
        assert texts[0] == "If you read this, the channel “my program” works."
        (delivery,) = container.delivery_log.all(match.bob, channel.id)
        assert (delivery.state, delivery.answer) == ("failed", 500)
        assert container.dead_letters.all() == []
        assert state(match, channel).state == "off"

    def test_what_one_player_asks_for_takes_one_thread_on_however_many_channels(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        ways = [hook(match, receiver, path=path) for path in ("a", "b")]
        known, sending = match.context.container.channels, match.context.container.send_limits
        with sending.begin(match.bob, ways[0], asked=True):  # it hangs
            for way in ways:
                known.request_test(match.bob, way.id)
            assert deliver_due(match) == ["postponed", "postponed"]
            assert not receiver.received
            with sending.begin(match.bob, ways[0]) as may_begin:
                assert may_begin, "other messages do not wait for it"
        clock.time += 2
        assert deliver_due(match) == ["sent", "sent"]
        assert sorted(one.path for one in receiver.received) == ["/a", "/b"]

    def test_tests_that_are_pressed_faster_than_they_can_be_sent_are_dropped(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        channel = hook(match, receiver)
        with match.context.container.send_limits.begin(match.bob, channel, asked=True):  # it hangs
            match.context.container.channels.request_test(match.bob, channel.id)
            clock.time += 119
            assert deliver_due(match) == ["postponed"]
            clock.time += 2
            assert deliver_due(match) == ["dropped"]
        assert match.due() == []

    def test_a_message_is_sent_again_as_it_was(self, match: Match, receiver: Receiver) -> None:
        channel = hook(match, receiver)
        match.play("R4@3")
        deliver_due(match)
        match.play("O7@3")
        deliver_due(match)
        container = match.context.container
        (delivery,) = container.delivery_log.all(match.bob, channel.id)
        container.channels.request_again(match.bob, channel.id, delivery.notice)
        deliver_due(match)
        first, second = receiver.received
        assert first.body == second.body
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        (delivery,) = container.delivery_log.all(match.bob, channel.id)
        assert (delivery.state, delivery.attempts, delivery.again) == ("delivered", 2, False)

    def test_only_the_last_deliveries_are_kept(self, match: Match, receiver: Receiver) -> None:
        channel = hook(match, receiver)
        kept = match.context.container.delivery_log
        parts = NoticeParts(match.id, 1, match.bob, notice_channel(channel), "turn")
        for number in range(MOST_DELIVERIES + 5):
            name = ".".join(map(str, parts._replace(version=number)))
            one = ChannelDelivery(name, "turn", match.id, number, number, "delivered")
            kept.record(match.bob, channel.id, one)
        found = kept.all(match.bob, channel.id)
        assert [one.first for one in found] == list(range(MOST_DELIVERIES + 4, 4, -1))


def test_one_player_alone_does_not_use_up_what_an_address_may_get(heard: Heard) -> None:
    """By however many channels they send to it: so others' messages arrive there in time."""
    ways = [hook(heard.match, heard.receiver, path=path) for path in "abcd"]
    sending, address = heard.match.context.container.send_limits, "192.0.2.1"
    for number in range(OF_ADDRESS + 10):
        with sending.begin(heard.match.ann, ways[number % 4], asked=number % 2 == 0) as may_begin:
            if may_begin:
                sending.may_connect(address, heard.clock.time)
    with sending.begin(heard.match.bob, ways[0]) as may_begin:
        assert may_begin
        assert sending.may_connect(address, heard.clock.time)


def test_a_host_that_one_player_has_hang_has_room_for_another(heard: Heard) -> None:
    first, second, third = (hook(heard.match, heard.receiver, path=path) for path in "abc")
    sending = heard.match.context.container.send_limits
    with (
        sending.begin(heard.match.ann, first) as one,
        sending.begin(heard.match.ann, second) as other,
        sending.begin(heard.match.ann, third) as too_many,
        sending.begin(heard.match.bob, first) as of_bob,
    ):
        assert (one, other, too_many, of_bob) == (True, True, False, True)
