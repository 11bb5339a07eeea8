"""Mail as its reader has chosen: a week of it, in quiet hours, and for who chose nothing."""

from collections import Counter
from datetime import datetime
from itertools import pairwise

import pytest

from service.accounts.mail_preferences import Subscription
from service.accounts.notice_kinds import DIGEST
from service.core.times import DAY, HOUR
from tests.support.clock import NOON
from tests.workers.delivering import deliver
from tests.workers.mail.club import BERLIN, Club
from tests.workers.match import begin
from workers.context import WorkerContext


def week(club: Club, visits: tuple[int, ...] = ()) -> Counter[str]:
    """A week of three games in which Bob hands Ann the turn at 03:00, 12:00 and 20:00 UTC; on the
    days of `visits` she comes by at 18:00. What she is sent, by kind."""
    games = [club.begin() for _ in range(3)]
    for day in range(7):
        for hour, game in zip((12, 20, 27), games, strict=True):
            club.wait(NOON + day * DAY + (hour - 12) * HOUR - club.clock.time)
            club.both_play(game)
            if hour == 12 and day in visits:
                club.wait(6 * HOUR)
                club.visit()
    club.wait(DAY)
    return Counter(mail.kind for mail in club.sent)


class TestAWeek:
    def test_at_once_each_turn_is_a_mail(self, club: Club) -> None:
        assert week(club) == {"turn": 3 + 7 * 3}
        assert all(mail.at % DAY in (3 * HOUR, 12 * HOUR, 20 * HOUR) for mail in club.sent)

    def test_off_is_silence_and_one_game_differs(self, club: Club) -> None:
        club.choose(delivery="off")
        assert week(club) == {}
        assert [n for n in club.container.log.outbox.pending() if ".mail." in n.id] == []

        game = club.begin()
        club.preferences.set_game(club.ann, game, "at_once")
        club.wait(0)
        for _ in range(3):
            club.both_play(game)
            club.wait(HOUR)
        assert week(club) == {"turn": 4}

    def test_until_visit_one_mail_follows_each_visit(self, club: Club) -> None:
        club.choose(delivery="until_visit")
        assert week(club, visits=(1, 2, 5)) == {"turn": 4}
        assert [(mail.at - NOON) // DAY for mail in club.sent] == [0, 1, 2, 5]

    def test_a_digest_a_day_lists_all_turns(self, club: Club) -> None:
        club.choose(delivery="digest", digest_at="08:00", time_zone=BERLIN)
        assert week(club) == {DIGEST: 7}
        assert {mail.hour() for mail in club.sent} == {8}
        assert all(before.at + DAY == after.at for before, after in pairwise(club.sent))
        assert "It is your turn in 3 games." in club.sent[3].text
        assert club.sent[3].text.count("Against Bob: no time limit.") == 3

    def test_quiet_hours_move_mail_to_their_end(self, club: Club) -> None:
        club.choose(time_zone=BERLIN, quiet="20:30-07:00")  # 03:00 and 20:00 UTC are in them
        # What falls due in one night comes in one go, but each turn is told.
        assert week(club) == {"turn": 3 + 7 * 3}
        assert {mail.hour() for mail in club.sent} == {7, 13}


class TestQuietHours:
    @pytest.mark.parametrize(("days", "hour"), [(1, 8), (2, 13)])
    def test_what_would_come_too_late_is_sent_at_once(
        self, club: Club, days: int, hour: int
    ) -> None:
        club.choose(quiet="07:00-13:00")
        club.begin(clock={"days_per_move": days})  # at noon
        club.clock.time += 20 * HOUR  # no worker ran
        club.wait(8 * HOUR)
        assert [mail.hour("UTC") for mail in club.sent] == [hour]

    @pytest.mark.parametrize(
        ("now", "expected"),
        [
            ("2026-03-29T00:30", "2026-03-29T05:00"),  # the clock went forward in between
            ("2026-10-25T00:30", "2026-10-25T06:00"),  # and back
        ],
    )
    def test_the_clock_is_changed_in_them(self, club: Club, now: str, expected: str) -> None:
        club.choose(time_zone=BERLIN, quiet="22:00-07:00")
        club.clock.time = datetime.fromisoformat(f"{now}+00:00").timestamp()
        club.begin()
        club.wait(12 * HOUR)
        assert [mail.at for mail in club.sent] == [
            datetime.fromisoformat(f"{expected}+00:00").timestamp()
        ]

    def test_links_to_sign_in_come_at_once(self, club: Club) -> None:
        club.choose(quiet="11:00-15:00", delivery="off")
        for kind in ("turn", "over", DIGEST):
            club.preferences.turn_off(Subscription(club.ann, kind))
        club.container.sign_in.request_link("ann@example.org")
        club.deliver()
        assert [mail.kind for mail in club.sent] == ["sign-in"]


def test_the_deadline_is_told_in_the_players_time_zone(club: Club) -> None:
    club.choose(time_zone="Asia/Kathmandu")
    club.begin(clock={"days_per_move": 3})
    club.wait(0)
    assert "until Tue 24 Nov 17:45\n" in club.sent[0].text


def test_nothing_is_held_back_from_who_chose_nothing(context: WorkerContext) -> None:
    match = begin(context)
    match.play("R4@3")
    assert [deliver(context, notice) for notice in match.due()] == ["sent"]
    assert not list(context.container.redis.scan_iter(f"st:*{match.bob}*:mail*"))
