"""The daily digest: what it tells, and that none is lost or told twice."""

from contextlib import suppress
from datetime import datetime

import pytest

from service.accounts.mail_preferences import Subscription
from service.accounts.notice_kinds import DIGEST
from service.core.times import DAY, HOUR
from service.games import ChangeContext, NewGame
from service.games.rematches import Wanted
from service.server.app import create_app
from tests.support.settings import settings
from tests.workers.delivering import deliver, deliver_together
from tests.workers.mail.club import BERLIN, Club


class Killed(BaseException):
    """The process ends here."""


REPEATED = {("mailer", "send", True), ("outbox", "finish", False), ("outbox", "finish", True)}
"""Where the mail is out, and nobody knows: it is sent again under the same Message-ID."""


def _kill_once(monkeypatch: pytest.MonkeyPatch, owner: object, step: str, done: bool) -> None:
    """Let the process die before this step, or right after it, the first time it is taken."""
    works = getattr(owner, step)
    left = [1]

    def dies(*args: object) -> object:
        if not left:
            return works(*args)
        left.clear()
        if done:
            works(*args)
        raise Killed

    monkeypatch.setattr(owner, step, dies)


class TestDigest:
    @pytest.fixture(autouse=True)
    def _chosen(self, club: Club) -> None:
        club.choose(delivery="digest", digest_at="08:00")

    def test_the_least_time_left_comes_first(self, club: Club) -> None:
        for days in (3, 14, 1, 7):
            club.begin(clock={"days_per_move": days})
        club.begin()
        club.wait(21 * HOUR)
        (mail,) = club.sent
        lines = [line for line in mail.text.splitlines() if "Against" in line]
        shown = [line.partition("until ")[2].split(" ")[1] for line in lines[:-1]]
        assert shown == ["22", "24", "28", "5"]
        assert "no time limit" in lines[-1]

    def test_a_game_for_practice_is_not_in_it(self, club: Club) -> None:
        games, over = club.container.games, club.begin()
        games.resign(over, club.bob)
        games.practice.begin(over, club.ann, Wanted(), ChangeContext())
        club.begin()
        club.wait(21 * HOUR)
        (mail,) = club.sent
        assert mail.text.count("Against") == 1

    def test_a_clock_that_is_paused_is_no_game_without_a_limit(self, club: Club) -> None:
        game = club.begin(clock={"days_per_move": 3})
        for player in (club.ann, club.bob):
            club.container.games.pauses.agree(game, player, None, ChangeContext())
        club.wait(21 * HOUR)
        (mail,) = [one for one in club.sent if one.kind == DIGEST]
        assert "Against Bob: 3 days left · paused." in mail.text

    def test_a_turn_played_before_is_not_told(self, club: Club) -> None:
        game = club.begin()
        club.wait(HOUR)
        club.play(game, club.ann)
        club.wait(2 * DAY)
        assert club.sent == []
        assert not club.container.deferred_notices.waiting(club.ann)

    def test_without_news_or_subscription_there_is_none(self, club: Club) -> None:
        club.begin()
        club.wait(5 * DAY)
        assert [mail.kind for mail in club.sent] == [DIGEST]

        club.wait(21 * HOUR)
        link = club.sent[0].text.partition("Fewer mails: ")[2].split()[0]
        path = link.removeprefix(club.container.settings.base_url)
        fresh = create_app(settings(), club.container.redis, club.clock).test_client()
        assert fresh.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
        club.begin()
        club.wait(3 * DAY)
        assert len(club.sent) == 1
        club.choose(delivery="digest")  # chosen anew
        club.begin()
        club.wait(DAY)
        assert len(club.sent) == 2

    @pytest.mark.parametrize(("days", "kind"), [(1, "turn"), (2, DIGEST)])
    def test_a_turn_that_would_be_too_late_comes_at_once(
        self, club: Club, days: int, kind: str
    ) -> None:
        """On the day of 25 hours the next digest can come after a day to move."""
        club.choose(time_zone=BERLIN)
        club.clock.time = datetime.fromisoformat("2026-10-24T06:30+00:00").timestamp()
        club.begin(clock={"days_per_move": days})
        club.wait(25 * HOUR)
        assert [mail.kind for mail in club.sent] == [kind]

    def test_all_kinds_of_news_are_told(self, club: Club) -> None:
        games = club.container.games
        games.resign(club.begin(), club.bob)
        invited = games.create(club.bob, NewGame(opponent=club.ann))
        club.wait(21 * HOUR)
        (mail,) = club.sent
        assert "Your game against Bob is over." in mail.text
        assert "Bob invites you to a game." in mail.text
        assert invited.id in mail.text
        assert mail.subject == "Scottenbury: your games today"

    def test_a_kind_turned_off_is_not_in_it(self, club: Club) -> None:
        club.preferences.turn_off(Subscription(club.ann, "over"))
        club.container.games.resign(club.begin(), club.bob)
        club.wait(2 * DAY)
        assert club.sent == []

    def test_who_chooses_otherwise_meanwhile_is_told_soon_after(self, club: Club) -> None:
        club.begin()
        club.wait(HOUR)
        club.choose(delivery="at_once")
        club.wait(20 * HOUR)
        (mail,) = club.sent
        assert (mail.kind, mail.hour("UTC")) == ("turn", 8)

    def test_a_digest_that_is_lost_is_made_up_for(self, club: Club) -> None:
        """A backup, say, holds the notices of games only."""
        club.begin()
        club.wait(HOUR)
        (lost,) = [n.id for n in club.container.log.outbox.pending() if n.id.endswith(DIGEST)]
        club.container.log.outbox.finish(lost)
        waiting = club.container.deferred_notices.waiting(club.ann)
        club.container.deferred_notices.drop(club.ann, waiting)
        club.wait(3 * DAY)
        (mail,) = club.sent
        assert mail.kind == DIGEST
        assert "It is your turn in one game." in mail.text

    def test_a_mail_server_that_is_away_delays_it(self, club: Club) -> None:
        club.begin()
        club.wait(19 * HOUR)
        club.mailer.broken = True
        club.wait(8 * HOUR)
        club.mailer.broken = False
        club.wait(3 * DAY)
        assert [mail.kind for mail in club.sent] == [DIGEST]
        assert [n for n in club.container.log.outbox.pending() if ".mail." in n.id] == []

    @pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
    @pytest.mark.parametrize(
        ("owner", "step"),
        [
            ("deferred_notices", "add"),
            ("deferred_notices", "drop"),
            ("outbox", "add"),
            ("outbox", "postpone"),
            ("outbox", "finish"),
            ("mailer", "send"),
        ],
    )
    def test_a_worker_killed_at_any_step_loses_and_repeats_nothing(
        self, club: Club, monkeypatch: pytest.MonkeyPatch, owner: str, step: str, done: bool
    ) -> None:
        mailer = club.mailer
        owners = {
            "deferred_notices": club.container.deferred_notices,
            "outbox": club.container.log.outbox,
            "mailer": mailer,
        }
        club.begin()
        club.begin()
        _kill_once(monkeypatch, owners[owner], step, done)
        for _ in range(48):
            with suppress(Killed):
                club.wait(HOUR)
        mails = {message.id for _, message in mailer.sent}
        assert len(mails) == 1
        assert len(mailer.sent) == (2 if (owner, step, done) in REPEATED else 1)
        assert "It is your turn in 2 games." in club.sent[0].text
        assert [n for n in club.container.log.outbox.pending() if ".mail." in n.id] == []
        assert club.container.deferred_notices.waiting(club.ann) == []

    def test_what_it_told_is_not_told_again_by_whoever_had_claimed_it(self, club: Club) -> None:
        club.begin()
        club.wait(HOUR)
        (own,) = [n for n in club.container.log.outbox.pending() if n.id.endswith(DIGEST)]
        (kept,) = club.container.deferred_notices.waiting(club.ann)
        club.clock.time = own.due + HOUR
        assert club.container.log.outbox.claim(9, 60, "mail")
        assert deliver_together(club.context, [own.id, kept]) == ["sent", "postponed"]
        club.wait(3 * DAY)
        assert len(club.mailer.sent) == 1
        assert club.container.deferred_notices.waiting(club.ann) == []

    def test_sent_again_after_a_crash_it_is_the_same_mail(self, club: Club) -> None:
        club.begin()
        club.wait(HOUR)
        (own,) = [n for n in club.container.log.outbox.pending() if n.id.endswith(DIGEST)]
        kept = club.container.deferred_notices.waiting(club.ann)
        club.clock.time = own.due
        assert deliver(club.context, own.id) == "sent"
        for notice in kept:  # as if it had died before it struck them off
            club.container.deferred_notices.add(club.ann, notice)
        assert deliver(club.context, own.id) in ("sent", "dropped")
        assert len({message.id for _, message in club.mailer.sent}) == 1

    def test_the_choice_for_a_game_ends_with_the_game(self, club: Club) -> None:
        game = club.begin()
        club.choose(delivery="at_once")
        club.preferences.set_game(club.ann, game, "digest")
        club.container.games.resign(game, club.bob)
        club.wait(DAY)
        assert [mail.kind for mail in club.sent] == [DIGEST]
        assert club.preferences.choice(club.ann).games == {}

    def test_quiet_hours_hold_it_back_too(self, club: Club) -> None:
        club.choose(quiet="07:00-10:00")
        club.begin()
        club.wait(DAY)
        (mail,) = club.sent
        assert mail.hour("UTC") == 10
