"""What readers choose about mail, and turning kinds off by a signed link."""

import pytest

from service.accounts.mail_preferences import (
    MailChoice,
    MailPreferences,
    QuietHours,
    Subscription,
    clock_time,
    guest,
    read_choice,
    read_clock_time,
)
from service.accounts.mail_state import DeferredNotices
from service.accounts.notice_kinds import CHOICES, GROUPS
from service.core.redis.batch import execute
from service.core.redis.client import Client
from tests.support.round_trips import round_trips

TURN = Subscription("ann", "turn")


def preferences(redis: Client, key: str = "key") -> MailPreferences:
    return MailPreferences(redis, key, "http://test")


def token(url: str) -> str:
    return url.rpartition("/")[2]


def test_a_kind_is_wanted_until_it_is_turned_off_and_can_be_turned_on_again(redis: Client) -> None:
    mine = preferences(redis)
    assert mine.wanted(TURN)

    mine.turn_off(TURN)

    assert not mine.wanted(TURN)
    assert mine.wanted(Subscription("ann", "over"))
    assert mine.wanted(Subscription("bob", "turn"))

    mine.turn_off(TURN)

    mine.turn_on(TURN)

    assert mine.wanted(TURN)

    url = mine.url(TURN)

    assert url.startswith("http://test/unsubscribe/")
    assert mine.read(token(url)) == TURN


def test_a_link_that_another_server_signed_stands_for_nothing(redis: Client) -> None:
    forged = preferences(redis, "another key").url(TURN)

    assert preferences(redis).read(token(forged)) is None


def test_a_guest_is_known_by_address_however_it_is_written() -> None:
    assert guest("Ann@Example.org") == guest("ann@example.org") != guest("bob@example.org")


class TestGroups:
    def test_each_kind_of_news_is_in_one_group(self) -> None:
        assert sorted(kind for kinds in GROUPS.values() for kind in kinds) == sorted(
            CHOICES.keys() - {"digest"}
        )

    def test_a_group_is_turned_off_and_on_as_a_whole(self, redis: Client) -> None:
        mine = preferences(redis)
        mine.choose_groups("ann", {"invitation": False})
        assert mine.turned_off("ann") == sorted(GROUPS["invitation"])
        assert mine.groups("ann") == {**dict.fromkeys(GROUPS, True), "invitation": False}
        mine.choose_groups("ann", {"invitation": True})
        assert mine.turned_off("ann") == []

    def test_what_was_turned_off_stays_off_in_a_group_that_stays_on(self, redis: Client) -> None:
        mine = preferences(redis)
        mine.turn_off(Subscription("ann", "started"))
        assert mine.groups("ann")["invitation"]
        mine.choose_groups("ann", dict.fromkeys(GROUPS, True))
        assert mine.turned_off("ann") == ["started"]

    def test_a_group_that_is_partly_off_is_turned_off_wholly(self, redis: Client) -> None:
        mine = preferences(redis)
        mine.turn_off(Subscription("ann", "started"))
        mine.choose_groups("ann", {"invitation": False})
        assert mine.turned_off("ann") == sorted(GROUPS["invitation"])


GAME = "onrw65dumvxhs5dporxw"


class TestChoice:
    def test_mail_comes_at_once_until_something_is_chosen(self, redis: Client) -> None:
        assert preferences(redis).choice("ann") == MailChoice()
        assert MailChoice().delivery_of(GAME) == "at_once"
        assert MailChoice().quiet_until(0) is None

    def test_what_is_chosen_is_read_again(self, redis: Client) -> None:
        mine = preferences(redis)
        mine.set_choice(
            "ann",
            {
                "delivery": "digest",
                "digest_at": "07:30",
                "time_zone": "Asia/Kathmandu",
                "quiet": "22:00-06:45",
                "reminders": "last",
            },
        )
        mine.set_game("ann", GAME, "off")
        chosen = MailChoice(
            delivery="digest",
            digest_at=7 * 60 + 30,
            time_zone="Asia/Kathmandu",
            quiet=QuietHours(22 * 60, 6 * 60 + 45),
            reminders="last",
            games={GAME: "off"},
        )
        assert mine.choice("ann") == chosen
        assert execute(redis, mine.choice_query("ann", GAME)) == chosen
        assert execute(redis, mine.choice_query("ann", "a" * 20)).games == {}
        assert (chosen.delivery_of(GAME), chosen.delivery_of("a" * 20)) == ("off", "digest")
        assert mine.choice("bob") == MailChoice()

    def test_a_choice_is_taken_back(self, redis: Client) -> None:
        mine = preferences(redis)
        mine.set_choice("ann", {"quiet": "22:00-06:45"})
        mine.set_game("ann", GAME, "off")
        mine.set_choice("ann", {"quiet": None})
        mine.set_game("ann", GAME, None)
        assert mine.choice("ann") == MailChoice()
        assert not redis.keys()

    def test_a_player_who_chooses_the_digest_gets_it(self, redis: Client) -> None:
        mine, digest = preferences(redis), Subscription("ann", "digest")
        mine.turn_off(digest)
        mine.set_choice("ann", {"digest_at": "09:00"})
        assert not mine.wanted(digest)
        mine.set_game("ann", GAME, "digest")
        assert mine.wanted(digest)

    @pytest.mark.parametrize(
        "stored",
        [
            {"delivery": "sometimes"},
            {"digest_at": "24:00"},
            {"digest_at": "8:00"},
            {"quiet": "22:00"},
            {"quiet": "22:00-22:00"},
            {"quiet": "-"},
            {f"game:{GAME}": "sometimes"},
            {"whim": "much"},
        ],
    )
    def test_what_cannot_be_read_is_as_if_not_chosen(self, stored: dict[str, str]) -> None:
        assert read_choice(stored) == MailChoice()

    def test_a_zone_that_is_gone_is_read_as_utc(self) -> None:
        choice = read_choice({"time_zone": "Mars/Olympus", "digest_at": "08:00"})
        assert choice.time_zone == "Mars/Olympus"
        assert choice.next_digest(0) == 8 * 3600

    def test_every_minute_is_written_and_read(self) -> None:
        assert [read_clock_time(clock_time(minute)) for minute in range(1440)] == list(range(1440))


class TestDeferredNotices:
    def test_one_notice_is_told_until_the_next_visit(self, redis: Client) -> None:
        held = DeferredNotices(redis)
        assert not execute(redis, held.awaits_visit_query("ann"))
        assert held.reserve("ann", "one")
        assert held.reserve("ann", "one"), "it may have to be sent again"
        with round_trips() as trips:
            assert not held.reserve("ann", "two")
        assert trips.count == 1
        assert held.reserve("bob", "two")
        assert execute(redis, held.awaits_visit_query("ann"))
        held.visited("ann")
        assert held.reserve("ann", "two")

    def test_a_notice_that_proved_untrue_makes_room(self, redis: Client) -> None:
        held = DeferredNotices(redis)
        held.reserve("ann", "one")
        held.mark_obsolete("ann", "two")
        assert not held.reserve("ann", "two")
        held.mark_obsolete("ann", "one")
        assert held.reserve("ann", "two")

    def test_notices_are_kept_once(self, redis: Client) -> None:
        held = DeferredNotices(redis)
        for notice in ("two", "one", "two"):
            held.add("ann", notice)
        assert held.waiting("ann") == ["one", "two"]
        held.drop("ann", ["two"])
        assert held.waiting("ann") == ["one"]
