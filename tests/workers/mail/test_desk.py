"""Mail to the sender of our mails: nothing is played, and nobody is left without a way on."""

import re
from itertools import count

import pytest

from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.games import ChangeContext
from service.games.rematches import Wanted
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.mail.correspondence import Correspondent, Pair, counts, flat, held, run, text_of
from tests.workers.match import Match, begin
from workers.context import WorkerContext, build_context
from workers.mail.mailer import MailboxMailer

_numbers = count()
SENDER = "scottenbury@scottenbury.test"


def write(
    writer: Correspondent, text: str, sender: str = "", answers: str = "", to: str = SENDER
) -> str:
    """Write a fresh mail to the sender of our mails; the answer, on one line, or nothing."""
    before = len(writer.mails())
    head = f"From: {sender or writer.email}\nMessage-ID: <desk{next(_numbers)}@example.org>\n"
    head += f"In-Reply-To: {answers}\n" if answers else ""
    raw = f"{head}\n{text}\n".encode()
    writer.context.container.incoming_mail.accept(to, sender or writer.email, raw)
    run(writer.context)
    found = writer.mails()
    return flat(text_of(found[0])) if len(found) > before else ""


def addresses_in(text: str) -> list[str]:
    return re.findall(r"play\+\S+@scottenbury\.test", text)


class TestPlayers:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("Games!", "These are the games that you are playing."),
            ("Hello,\n\ngames\n\nThanks", "http://scottenbury.test/games/new"),
            ("offer a pause", "Which game is this about?"),
            ("yes", "Answer the mail that asked you"),
            ("R7@3", "where nothing can be played"),
            ("I'd like to play a new game with my friend ben@example.net", "“new game with"),
            ("How are you?\nI am well.", "where nothing can be played"),
        ],
    )
    def test_whatever_they_write_their_games_and_the_addresses_come_back(
        self, match: Match, bob: Correspondent, text: str, said: str
    ) -> None:
        version = match.now().version
        answer = write(bob, text)
        assert said in answer
        assert "Against Ann: your turn" in answer
        assert f"http://scottenbury.test/games/{match.id}" in answer
        assert match.now().version == version

    def test_the_address_plays_the_turn(self, match: Match, bob: Correspondent) -> None:
        version = match.now().version
        (address,) = addresses_in(write(bob, "games"))
        bob.answer(held(match)[0], to=address)
        assert match.now().version > version

    def test_who_is_not_to_move_is_told_whose_turn_it_is(
        self, ann: Correspondent, bob: Correspondent
    ) -> None:
        assert "Against Bob: it is Bob’s turn" in write(ann, "games")

    def test_a_game_for_practice_is_called_so(self, match: Match, bob: Correspondent) -> None:
        games = match.context.container.games
        games.resign(match.id, match.bob)
        games.practice.begin(match.id, match.bob, Wanted(), ChangeContext())
        assert "Practice against Steward (bot): " in write(bob, "games")

    def test_a_game_that_is_over_is_listed_no_more(self, match: Match, bob: Correspondent) -> None:
        match.context.container.games.resign(match.id, match.bob)
        run(match.context)
        answer = write(bob, "games")
        assert "You are playing no game just now." in answer
        assert "http://scottenbury.test/games/new" in answer

    def test_an_answer_to_a_finished_game_has_the_result_and_the_way_to_a_rematch(
        self, match: Match, bob: Correspondent
    ) -> None:
        match.context.container.games.resign(match.id, match.ann)
        run(match.context)
        answer = write(bob, "Well played!", answers=str(bob.latest["Message-ID"]))
        assert "This game is over" in answer
        assert "“rematch” to play again" in answer
        assert "You won: Ann resigned." in answer
        assert f"http://scottenbury.test/games/{match.id}" in answer

    def test_so_has_one_to_an_old_turn_of_it(self, match: Match, bob: Correspondent) -> None:
        turn, action = str(bob.latest["Reply-To"]), held(match)[0]
        match.context.container.games.resign(match.id, match.ann)
        run(match.context)
        assert "“rematch” to play again" in bob.answer(action, to=turn)

    def test_in_the_thread_of_a_game_help_tells_how_to_play_it(self, pair: Pair) -> None:
        turn, answers = str(pair.bob.latest["Reply-To"]), str(pair.bob.latest["Message-ID"])
        assert "“play R7 at 3”" in write(pair.bob, "help", answers=answers)
        assert str(pair.bob.latest["Reply-To"]) == turn
        assert "These are the games" in write(pair.bob, "games", answers=answers)

    def test_an_answer_to_a_digest_is_led_to_its_games(self, pair: Pair) -> None:
        answers = f"<{pair.match.bob}.1.{pair.match.bob}.digest@scottenbury.test>"
        assert addresses_in(write(pair.bob, "R7@3", answers=answers))

    def test_a_picture_in_the_signature_hides_no_command(self, pair: Pair) -> None:
        mail = "games\n--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n"
        raw = (
            f"From: {pair.bob.email}\nMessage-ID: <logo@example.org>\n"
            'Content-Type: multipart/related; boundary="b"\n\n--b\n\n'
            f"{mail}{'AAAA' * 50_000}\n--b--\n"
        ).encode()
        pair.match.context.container.incoming_mail.accept(SENDER, pair.bob.email, raw)
        run(pair.match.context)
        assert "These are the games that you are playing." in flat(text_of(pair.bob.latest))

    def test_they_are_answered_a_few_times_an_hour(self, redis: Client, clock: Clock) -> None:
        context = build_context(settings(rate_limits=True), redis, clock)
        match = begin(context)
        ann = Correspondent(context, Mailbox(redis, clock), "ann@example.org")
        answers = [write(ann, "new game with bob@example.org, two weeks") for _ in range(10)]
        assert ["last answer to mails to this address for 60 min" in each for each in answers] == [
            *[False] * 9,
            True,
        ]
        with pytest.raises(RequestRejected, match="Too many mails"):
            write(ann, "games")  # its mail server tries again later
        assert counts(match) == {"asked": 10}


class TestOthers:
    EVE = "eve@example.org"

    @pytest.fixture
    def eve(self, redis: Client, clock: Clock, mailbox: Mailbox) -> Correspondent:
        """Somebody outside: there is a mail server, so that addresses have to be confirmed."""
        outside = settings(smtp_url="smtp://mail.invalid", mail_domain="scottenbury.test")
        context = build_context(outside, redis, clock, MailboxMailer(mailbox))
        return Correspondent(context, mailbox, self.EVE)

    def test_a_stranger_who_asks_learns_what_this_is_and_nothing_else(
        self, eve: Correspondent
    ) -> None:
        answers = [write(eve, "games")]
        eve.context.container.registrations.register(
            "Eve", self.EVE
        )  # who has not confirmed the address
        run(eve.context)
        answers.append(write(eve, "games"))
        assert len(answers[0]) > 100
        assert answers[0] == answers[1]
        assert "if you play here" in answers[0].lower()
        assert addresses_in(answers[0]) == []

    @pytest.mark.parametrize("text", ["Buy our stones", "R7@3", "help\nBuy our stones"])
    def test_a_stranger_who_asks_nothing_is_not_answered(
        self, eve: Correspondent, text: str
    ) -> None:
        assert write(eve, text) == ""

    @pytest.mark.parametrize(
        ("head", "words"),
        [
            ("Content-Language: de-DE", "Wenn du hier spielst"),
            ("Accept-Language: xx, fr-CH, en", "Si tu joues ici"),
            ("Content-Language: en\nAccept-Language: de", "If you play here"),
            ("Content-Language: ;=", "If you play here"),
        ],
    )
    def test_a_stranger_is_answered_in_the_language_of_the_letter(
        self, eve: Correspondent, head: str, words: str
    ) -> None:
        raw = f"From: {eve.email}\nMessage-ID: <l@example.org>\n{head}\n\nhelp\n".encode()
        eve.context.container.incoming_mail.accept(SENDER, eve.email, raw)
        run(eve.context)
        assert words in flat(text_of(eve.mails()[0]))

    def test_strangers_are_answered_twice_an_hour(
        self, redis: Client, clock: Clock, context: WorkerContext
    ) -> None:
        limited = build_context(settings(rate_limits=True), redis, clock)
        mailbox = Mailbox(redis, clock)
        answered = 0
        for number in range(5):  # addresses that lead to one mailbox
            eve = Correspondent(limited, mailbox, f"eve+{number}@example.org")
            answered += bool(write(eve, "help"))
        assert answered == 2

    @pytest.mark.parametrize(
        "head", ["Auto-Submitted: auto-replied", "List-Id: <a.b>", "Precedence: bulk"]
    )
    def test_lists_and_machines_are_not_answered(self, pair: Pair, head: str) -> None:
        before = len(pair.bob.mails())
        raw = f"From: {pair.bob.email}\nMessage-ID: <m@example.org>\n{head}\n\nhelp\n".encode()
        pair.match.context.container.incoming_mail.accept(SENDER, pair.bob.email, raw)
        run(pair.match.context)
        assert len(pair.bob.mails()) == before

    def test_a_forged_mail_is_not_answered(self, redis: Client, pair: Pair) -> None:
        known = build_context(settings(mail_authserv="mx.example.org"), redis, pair.clock)
        before = len(pair.bob.mails())
        raw = (
            f"From: {pair.bob.email}\nMessage-ID: <f@example.org>\n"
            "Authentication-Results: mx.example.org; dmarc=fail\n\ngames\n"
        ).encode()
        known.container.incoming_mail.accept(SENDER, pair.bob.email, raw)
        run(known)
        assert len(pair.bob.mails()) == before
