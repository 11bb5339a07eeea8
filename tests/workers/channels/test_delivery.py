"""A notice goes to each of a player's channels once, and to the fallbacks where all others fail."""

import json
from typing import Any

import pytest

from engine import legal
from service.accounts.channels import Channel, notice_channel
from service.accounts.channels.delivery_log import MOST_DELIVERIES, ChannelDelivery
from service.accounts.mail_preferences import Subscription
from service.core.durations import DAY, HOUR
from service.core.egress import read_allowed
from service.core.redis.client import Client
from service.eventlog import Notice, NoticeParts
from service.games import NewGame
from tests.support.channels import working_channel
from tests.support.clock import Clock
from tests.support.delivery_reports import delivery_report
from tests.support.mail_server import MailServer
from tests.support.receiver import Receiver
from tests.support.settings import settings
from tests.workers.channels.passing import deliver_due, next_due
from tests.workers.match import Match, begin
from workers.context import build_context
from workers.mail.mailer import SmtpMailer


def hook(match: Match, receiver: Receiver, **chosen: Any) -> Channel:
    """A webhook of Bob's."""
    target = {"url": f"{receiver.url}/{chosen.pop('path', 'hook')}"}
    return working_channel(match.context.container, match.bob, "webhook", target, **chosen)


def told(match: Match) -> dict[str, str]:
    """What became of the notices to Bob of his turn, by channel."""
    container = match.context.container
    turn = container.told.of_turn(match.bob, match.id, match.now().turn_version)
    return {name.partition("-")[0]: one.outcome for name, one in turn.channels.items()}


def state(match: Match, channel: Channel) -> Channel:
    return match.context.container.channels.get(match.bob, channel.id)


class TestOneNotice:
    def test_all_channels_tell_it_once(
        self, match: Match, receiver: Receiver, mailserver: MailServer
    ) -> None:
        hook(match, receiver, path="a")
        hook(match, receiver, path="b")
        match.play("R4@3")
        deliver_due(match)
        assert sorted(one.path for one in receiver.received) == ["/a", "/b"]
        assert len(mailserver.mails) == 1
        assert told(match) == {"mail": "reached", "webhook": "reached"}
        assert deliver_due(match) == []

    def test_a_notice_that_is_told_again_after_a_crash_is_not_repeated(
        self, match: Match, receiver: Receiver
    ) -> None:
        hook(match, receiver)
        match.play("R4@3")
        (notice, *_) = [one for one in match.due() if ".mail.turn" in one]
        deliver_due(match)
        container = match.context.container
        container.log.outbox.add(Notice(notice, container.now()))
        deliver_due(match)
        assert len(receiver.received) == 1

    def test_it_says_nothing_of_cards_and_addresses(self, match: Match, receiver: Receiver) -> None:
        hook(match, receiver)
        match.play("R4@3")
        deliver_due(match)
        (got,) = receiver.received
        message = json.loads(got.body)
        assert message["type"] == "game.turn"
        assert message["timestamp"] == "2026-11-21T12:00:00Z"
        assert message["data"] == {
            "game": match.id,
            "version": match.now().version,
            "head": match.now().head,
            "seat": "south",
            "opponent": {"id": match.ann, "name": "Ann"},
            "deadline": None,
            "title": "Your turn: Ann v Bob",
            "text": "Ann played R4 on Stone 3 and drew a Clan card.",
            "url": f"http://scottenbury.test/games/{match.id}",
        }
        assert b"@" not in got.body

    def test_a_turn_that_was_played_meanwhile_is_not_told(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        channel = hook(match, receiver)
        receiver.status = 500
        match.play("R4@3")
        deliver_due(match)
        match.play("O7@3")
        clock.time += 60
        receiver.status = 200
        deliver_due(match)
        assert len(receiver.received) == 1
        (delivery,) = match.context.container.delivery_log.all(match.bob, channel.id)
        assert (delivery.state, delivery.answer) == ("dropped", 500)


class TestWhatIsTold:
    def test_a_group_or_a_game_that_is_off_is_not(self, match: Match, receiver: Receiver) -> None:
        hook(match, receiver, groups=frozenset({"over"}))
        hook(match, receiver, games_off=(match.id,))
        match.play("R4@3")
        deliver_due(match)
        assert receiver.received == []

    def test_a_player_without_an_address_is_told(self, match: Match, receiver: Receiver) -> None:
        container = match.context.container
        guest = container.players.register_guest("Gus").player
        working_channel(container, guest.id, "webhook", {"url": f"{receiver.url}/gus"})
        made = container.games.create(match.ann, NewGame(first_player="creator"))
        container.games.join(made.id, guest.id, invite=container.games.invitations.token(made.id))
        container.games.play(made.id, match.ann, [legal(container.games.load(made.id).game)[0]])
        deliver_due(match)
        assert [one.path for one in receiver.received] == ["/gus"]

    def test_mail_that_is_turned_off_does_not_turn_the_channels_off(
        self, match: Match, receiver: Receiver, mailserver: MailServer
    ) -> None:
        hook(match, receiver)
        preferences = match.context.container.mail_preferences
        preferences.turn_off(Subscription(match.bob, "turn"))
        match.play("R4@3")
        deliver_due(match)
        assert (len(receiver.received), mailserver.mails) == (1, [])
        preferences.turn_on(Subscription(match.bob, "turn"))
        preferences.set_choice(match.bob, {"delivery": "off"})
        _two_turns(match)
        deliver_due(match)
        assert (len(receiver.received), mailserver.mails) == (2, [])

    def test_the_end_of_a_game_ends_the_choices_about_it(
        self, match: Match, receiver: Receiver
    ) -> None:
        channel = hook(match, receiver)
        channels = match.context.container.channels
        channels.change(match.bob, channel.id, games_off=("onrw65dumvxhs5dporxw",))
        match.context.container.games.resign(match.id, match.ann)
        deliver_due(match)
        (got,) = receiver.received
        assert json.loads(got.body)["data"]["title"] == "Over: Ann v Bob"


def _two_turns(match: Match) -> None:
    """Both play something."""
    for _ in range(2):
        match.play(legal(match.now().game)[0])


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
        _two_turns(match)
        deliver_due(match)
        assert len(receiver.received) == 1
        assert container.told.of_turn(match.bob, match.id, match.now().turn_version).is_told
        container.held_mail.visited(match.bob)
        _two_turns(match)
        deliver_due(match)
        assert len(receiver.received) == 2


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
        trouble = state(match, broken).trouble
        assert trouble is not None
        assert (trouble.off, trouble.why) == (True, "no connection to it")

    def test_an_address_from_which_mail_came_back_does_not_count(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        hook(match, receiver, fallback=True)
        failing = match.context.container.addresses.failing
        failing.mark_returned("bob@example.org", "550 no such user", int(clock.time))
        match.play("R4@3")
        deliver_due(match)
        assert len(receiver.received) == 1
        assert told(match)["mail"] == "failed"

    def test_a_mail_that_comes_back_lets_it_speak_for_that_turn(
        self, redis: Client, clock: Clock, receiver: Receiver, mailserver: MailServer
    ) -> None:
        own = settings(
            allowed_egress=read_allowed("127.0.0.1"),
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

    def test_a_channel_that_is_off_or_deleted_lets_it_speak_at_once(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        channels = match.context.container.channels
        match.context.container.mail_preferences.turn_off(Subscription(match.bob, "turn"))
        first = hook(match, receiver, path="first")
        hook(match, receiver, path="second", fallback=True)
        receiver.status = 500
        match.play("R4@3")
        deliver_due(match)
        channels.remove(match.bob, first.id)
        receiver.status = 200
        clock.time = next_due(match)
        deliver_due(match)
        assert [one.path for one in receiver.received] == ["/first", "/second"]


class TestTrouble:
    def test_the_same_message_is_tried_again_for_a_day_and_the_channel_is_turned_off(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        channel = hook(match, receiver)
        receiver.status = 500
        match.play("R4@3")
        deliver_due(match)
        assert state(match, channel).state == "failing"
        begun, pauses = clock.time, []
        while (notices := [one for one in match.due() if ".webhook-" in one]) != []:
            (pending,) = [
                one for one in match.context.container.log.outbox.pending() if one.id in notices
            ]
            pauses.append(pending.due - clock.time)
            clock.time = pending.due
            deliver_due(match)
        assert DAY <= clock.time - begun < DAY + 6 * HOUR
        assert 6 <= len(pauses) <= 15
        assert pauses == sorted(pauses)
        ids = {one.headers["webhook-id"] for one in receiver.received}
        assert len(ids) == 1
        assert {one.body for one in receiver.received} == {receiver.received[0].body}
        assert state(match, channel).trouble == (clock.time, "it answered 500", True)
        (delivery,) = match.context.container.delivery_log.all(match.bob, channel.id)
        assert (delivery.state, delivery.attempts) == ("failed", len(receiver.received))
        (dead,) = match.context.container.dead_letters.all()
        assert dead.notice.endswith(f"{notice_channel(channel)}.turn")
        _two_turns(match)
        deliver_due(match)
        assert len(receiver.received) == delivery.attempts

    def test_who_answers_410_is_left_alone(self, match: Match, receiver: Receiver) -> None:
        channel = hook(match, receiver)
        receiver.status = 410
        match.play("R4@3")
        assert "dead-letter" in deliver_due(match)
        assert state(match, channel).state == "off"

    def test_who_asks_to_wait_is_given_the_time(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        hook(match, receiver)
        receiver.status, receiver.headers = 429, {"Retry-After": "1800"}
        match.play("R4@3")
        deliver_due(match)
        assert next_due(match) == clock.time + 1800

    def test_while_a_channel_fails_nothing_else_is_tried_on_it(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        hook(match, receiver)
        receiver.status = 503
        match.play("R4@3")
        deliver_due(match)
        match.context.container.games.resign(match.id, match.ann)
        deliver_due(match)
        assert len(receiver.received) == 1
        receiver.status = 200
        clock.time += 60
        deliver_due(match)
        kinds = [json.loads(one.body)["type"] for one in receiver.received]
        assert kinds == ["game.turn", "game.over"]

    def test_a_redirect_is_a_failure(self, match: Match, receiver: Receiver) -> None:
        channel = hook(match, receiver)
        receiver.status, receiver.headers = 302, {"Location": "http://169.254.169.254/"}
        match.play("R4@3")
        deliver_due(match)
        trouble = state(match, channel).trouble
        assert trouble is not None
        assert trouble.why == "it answered 302, a redirect, and none is followed"
        assert len(receiver.received) == 1


class TestNew:
    def test_it_is_on_once_a_test_has_arrived_and_tells_nothing_before(
        self, match: Match, receiver: Receiver, clock: Clock
    ) -> None:
        known, receiver.status = match.context.container.channels, 404
        channel = known.add(match.bob, "webhook", {"url": f"{receiver.url}/hook"})
        match.play("R4@3")
        assert sorted(deliver_due(match)) == ["dropped", "sent"]  # the test, and the mail
        assert [json.loads(one.body)["type"] for one in receiver.received] == ["channel.test"]
        assert state(match, channel).state == "off"
        assert deliver_due(match) == []  # a test is not repeated
        receiver.status = 204
        clock.time += 60
        known.request_test(match.bob, channel.id)
        deliver_due(match)
        assert state(match, channel).state == "working"
        _two_turns(match)
        deliver_due(match)
        assert json.loads(receiver.received[-1].body)["type"] == "game.turn"


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
        known, sending = match.context.container.channels, match.context.container.sending
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
        with match.context.container.sending.begin(match.bob, channel, asked=True):  # it hangs
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
        container = match.context.container
        kept = container.delivery_log
        parts = NoticeParts(match.id, 1, match.bob, notice_channel(channel), "turn")
        for number in range(MOST_DELIVERIES + 5):
            name = ".".join(map(str, parts._replace(version=number)))
            one = ChannelDelivery(name, "turn", match.id, number, number, "delivered")
            kept.note(match.bob, channel.id, one)
        found = kept.all(match.bob, channel.id)
        assert [one.first for one in found] == list(range(MOST_DELIVERIES + 4, 4, -1))


@pytest.mark.parametrize("mail", [True, False])
def test_what_was_told_is_known_by_game_version_and_player(
    mail: bool, match: Match, receiver: Receiver, mailserver: MailServer, clock: Clock
) -> None:
    told_of = match.context.container.told
    hook(match, receiver)
    receiver.status = 500
    if not mail:
        mailserver.unknown.add("bob@example.org")
    match.play("R4@3")
    version = match.now().turn_version
    assert not told_of.of_turn(match.bob, match.id, version).is_told
    deliver_due(match)
    turn = told_of.of_turn(match.bob, match.id, version)
    assert turn.is_told == mail
    assert turn.told_at == (int(clock.time) if mail else None)
    assert set(turn.reached) == ({"mail"} if mail else set())
    assert not told_of.of_turn(match.bob, match.id, version + 1).channels
    assert not told_of.of_turn(match.ann, match.id, version).channels
