"""A notice goes to each of a player's channels once, and is tried again for a day."""

import json

import pytest

from engine import legal
from service.accounts.channels import notice_channel, send_limits
from service.accounts.mail_preferences import Subscription
from service.core.times import DAY, HOUR
from service.eventlog import Notice, NoticeParts
from service.games import NewGame
from tests.support.channels import working_channel
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.receiver import Receiver
from tests.workers.channels.hooks import hook, state, told
from tests.workers.channels.networks import Heard
from tests.workers.channels.passing import deliver_due, next_due, two_turns
from tests.workers.match import Match


class TestOneNotice:
    def test_all_channels_tell_it_once(self, heard: Heard, mailserver: MailServer) -> None:
        hook(heard.match, heard.receiver, path="a")
        hook(heard.match, heard.receiver, path="b")
        heard.match.play("R4@3")
        deliver_due(heard.match)
        assert sorted(one.path for one in heard.receiver.received) == ["/a", "/b"]
        assert len(mailserver.mails) == 1
        assert told(heard.match) == {"mail": "reached", "webhook": "reached"}
        assert deliver_due(heard.match) == []

    def test_a_notice_that_is_told_again_after_a_crash_is_not_repeated(self, heard: Heard) -> None:
        hook(heard.match, heard.receiver)
        heard.match.play("R4@3")
        (notice, *_) = [one for one in heard.match.due() if ".mail.turn" in one]
        deliver_due(heard.match)
        container = heard.match.context.container
        container.log.outbox.add(Notice(notice, container.now()))
        deliver_due(heard.match)
        assert len(heard.receiver.received) == 1

    def test_what_was_told_of_a_lost_log_is_not_this_turn(
        self, match: Match, receiver: Receiver, mailserver: MailServer, clock: Clock
    ) -> None:
        channel = notice_channel(hook(match, receiver))
        version = match.now().version + 3
        for name in ("mail", channel):
            lost = NoticeParts(match.id, version, match.bob, name, "turn")
            match.context.container.ledger.record(lost, name, "reached")
        clock.time += 60
        assert match.play("R4@3").turn_version == version
        deliver_due(match)
        assert (len(mailserver.mails), len(receiver.received)) == (1, 1)

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
            "text": "Ann played Red 4 on Stone 3.",
            "url": f"http://scottenbury.test/games/{match.id}",
        }
        assert b"@" not in got.body

    def test_a_turn_that_was_played_meanwhile_is_not_told(self, heard: Heard) -> None:
        channel = hook(heard.match, heard.receiver)
        heard.receiver.status = 500
        heard.match.play("R4@3")
        deliver_due(heard.match)
        heard.match.play("O7@3")
        heard.clock.time += 60
        heard.receiver.status = 200
        deliver_due(heard.match)
        assert len(heard.receiver.received) == 1
        (delivery,) = heard.match.context.container.delivery_log.all(heard.match.bob, channel.id)
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
        guest = container.registrations.register_guest("Gus").player
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
        two_turns(match)
        deliver_due(match)
        assert (len(receiver.received), mailserver.mails) == (2, [])

    def test_the_end_of_a_game_ends_the_choices_about_it(self, heard: Heard) -> None:
        channel = hook(heard.match, heard.receiver)
        channels = heard.match.context.container.channels
        channels.change(heard.match.bob, channel.id, games_off=("onrw65dumvxhs5dporxw",))
        heard.match.context.container.games.resign(heard.match.id, heard.match.ann)
        deliver_due(heard.match)
        (got,) = heard.receiver.received
        assert json.loads(got.body)["data"]["title"] == "Over: Ann v Bob"


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
        assert state(match, channel).failure == (clock.time, "it answered 500", True)
        (delivery,) = match.context.container.delivery_log.all(match.bob, channel.id)
        assert (delivery.state, delivery.attempts) == ("failed", len(receiver.received))
        (dead,) = match.context.container.dead_letters.all()
        assert dead.notice.endswith(f"{notice_channel(channel)}.turn")
        two_turns(match)
        deliver_due(match)
        assert len(receiver.received) == delivery.attempts

    def test_who_answers_410_is_left_alone(self, match: Match, receiver: Receiver) -> None:
        channel = hook(match, receiver)
        receiver.status = 410
        match.play("R4@3")
        assert "dead-letter" in deliver_due(match)
        assert state(match, channel).state == "off"

    def test_who_asks_to_wait_is_given_the_time(self, match: Match, receiver: Receiver) -> None:
        hook(match, receiver)
        receiver.status, receiver.headers = 429, {"Retry-After": "1800"}
        match.play("R4@3")
        deliver_due(match)
        assert next_due(match) == match.clock.time + 1800

    def test_while_a_channel_fails_nothing_else_is_tried_on_it(self, heard: Heard) -> None:
        hook(heard.match, heard.receiver)
        heard.receiver.status = 503
        heard.match.play("R4@3")
        deliver_due(heard.match)
        heard.match.context.container.games.resign(heard.match.id, heard.match.ann)
        deliver_due(heard.match)
        assert len(heard.receiver.received) == 1
        heard.receiver.status = 200
        heard.clock.time += 60
        deliver_due(heard.match)
        kinds = [json.loads(one.body)["type"] for one in heard.receiver.received]
        assert kinds == ["game.turn", "game.over"]

    def test_a_redirect_is_a_failure(self, match: Match, receiver: Receiver) -> None:
        channel = hook(match, receiver)
        receiver.status, receiver.headers = 302, {"Location": "http://169.254.169.254/"}
        match.play("R4@3")
        deliver_due(match)
        trouble = state(match, channel).failure
        assert trouble is not None
        assert trouble.why == "it answered 302, a redirect, and none is followed"
        assert len(receiver.received) == 1


def test_a_new_one_gets_one_test_at_once_and_tells_whatever_became_of_it(heard: Heard) -> None:
    known, heard.receiver.status = heard.match.context.container.channels, 401
    channel = known.add(heard.match.bob, "webhook", {"url": f"{heard.receiver.url}/hook"})
    assert deliver_due(heard.match) == ["dropped"]
    assert deliver_due(heard.match) == [], "a test is not repeated"
    assert state(heard.match, channel).state == "working"
    heard.receiver.status = 204
    heard.match.play("R4@3")
    deliver_due(heard.match)
    types = [json.loads(one.body)["type"] for one in heard.receiver.received]
    assert types == ["channel.test", "game.turn"]


@pytest.mark.parametrize("mail", [True, False])
def test_what_was_told_is_known_by_game_version_and_player(
    mail: bool, match: Match, receiver: Receiver, mailserver: MailServer, clock: Clock
) -> None:
    told_of = match.context.container.ledger
    hook(match, receiver)
    receiver.status = 500
    if not mail:
        mailserver.unknown.add("bob@example.org")
    match.play("R4@3")
    version = match.now().turn_version
    assert not told_of.of_turn(match.bob, match.id, version, 0).is_notified
    deliver_due(match)
    turn = told_of.of_turn(match.bob, match.id, version, 0)
    assert turn.is_notified == mail
    assert turn.reached == ({"mail": int(clock.time)} if mail else {})
    assert not told_of.of_turn(match.bob, match.id, version + 1, 0).channels
    assert not told_of.of_turn(match.ann, match.id, version, 0).channels


class TestBudget:
    """Nobody proves that an address is theirs: what all players send to one is bounded."""

    def test_what_is_over_it_waits_and_is_no_fault_of_the_channel(
        self, heard: Heard, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(send_limits, "OF_ADDRESS", 1)
        ways = [hook(heard.match, heard.receiver, path=path) for path in ("a", "b")]
        heard.match.play("R4@3")
        assert sorted(deliver_due(heard.match)) == ["postponed", "sent", "sent"]  # one is the mail
        heard.match.context.container.channels.request_test(heard.match.bob, ways[0].id)
        assert deliver_due(heard.match) == ["dropped"]
        deliveries = heard.match.context.container.delivery_log.all(heard.match.bob, ways[0].id)
        (tested,) = [one for one in deliveries if one.kind == "test"]
        assert "too much goes to its network address" in tested.words
        assert {state(heard.match, way).state for way in ways} == {"working"}
        heard.clock.time += 60
        assert deliver_due(heard.match) == ["sent"]
        assert sorted(one.path for one in heard.receiver.received) == ["/a", "/b"]


class TestAccountThatIsClosed:
    def left_of(self, match: Match) -> list[str]:
        """The keys that hold what a player was told."""
        keys = match.context.container.redis.keys(f"st:{{{match.bob}}}:*")
        return [key for key in keys if ":told:" in key or ":deliveries:" in key]

    def close(self, match: Match) -> None:
        container = match.context.container
        bob = container.players.find(match.bob)
        assert bob is not None
        container.accounts.close(bob)

    def test_what_was_on_its_way_leaves_nothing_of_them(self, heard: Heard) -> None:
        hook(heard.match, heard.receiver)
        heard.receiver.status = 500
        heard.match.play("R4@3")
        deliver_due(heard.match)
        self.close(heard.match)
        heard.clock.time += DAY
        deliver_due(heard.match)
        assert self.left_of(heard.match) == []
        assert not [notice for notice in heard.match.due() if heard.match.bob in notice]

    def test_nor_does_what_is_being_sent_meanwhile(self, match: Match, receiver: Receiver) -> None:
        hook(match, receiver)
        receiver.on_request = lambda: self.close(match)
        match.play("R4@3")
        deliver_due(match)
        assert len(receiver.received) == 1
        assert self.left_of(match) == []
