"""What the other player wrote, by mail, and writing by answering."""

import random
import re
import textwrap

import pytest

from letters.commands import WholeTurn, read_commands
from letters.mail.body import Text
from letters.mail.lines import read_lines
from letters.wishes import AskedWord
from service.accounts.mail_preferences import Subscription
from service.games import Games, NewGame
from service.games.conversations import SETTLE
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.workers.delivering import deliver_together
from tests.workers.mail.correspondence import Correspondent, Pair, flat, kinds, run, text_of
from tests.workers.match import Match


def say(match: Match, player: str, text: str) -> None:
    match.context.container.games.conversations.write(match.id, player, text, "web")


def said(match: Match) -> list[str]:
    return [m.text for m in match.context.container.games.conversations.all_of(match.id)]


def later(match: Match, clock: Clock, seconds: float = SETTLE) -> None:
    clock.time += seconds
    run(match.context)


class TestTheMail:
    def test_it_tells_all_that_is_unread(self, match: Match, bob: Correspondent) -> None:
        before = len(bob.mails())
        say(match, match.ann, "Well played!\nI had not seen that.")
        say(match, match.ann, "And you?")
        later(match, match.clock)
        assert len(bob.mails()) == before + 1
        text = text_of(bob.latest)
        assert text.startswith("Ann has written to you.\n")
        assert "| Well played!\n| I had not seen that.\n| And you?\n" in text
        assert "“say:”" in text
        assert str(bob.latest["Reply-To"]).startswith("play+")
        assert "List-Unsubscribe" in bob.latest

    def test_it_says_whose_turn_it_is_and_until_when(
        self, timed: Match, mailbox: Mailbox, clock: Clock
    ) -> None:
        for writer, to, whose in (
            (timed.ann, "bob@example.org", "Your turn"),
            (timed.bob, "ann@example.org", "Waiting for Bob"),
        ):
            reader = Correspondent(timed.context, mailbox, to)
            say(timed, writer, "Hello")
            later(timed, clock)
            assert kinds(reader)[0] == "message"
            page = reader.latest.get_body(("html",))
            assert page is not None
            for text in (text_of(reader.latest), page.get_content()):
                assert re.search(f"{whose} · .* left · until ", re.sub("<[^>]*>", "", text))

    def test_what_was_read_meanwhile_is_not_told(self, match: Match, bob: Correspondent) -> None:
        before = len(bob.mails())
        say(match, match.ann, "Hi")
        match.context.container.games.conversations.mark_read(match.id, match.bob, 1)
        later(match, match.clock)
        assert len(bob.mails()) == before

    @pytest.mark.parametrize("meanwhile", ["muted", "off in the game", "off in all games"])
    def test_what_nobody_could_write_now_is_not_told_though_it_was_written_before(
        self, match: Match, bob: Correspondent, clock: Clock, meanwhile: str
    ) -> None:
        talk, before = match.context.container.games.conversations, len(bob.mails())
        say(match, match.ann, "Rude words")
        if meanwhile == "muted":
            talk.moderation.mute(match.ann)
        elif meanwhile == "off in the game":
            talk.set_off(match.id, match.bob, off=True)
        else:
            talk.wishes.set_off(match.bob, off=True)
        later(match, clock)
        assert len(bob.mails()) == before

    def test_what_was_written_before_the_writer_turned_messages_off_is_told(
        self, match: Match, bob: Correspondent, clock: Clock
    ) -> None:
        before = len(bob.mails())
        say(match, match.ann, "That is all")
        match.context.container.games.conversations.set_off(match.id, match.ann, off=True)
        later(match, clock)
        assert len(bob.mails()) == before + 1

    def test_it_can_be_turned_off(self, match: Match, bob: Correspondent, clock: Clock) -> None:
        before = len(bob.mails())
        match.context.container.mail_preferences.turn_off(Subscription(match.bob, "message"))
        say(match, match.ann, "Hi")
        later(match, clock)
        assert len(bob.mails()) == before

    def test_the_daily_mail_says_that_there_is_one(self, match: Match, bob: Correspondent) -> None:
        match.context.container.mail_preferences.set_choice(match.bob, {"delivery": "digest"})
        say(match, match.ann, "resign")
        later(match, match.clock)
        later(match, match.clock, 24 * 60 * 60)
        assert "Ann has written to you in your game." in text_of(bob.latest)

    @pytest.mark.parametrize("seed", range(8))
    def test_no_line_of_it_can_be_played(self, match: Match, bob: Correspondent, seed: int) -> None:
        draw = random.Random(seed)
        parts = ("resign", "play R7 at 3", "R7@3", "say: x", "help", "claim 3", "so", "well-", "\n")
        say(match, match.ann, " ".join(draw.choice(parts) for _ in range(60)))
        later(match, match.clock)
        assert "has written" in text_of(bob.latest)
        body = bob.latest.get_body(("plain",))
        assert body is not None
        for line in str(body.get_content()).split("\n"):
            for bare in (line, line.removeprefix("| ")):
                for width in range(20, 79, 6):
                    broken = textwrap.wrap(bare, width)
                    assert [part for part in broken if _is_command(part)] == []

    def test_it_is_small_whatever_was_written(self, match: Match, bob: Correspondent) -> None:
        for text in ("👍" * 1000, "\n".join("é" * 20 for _ in range(40)), "resign\n" * 39):
            say(match, match.ann, text)
        later(match, match.clock)
        assert len(bob.latest.as_bytes()) < 30_000
        assert "There is more on the page of the game." in text_of(bob.latest)

    def test_nothing_in_it_is_html(self, match: Match, bob: Correspondent, clock: Clock) -> None:
        say(match, match.ann, "<img src=http://e.vil/x> {{ game }} \x1b[2J")
        later(match, clock)
        page = bob.latest.get_body(("html",))
        assert page is not None
        html = page.get_content()
        assert "<img" not in html
        assert "&lt;img src=http://e.vil/x&gt; {{ game }} [2J" in html


class TestAnswers:
    def test_a_marked_line_is_passed_on(self, pair: Pair) -> None:
        version = pair.match.now().version
        text = pair.bob.answer("say: well played")
        assert said(pair.match) == ["well played"]
        assert pair.match.now().version == version
        assert "Your message was passed on" in text
        later(pair.match, pair.clock)
        assert "| well played\n" in text_of(pair.ann.latest)
        pair.ann.answer("say: thank you")
        assert said(pair.match) == ["well played", "thank you"]

    def test_what_says_so_can_be_answered_with_a_turn(self, pair: Pair) -> None:
        text = pair.bob.answer("say: well played")
        assert "Your hand:" in text
        pair.bob.answer(_move(pair.match))
        assert pair.match.now().player_to_move() == pair.match.ann
        text = pair.bob.answer("say: your turn")
        assert "Your message was passed on" in text
        assert "Your hand:" not in text
        pair.bob.answer("say: take your time")
        assert said(pair.match) == ["well played", "your turn", "take your time"]

    def test_a_turn_and_a_message(self, match: Match, bob: Correspondent) -> None:
        version = match.now().version
        text = bob.answer(f"{_move(match)}\nsay: take that")
        assert match.now().version > version
        assert said(match) == ["take that"]
        assert text.startswith("Done.")
        assert "Your message was passed on" in text

    def test_no_message_without_the_turn(self, match: Match, bob: Correspondent) -> None:
        assert bob.answer("R4@3\nsay: take that").startswith("Nothing was played.")
        assert said(match) == []

    def test_no_turn_without_the_message(self, match: Match, bob: Correspondent) -> None:
        conversations = match.context.container.games.conversations
        conversations.set_off(match.id, match.ann, off=True)
        version = match.now().version
        text = bob.answer(f"{_move(match)}\nsay: take that")
        assert match.now().version == version
        assert said(match) == []
        assert "The other player takes no messages." in text
        conversations.set_off(match.id, match.ann, off=False)
        bob.answer(f"{_move(match)}\nsay: {'x' * 1001}")
        assert match.now().version == version

    def test_the_same_mail_is_one_message(self, match: Match, bob: Correspondent) -> None:
        to = str(bob.latest["Reply-To"])
        for _ in range(2):
            bob.answer("say: hi", to=to, message_id="<one@example.org>")
        assert said(match) == ["hi"]

    def test_a_stranger_says_nothing(self, match: Match, bob: Correspondent) -> None:
        bob.answer("say: hi", sender="eve@example.org")
        assert said(match) == []

    def test_a_mail_about_a_game_that_is_over_can_be_answered(self, pair: Pair) -> None:
        pair.match.context.container.games.resign(pair.match.id, pair.match.ann)
        say(pair.match, pair.match.ann, "Good game!")
        later(pair.match, pair.clock)
        pair.bob.answer("say: It was.")
        assert said(pair.match) == ["Good game!", "It was."]


class TestUnmarkedAnswers:
    """What answers a mail about a message is passed on once its writer says so."""

    @pytest.fixture(autouse=True)
    def told(self, pair: Pair) -> None:
        say(pair.match, pair.match.ann, "How is the weather?")
        later(pair.match, pair.clock)
        assert kinds(pair.bob)[0] == "message"

    def test_it_is_asked_about(self, pair: Pair) -> None:
        text = pair.bob.answer("Thanks Ann! It's raining here, and the cat hates it.")
        assert text.startswith("Shall I pass this on to Ann?")
        assert "“Thanks Ann! It's raining here, and the cat hates it.”" in text
        assert "as a turn" not in text
        assert said(pair.match) == ["How is the weather?"]
        text = pair.bob.answer("yes")
        assert said(pair.match)[1:] == ["Thanks Ann! It's raining here, and the cat hates it."]
        assert "Your message was passed on" in text

    def test_no_leaves_it(self, pair: Pair) -> None:
        pair.bob.answer("Raining cats, would you believe it")
        pair.bob.answer("no")
        assert said(pair.match) == ["How is the weather?"]

    def test_other_words_than_yes_ask_again(self, pair: Pair) -> None:
        pair.bob.answer("Raining cats, would you believe it")
        text = pair.bob.answer("Well, whatever you think of it")
        assert "Shall I pass this on to Ann?" in text
        assert "“Raining cats, would you believe it”" in text
        assert said(pair.match) == ["How is the weather?"]

    @pytest.mark.parametrize(
        "text", ["I might put red 9 somewhere", "I may resign here", "R7 or R8 at 3, who knows"]
    )
    def test_what_may_be_about_the_game_is_not_taken_for_a_message(
        self, pair: Pair, text: str
    ) -> None:
        assert "Shall I pass this on" not in pair.bob.answer(text)

    @pytest.mark.parametrize("text", ["Thanks, Ann!", "Thank you"])
    def test_thanks_alone_are_told_how_they_can_be_passed_on(self, pair: Pair, text: str) -> None:
        answer = pair.bob.answer(text)
        assert "If these words are for the other player, write “say:” before each line." in answer
        assert "as a command" not in answer
        assert said(pair.match) == ["How is the weather?"]

    def test_who_takes_no_messages_gets_none(self, pair: Pair) -> None:
        talk = pair.match.context.container.games.conversations
        talk.set_off(pair.match.id, pair.match.ann, off=True)
        text = pair.bob.answer("Raining cats, would you believe it")
        assert "The other player takes no messages." in text
        assert "Shall I pass this on" not in text

    def test_it_is_asked_after_the_end_too(self, pair: Pair) -> None:
        pair.match.context.container.games.resign(pair.match.id, pair.match.ann)
        later(pair.match, pair.clock)
        say(pair.match, pair.match.ann, "Good game!")
        later(pair.match, pair.clock, 60 * 60)
        assert kinds(pair.bob)[0] == "message"
        assert "Shall I pass this on to Ann?" in pair.bob.answer("Lovely one, wasn't this")
        pair.bob.answer("yes")
        assert said(pair.match)[-1] == "Lovely one, wasn't this"


class TestWithATurn:
    """Messages that wait when a turn's mail goes out go with it, once."""

    def test_the_mail_of_the_turn_tells_it(self, match: Match, bob: Correspondent) -> None:
        match.play(_move(match))
        run(match.context)
        before = len(bob.mails())
        say(match, match.ann, "Take that!")
        match.play(_move(match))
        later(match, match.clock)
        (mail,) = bob.mails()[: len(bob.mails()) - before]
        assert kinds(bob)[0] == "turn"
        assert "Ann has written to you.\n| Take that!\n" in text_of(mail)
        assert "“say:”" in text_of(mail)

    def test_words_beside_the_move_in_a_mail(self, pair: Pair) -> None:
        before = len(pair.ann.mails())
        pair.bob.answer(f"{_move(pair.match)}\nsay: take that")
        later(pair.match, pair.clock)
        (mail,) = pair.ann.mails()[: len(pair.ann.mails()) - before]
        assert kinds(pair.ann)[0] == "turn"
        assert "| take that\n" in text_of(mail)

    def test_nothing_is_told_twice(self, pair: Pair) -> None:
        turn = str(pair.bob.latest["Reply-To"])
        pair.bob.answer("say: good evening")
        later(pair.match, pair.clock)
        assert kinds(pair.ann)[0] == "message"
        pair.bob.answer(_move(pair.match), to=turn)
        assert kinds(pair.ann)[0] == "turn"
        assert "good evening" not in flat(text_of(pair.ann.latest))
        pair.ann.answer("help")
        assert "good evening" not in flat(text_of(pair.ann.latest))

    def test_what_is_written_after_the_mail_has_one_of_its_own(self, pair: Pair) -> None:
        pair.bob.answer(f"{_move(pair.match)}\nsay: first")
        say(pair.match, pair.match.bob, "second")
        later(pair.match, pair.clock)
        assert kinds(pair.ann)[:2] == ["message", "turn"]
        assert "second" in text_of(pair.ann.latest)
        assert "first" not in text_of(pair.ann.latest)

    def test_both_due_in_one_job(self, pair: Pair) -> None:
        match, before = pair.match, len(pair.ann.mails())
        say(match, match.bob, "Good morning")
        match.play(_move(match))
        pair.clock.time += SETTLE
        due = [one for one in match.due() if one.split(".")[2:4] == [match.ann, "mail"]]
        due.sort(key=lambda one: "message" not in one)
        deliver_together(match.context, due)
        assert len(pair.ann.mails()) == before + 1
        assert kinds(pair.ann)[0] == "turn"
        assert "Good morning" in text_of(pair.ann.latest)

    def test_not_for_who_wants_no_mail_about_messages(self, pair: Pair) -> None:
        preferences = pair.match.context.container.mail_preferences
        preferences.turn_off(Subscription(pair.match.ann, "message"))
        pair.bob.answer(f"{_move(pair.match)}\nsay: take that")
        assert kinds(pair.ann)[0] == "turn"
        assert "take that" not in text_of(pair.ann.latest)

    def test_the_end_of_a_game_tells_it_too(self, pair: Pair) -> None:
        before = len(pair.ann.mails())
        say(pair.match, pair.match.bob, "Good game!")
        pair.match.context.container.games.resign(pair.match.id, pair.match.bob)
        later(pair.match, pair.clock)
        (mail,) = pair.ann.mails()[: len(pair.ann.mails()) - before]
        assert "| Good game!\n" in text_of(mail)

    def test_a_mail_that_was_not_taken_told_nothing(
        self, pair: Pair, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing is lost if the turn's mail fails, whatever becomes of its notice."""
        match = pair.match

        def refuse(message: object) -> None:
            raise ConnectionError

        say(match, match.bob, "take that")
        match.play(_move(match))
        with monkeypatch.context() as failing:
            failing.setattr(match.context.mailer, "send", refuse)
            (turn,) = (one for one in match.due() if one.endswith(f"{match.ann}.mail.turn"))
            deliver_together(match.context, [turn])
            match.context.container.log.outbox.finish(turn)
        later(match, pair.clock)
        assert kinds(pair.ann)[0] == "message"
        assert "take that" in text_of(pair.ann.latest)

    def test_a_rematch_brings_what_was_written_with_it(self, pair: Pair) -> None:
        match = pair.match
        match.context.container.games.resign(match.id, match.bob)
        run(match.context)
        before = len(pair.ann.mails())
        pair.bob.answer("rematch\nsay: one more?")
        later(match, pair.clock)
        (mail,) = pair.ann.mails()[: len(pair.ann.mails()) - before]
        assert kinds(pair.ann)[0] == "invitation"
        assert "Bob has written to you.\n| one more?\n" in text_of(mail)

    def test_a_message_killed_before_its_turn_is_told_once(self, pair: Pair) -> None:
        """The worker dies between the message and the turn of one mail, which comes again."""
        match = pair.match
        move, to = _move(match), str(pair.bob.latest["Reply-To"])
        play = Games.play

        def die(*_: object) -> None:
            raise SystemExit

        with pytest.MonkeyPatch.context() as dying:
            dying.setattr(Games, "play", die)
            with pytest.raises(SystemExit):
                pair.bob.answer(f"{move}\nsay: take that", to=to, message_id="<one@example.org>")
        assert Games.play is play
        run(match.context)
        assert said(match) == ["take that"]
        assert match.now().player_to_move() == match.ann
        later(match, pair.clock)
        assert text_of(pair.ann.latest).count("take that") == 1
        assert kinds(pair.ann)[0] == "turn"


PASSED_ON = "Your message was passed on to the other player."
UNSAID = "Your message was not passed on: answer a mail about a game to write to its other player."


class TestBelowWhatIsAskedAbout:
    @pytest.mark.parametrize(
        ("letter", "text"),
        [
            (
                "I resign.\n\nsay: Your yellows are too strong. Well played!",
                "Your yellows are too strong. Well played!",
            ),
            (
                "Hallo Ann, ich gebe auf.\nsag: Danke für die schöne Partie!",
                "Danke für die schöne Partie!",
            ),
            ("Well, that was it. I resign.\nsay: Thanks!", "Thanks!"),
        ],
    )
    def test_of_a_resignation(self, pair: Pair, letter: str, text: str) -> None:
        answer = pair.bob.answer(letter)
        assert PASSED_ON in answer
        assert "To confirm, answer" in answer
        assert said(pair.match) == [text]
        pair.bob.answer("yes")
        assert pair.match.now().game.over
        later(pair.match, pair.clock)
        assert any(text in text_of(mail) for mail in pair.ann.mails())

    def test_with_lines_below_it_is_named_and_nothing_is_done(self, pair: Pair) -> None:
        answer = pair.bob.answer("I resign.\nsay: Thanks!\n\nThe club is closed")
        assert "To confirm, answer" not in answer
        assert "The club is closed" in answer
        assert said(pair.match) == []

    @pytest.mark.parametrize(
        "wish", ["offer an end", "vacation until 9 Dec", "Urlaub bis 9. Dez", "language German"]
    )
    def test_of_a_wish(self, pair: Pair, wish: str) -> None:
        pair.bob.answer(f"{wish}\nsay: see you")
        assert said(pair.match) == ["see you"]

    def test_of_a_wish_at_the_senders_address(self, pair: Pair) -> None:
        to, game = "scottenbury@scottenbury.test", f"<{pair.match.id}@scottenbury.test>"
        assert PASSED_ON in pair.bob.answer("offer an end\nsay: tired", to=to, References=game)
        assert said(pair.match) == ["tired"]

    @pytest.mark.parametrize(
        ("answer", "text"),
        [
            ("yes\n\nsay: Hello Ann, good luck!", "Hello Ann, good luck!"),
            (
                "ja\nsag: Viel Glück! Bei uns schneit es auch.",
                "Viel Glück! Bei uns schneit es auch.",
            ),
        ],
    )
    def test_of_a_yes(self, pair: Pair, answer: str, text: str) -> None:
        move = _move(pair.match)
        assert "Did you mean" in pair.bob.answer(f"{move}\nBob Stonecutter, Glasgow")
        assert PASSED_ON in pair.bob.answer(answer)
        assert said(pair.match) == [text]
        assert pair.match.now().player_to_move() == pair.match.ann

    def test_of_a_yes_to_a_turn_with_a_message(self, pair: Pair) -> None:
        pair.bob.answer(f"{_move(pair.match)}\nsay: hello\nBob Stonecutter, Glasgow")
        assert PASSED_ON in pair.bob.answer("yes\nsay: good luck")
        assert said(pair.match) == ["hello\ngood luck"]

    @pytest.mark.parametrize("answer", ["yes\nsay: good game", "Ja\n\nsag: good game"])
    def test_of_a_yes_to_a_resignation(self, pair: Pair, answer: str) -> None:
        pair.bob.answer("resign")
        assert PASSED_ON in pair.bob.answer(answer)
        assert said(pair.match) == ["good game"]
        assert pair.match.now().game.over

    def test_of_a_yes_to_a_wish(self, pair: Pair) -> None:
        pair.bob.answer("offer an end")
        assert PASSED_ON in pair.bob.answer("yes\nsay: tired")
        assert said(pair.match) == ["tired"]
        assert pair.match.context.container.games.abandonments.offered(pair.match.now())

    def test_of_a_yes_to_a_wish_about_no_game(self, pair: Pair) -> None:
        pair.bob.answer("vacation until 9 Dec")
        answer = pair.bob.answer("yes\nsay: hi")
        assert UNSAID in answer
        assert "does not answer the question" not in answer
        assert said(pair.match) == []

    @pytest.mark.parametrize("yes", ["yes", "I'd love to play!", "accept"])
    def test_of_a_yes_to_a_challenge(self, pair: Pair, yes: str) -> None:
        games = pair.match.context.container.games
        made = games.challenges.make(pair.match.ann, pair.match.bob, NewGame())
        run(pair.match.context)
        answer = pair.bob.answer(f"{yes}\n\nsay: hello Ann,\nnice to see you.")
        assert answer.startswith("You are in the game.")
        assert PASSED_ON in answer
        (message,) = games.conversations.all_of(made.id)
        assert message.text == "hello Ann,\nnice to see you."

    def test_of_a_no_to_a_challenge(self, pair: Pair) -> None:
        challenges = pair.match.context.container.games.challenges
        made = challenges.make(pair.match.ann, pair.match.bob, NewGame())
        run(pair.match.context)
        assert UNSAID in pair.bob.answer("no\nsay: sorry")
        assert challenges.find(made.id, pair.match.bob).status == "declined"

    def test_of_a_yes_to_an_invitation(self, pair: Pair, mailbox: Mailbox) -> None:
        context, games = pair.match.context, pair.match.context.container.games
        made = games.create(pair.match.ann, NewGame(opponent_email="cy@example.org"))
        run(context)
        cy = Correspondent(context, mailbox, "cy@example.org")
        assert UNSAID in cy.answer("yes\nsay: hello")
        assert PASSED_ON in cy.answer("accept as Cy\nsay: hello")
        assert [each.text for each in games.conversations.all_of(made.id)] == ["hello"]


def _move(match: Match) -> str:
    mover = match.now().player_to_move()
    return str(match.context.container.games.view(match.now(), mover).legal[0])


def _is_command(line: str) -> bool:
    return isinstance(read_commands(read_lines(Text(line)).lines), WholeTurn | AskedWord)


class TestAtAQuestion:
    """What answers the question whether a wish is meant, and is no answer to it."""

    def test_a_message_is_passed_on_and_the_question_stays_open(self, pair: Pair) -> None:
        assert "Answer “yes” or “no”." in pair.bob.answer("offer an end")
        assert PASSED_ON in pair.bob.answer("say: sorry, I am moving house")
        assert said(pair.match) == ["sorry, I am moving house"]
        pair.bob.answer("yes")
        assert pair.match.context.container.games.abandonments.offered(pair.match.now())

    def test_words_for_the_other_player_are_told_how_they_get_there(self, pair: Pair) -> None:
        pair.bob.answer("offer an end")
        answer = pair.bob.answer("Can you tell Ann I said hello?")
        assert "If these words are for the other player, write “say:” before each line." in answer
        assert said(pair.match) == []

    def test_of_a_wish_about_no_game(self, pair: Pair) -> None:
        pair.bob.answer("new game, 3 days")
        assert UNSAID in pair.bob.answer("say: I am away")
        assert "answer an earlier mail about the game" in pair.bob.answer("Tell Ann I am away")

    def test_words_beside_an_acceptance_are_named(self, pair: Pair) -> None:
        games = pair.match.context.container.games
        made = games.challenges.make(pair.match.ann, pair.match.bob, NewGame())
        run(pair.match.context)
        answer = pair.bob.answer("I'd love to, see you there")
        assert answer.startswith("You are in the game.")
        assert "Not passed on, as it is no command: Line 1: “I'd love to, see you there”" in answer
        assert games.conversations.all_of(made.id) == []

    @pytest.mark.parametrize(
        "said",
        [
            *("Yes, gladly! One more :)", "I accept. Let's go! 🎉", "Ja, gern! Noch eine Runde :)"),
            *("Oui, volontiers ! Encore une :)", "I accept, thanks ❤️", "I accept. Good luck!"),
        ],
    )
    def test_courtesies_beside_an_acceptance_are_not(self, pair: Pair, said: str) -> None:
        pair.match.context.container.games.challenges.make(
            pair.match.ann, pair.match.bob, NewGame()
        )
        run(pair.match.context)
        answer = pair.bob.answer(said)
        assert answer.startswith(("You are in the game.", "Du bist", "Tu es"))
        assert "Line 1" not in answer
