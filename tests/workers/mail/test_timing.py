"""Mail as its reader has chosen: at once, in one mail until a visit, in a daily digest, never."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from service.accounts.mail_preferences import Subscription
from service.core.durations import DAY, HOUR, MINUTE
from service.core.redis.client import Client
from service.games import NewGame
from service.mail.mailbox import Mailbox, StoredMail
from service.server.app import create_app
from tests.support.clock import NOON, Clock
from tests.support.settings import settings
from tests.workers.delivering import deliver, deliver_together
from tests.workers.match import begin, registered
from workers.context import WorkerContext, build_context
from workers.mail.mailer import MailboxMailer
from workers.mail.message import Message
from workers.mail.timing import DIGEST

BERLIN = "Europe/Berlin"


class Sent(NamedTuple):
    at: float
    kind: str
    subject: str
    text: str

    def hour(self, where: str = BERLIN) -> int:
        return datetime.fromtimestamp(self.at, ZoneInfo(where)).hour


class RecordingMailer:
    """Keeps what is sent, and when; fails while it is `broken`."""

    needs_address = True

    def __init__(self, mailbox: Mailbox, clock: Clock) -> None:
        self._mailbox = MailboxMailer(mailbox)
        self._clock = clock
        self.broken = False
        self.sent: list[tuple[float, Message]] = []

    def send(self, message: Message) -> None:
        if self.broken:
            raise OSError("the mail server is away")
        self.sent.append((self._clock(), message))
        self._mailbox.send(message)


class Club:
    """Ann, whose mail is counted, and her games against Bob."""

    def __init__(self, redis: Client, clock: Clock) -> None:
        self.clock = clock
        self.mailer = RecordingMailer(Mailbox(redis, clock), clock)
        self.context: WorkerContext = build_context(settings(), redis, clock, self.mailer)
        self.container = self.context.container
        self.preferences = self.container.mail_preferences
        self.ann, self.bob = (registered(self.context, name) for name in ("Ann", "Bob"))
        self.client = create_app(settings(), redis, clock).test_client()
        self.turn_off_everything(self.bob)
        self.preferences.turn_off(Subscription(self.ann, "reminder"))
        for notice in self.container.log.outbox.pending():
            self.container.log.outbox.finish(notice.id)

    def turn_off_everything(self, player: str) -> None:
        self.preferences.set_choice(player, {"delivery": "off"})

    def choose(self, **chosen: str | None) -> None:
        self.preferences.set_choice(self.ann, chosen)

    def begin(self, **options: object) -> str:
        """A new game, in which Bob has played and it is Ann's turn; her mail is not sent yet."""
        wanted = NewGame(first_player="creator", opponent=self.ann, **options)  # type: ignore[arg-type]
        made = self.container.games.create(self.bob, wanted)
        self.container.games.join(made.id, self.ann)
        for notice in self.container.log.outbox.pending():
            if notice.id.startswith(made.id):
                self.container.log.outbox.finish(notice.id)
        self.play(made.id, self.bob)
        return made.id

    def play(self, game: str, player: str) -> None:
        """A whole turn of this player."""
        games = self.container.games
        while (stored := games.load(game)).player_to_move() == player:
            games.play(game, player, [games.view(stored, player)["legal"][0]])

    def both_play(self, game: str) -> None:
        """Ann plays as if by mail, which is no visit, and Bob answers."""
        self.play(game, self.ann)
        self.play(game, self.bob)

    def deliver(self) -> Counter[str]:
        """Deliver what is due; what became of it."""
        found: Counter[str] = Counter()
        while due := self.container.log.outbox.claim(100, 60, "mail"):
            found.update(deliver_together(self.context, due))
        return found

    def wait(self, seconds: float, step: float = 10 * MINUTE) -> None:
        end = self.clock.time + seconds
        while self.clock.time < end:
            self.deliver()
            self.clock.time = min(end, self.clock.time + step)
        self.deliver()

    def visit(self) -> None:
        """Ann opens the front page."""
        session = self.container.tokens.open_session(self.ann, "a browser")
        self.client.set_cookie("scottenbury_session", session)
        assert self.client.get("/").status_code == 200

    @property
    def sent(self) -> list[Sent]:
        return list(self._sent())

    def _sent(self) -> Iterator[Sent]:
        shown = {mail.id: mail for mail in self._mails()}
        for at, message in self.mailer.sent:
            mail = shown[message.id].message
            body = mail.get_body(("plain",))
            assert body is not None
            kind = message.id.partition("@")[0].rpartition(".")[2]
            yield Sent(at, kind, str(mail["Subject"]), body.get_content())

    def _mails(self) -> list[StoredMail]:
        return Mailbox(self.container.redis, self.clock).newest()


@pytest.fixture
def club(redis: Client, clock: Clock) -> Club:
    return Club(redis, clock)


class Killed(BaseException):
    """The process ends here."""


REPEATED = {
    ("mailer", "send", True),
    ("outbox", "finish", False),
    ("outbox", "finish", True),
}
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

    def test_off_is_silence(self, club: Club) -> None:
        club.choose(delivery="off")
        assert week(club) == {}
        assert [n for n in club.container.log.outbox.pending() if ".mail." in n.id] == []

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

    def test_one_game_differs(self, club: Club) -> None:
        club.choose(delivery="off")
        game = club.begin()
        club.preferences.set_game(club.ann, game, "at_once")
        club.wait(0)
        for _ in range(3):
            club.both_play(game)
            club.wait(HOUR)
        assert week(club) == {"turn": 4}


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

    def test_a_turn_played_before_is_not_told(self, club: Club) -> None:
        game = club.begin()
        club.wait(HOUR)
        club.play(game, club.ann)
        club.wait(2 * DAY)
        assert club.sent == []
        assert not club.container.held_mail.kept(club.ann)

    def test_without_news_there_is_none(self, club: Club) -> None:
        club.begin()
        club.wait(5 * DAY)
        assert [mail.kind for mail in club.sent] == [DIGEST]

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
        over = club.begin()
        games.resign(over, club.bob)
        invited = games.create(club.bob, NewGame(opponent=club.ann))
        club.wait(21 * HOUR)
        (mail,) = club.sent
        assert "Your game against Bob is over." in mail.text
        assert "Bob invites you to a game." in mail.text
        assert invited.id in mail.text
        assert mail.subject == "Scottenbury: your games today"

    def test_a_kind_turned_off_is_not_in_it(self, club: Club) -> None:
        club.preferences.turn_off(Subscription(club.ann, "over"))
        game = club.begin()
        club.container.games.resign(game, club.bob)
        club.wait(2 * DAY)
        assert club.sent == []

    def test_unsubscribed_there_is_none(self, club: Club) -> None:
        club.begin()
        club.wait(21 * HOUR)
        link = club.sent[0].text.partition("No more mails of this kind:\n")[2].split()[0]
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
        club.container.held_mail.forget(club.ann)
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
            ("held_mail", "keep"),
            ("held_mail", "drop"),
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
            "held_mail": club.container.held_mail,
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
        assert club.container.held_mail.kept(club.ann) == []

    def test_what_it_told_is_not_told_again_by_whoever_had_claimed_it(self, club: Club) -> None:
        club.begin()
        club.wait(HOUR)
        (own,) = [n for n in club.container.log.outbox.pending() if n.id.endswith(DIGEST)]
        (kept,) = club.container.held_mail.kept(club.ann)
        club.clock.time = own.due + HOUR
        assert club.container.log.outbox.claim(9, 60, "mail")
        assert deliver_together(club.context, [own.id, kept]) == ["sent", "postponed"]
        club.wait(3 * DAY)
        assert len(club.mailer.sent) == 1
        assert club.container.held_mail.kept(club.ann) == []

    def test_sent_again_after_a_crash_it_is_the_same_mail(self, club: Club) -> None:
        club.begin()
        club.wait(HOUR)
        (own,) = [n for n in club.container.log.outbox.pending() if n.id.endswith(DIGEST)]
        kept = club.container.held_mail.kept(club.ann)
        club.clock.time = own.due
        assert deliver(club.context, own.id) == "sent"
        for notice in kept:  # as if it had died before it struck them off
            club.container.held_mail.keep(club.ann, notice)
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


class TestUntilVisit:
    @pytest.fixture(autouse=True)
    def _chosen(self, club: Club) -> None:
        club.choose(delivery="until_visit")

    def _another_turn(self, club: Club) -> int:
        club.begin()
        club.wait(HOUR)
        return len(club.sent)

    def test_a_page_is_a_visit(self, club: Club) -> None:
        assert self._another_turn(club) == 1
        assert self._another_turn(club) == 1
        club.visit()
        assert self._another_turn(club) == 2

    def test_a_request_to_the_api_is_a_visit(self, club: Club) -> None:
        token = club.container.tokens.create(club.ann, "a program", ["games:read"]).text
        self._another_turn(club)
        answer = club.client.get("/v1/games", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
        assert self._another_turn(club) == 2

    def test_an_answer_by_mail_is_a_visit(self, club: Club) -> None:
        self._another_turn(club)
        ((_, message),) = club.mailer.sent
        (asked,) = [mail.message for mail in club._mails() if mail.id == message.id]
        raw = f"From: ann@example.org\nTo: {asked['Reply-To']}\nMessage-ID: <1@x>\n\nshow\n"
        incoming = club.container.incoming_mail
        incoming.accept(str(asked["Reply-To"]), "ann@example.org", raw.encode())
        while due := club.container.log.outbox.claim(100, 60):
            deliver_together(club.context, due)
        assert len(club.mailer.sent) == 2, "the answer"
        assert self._another_turn(club) == 3

    @pytest.mark.parametrize("token", ["scot_{ann}" + "x" * 43, "scos_{ann}" + "x" * 43])
    def test_whoever_names_the_player_is_no_visitor(self, club: Club, token: str) -> None:
        self._another_turn(club)
        forged = token.format(ann=club.ann)
        club.client.get("/v1/games", headers={"Authorization": f"Bearer {forged}"})
        club.client.set_cookie("scottenbury_session", forged)
        club.client.get("/")
        assert self._another_turn(club) == 1

    def test_a_visit_of_another_counts_for_nothing(self, club: Club) -> None:
        self._another_turn(club)
        token = club.container.tokens.create(club.bob, "a program", ["games:read"]).text
        club.client.get("/v1/games", headers={"Authorization": f"Bearer {token}"})
        assert self._another_turn(club) == 1

    def test_the_one_mail_is_tried_again(self, club: Club) -> None:
        club.mailer.broken = True
        club.begin()
        club.wait(HOUR)
        club.mailer.broken = False
        club.wait(DAY)
        assert len(club.sent) == 1

    def test_one_that_never_left_leaves_room(self, club: Club) -> None:
        club.mailer.broken = True
        game = club.begin()
        club.deliver()
        club.play(game, club.ann)
        club.mailer.broken = False
        club.wait(DAY)
        assert club.sent == []
        assert self._another_turn(club) == 1

    def test_quiet_hours_come_first(self, club: Club) -> None:
        club.choose(quiet="11:00-15:00")
        club.begin()
        club.begin()
        club.wait(DAY)
        (mail,) = club.sent
        assert mail.hour("UTC") == 15


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
    assert "17:45 (Asia/Kathmandu)" in club.sent[0].text


def test_nothing_is_held_back_from_who_chose_nothing(context: WorkerContext) -> None:
    match = begin(context)
    match.play("R4@3")
    assert [deliver(context, notice) for notice in match.due()] == ["sent"]
    assert not list(context.container.redis.scan_iter(f"st:*{match.bob}*:mail*"))
