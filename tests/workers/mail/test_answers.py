"""Playing by answering: from a mail that came in to what is played and answered."""

import re
from datetime import UTC
from itertools import chain

import pytest

from engine.cards import full_name
from service.core.redis.batch import execute
from service.core.words import ENGLISH
from service.games import NewGame
from service.mail_in.addresses import ReplyTo
from service.mail_in.wording import guide
from tests.workers.mail.correspondence import Correspondent, Pair, flat, held, kinds, run, text_of
from tests.workers.match import Match
from workers.mail.answers import ways_to_answer
from workers.mail.game import game_mail


def _not_an_answer(text: str) -> bool:
    return not text.startswith("Done")


class TestTurns:
    def test_a_turn_is_played_and_answered_with_the_new_board(self, pair: Pair) -> None:
        version = pair.match.now().version
        card, stone = held(pair.match)[0].split("@")
        text = pair.bob.answer(f"play {card} at {stone}\n\n-- \nBob")
        assert pair.match.now().version > version
        assert text.startswith("Done. It’s Ann’s turn.")
        assert f"You played {full_name(card)} on Stone {stone} and drew " in flat(text)
        assert "“say: well played”" in text
        assert "such as “play" not in text
        assert pair.match.now().head in text
        lines = list(pair.match.context.container.log.events.read(pair.match.id))
        assert '"via":"mail"' in lines[-1].replace(" ", "")
        assert "Your turn" in text_of(pair.ann.latest)
        assert pair.bob.latest["Auto-Submitted"] == "auto-replied"
        assert pair.bob.latest["In-Reply-To"] == pair.ann.latest["In-Reply-To"]

    @pytest.mark.parametrize("said", ["play R7 on the moon", "show", "help"])
    def test_the_hash_of_the_log_is_not_repeated_where_nothing_was_played(
        self, pair: Pair, said: str
    ) -> None:
        text = pair.bob.answer(said)
        assert pair.match.now().head not in text
        assert "Hash of the log" not in text

    @pytest.mark.parametrize("language", ["en", "fr", "de"])
    def test_the_example_of_a_mail_can_be_played(self, pair: Pair, language: str) -> None:
        container = pair.match.context.container
        container.mail_preferences.set_choice(pair.match.ann, {"language": language})
        pair.bob.answer(held(pair.match)[0])
        version = pair.match.now().version
        example = re.search(
            "[“„«]\\s?(\\S+\\s[ROYGBP][1-9]\\s\\S+\\s[1-9])", text_of(pair.ann.latest)
        )
        assert example is not None
        pair.ann.answer(example[1].replace("\N{NO-BREAK SPACE}", " "))
        assert pair.match.now().version > version

    def test_a_whole_game_by_mail_alone(self, pair: Pair, ann: Correspondent) -> None:
        for _ in range(200):
            if pair.match.now().game.over:
                break
            mover = pair.bob if pair.match.now().player_to_move() == pair.match.bob else ann
            version = pair.match.now().version
            mover.answer(held(pair.match)[0])
            assert pair.match.now().version > version
        done, told = sorted((text_of(one.latest) for one in (ann, pair.bob)), key=_not_an_answer)
        assert done.startswith("Done, and the game is over.")
        assert " won with " in done[: done.index("| Stone ")]
        assert " won with " in told.partition("\n")[0]
        game = f"/games/{pair.match.id}"
        for text in (done, told):
            assert re.search(f"Replay the game: .*{game}\n", text)
            assert re.search(f"How good were the moves\\? .*{game}#worth\n", text)
            assert re.search(f"Were the cards dealt fairly\\? .*{game}#verify\n", text)

    @pytest.mark.parametrize(
        ("language", "to_see", "again"),
        [
            ("en", "Answer with “help” to see", "Answer with “rematch” to play again; “help”"),
            ("de", "um zu sehen, was du schreiben kannst", "für eine Revanche; „Hilfe“"),
            ("fr", "pour voir ce que tu peux écrire", "pour rejouer ; « aide »"),
        ],
    )
    def test_nobody_is_told_to_write_to_a_bot(
        self, pair: Pair, language: str, to_see: str, again: str
    ) -> None:
        context, bob = pair.match.context, pair.match.bob
        games, words = context.container.games, context.container.languages.words(language)
        made = games.create(bob, NewGame(bot="steward", first_player="opponent"))

        def said() -> str:
            recent = execute(context.container.redis, games.repository.recent_query(made.id))
            assert recent is not None
            game = game_mail(words, context, recent, {}, bob, recent.stored.version, UTC)
            turn = ReplyTo("turn", made.id, recent.stored.version)
            return flat(" ".join(ways_to_answer(words, turn, game, "", to_guest=False)))

        assert to_see in said()
        games.resign(made.id, bob)
        assert again in said()

    def test_a_turn_that_waits_for_a_claim_is_said_to_go_on(self, pair: Pair) -> None:
        for _ in range(200):
            mover = pair.bob if pair.match.now().player_to_move() == pair.match.bob else pair.ann
            mover.answer(held(pair.match)[0])
            if pair.match.now().game.phase == "finish":
                break
        text = flat(text_of(mover.latest))
        assert text.startswith("Done, and your turn goes on.")
        assert str(mover.latest["From"]).startswith("Your turn goes on · ")
        named = [action[1] for action in held(pair.match) if action[0] == "!"]
        way = f"Answer with “claim {named[0]}”; “draw clan” alone ends your turn without a claim."
        assert way in text

    def test_what_the_rules_refuse_is_told_and_plays_nothing(self, pair: Pair) -> None:
        version = pair.match.now().version
        text = pair.bob.answer("R4@3")
        assert pair.match.now().version == version
        assert text.startswith("Nothing was played.")
        assert "(ruling" not in text
        assert "Answer with a turn such as" in text
        pair.bob.answer(held(pair.match)[0])
        assert pair.match.now().version > version

    @pytest.mark.parametrize(
        "more", ["Good grief, Bobby!", "show", "end", "R4@33", "play R7", "\nWhat do you think?"]
    )
    def test_nothing_is_played_beside_a_line_that_is_not_understood(
        self, match: Match, bob: Correspondent, more: str
    ) -> None:
        version = match.now().version
        text = bob.answer(f"{held(match)[0]}\n{more}")
        assert match.now().version == version
        assert "This is where I was stuck:" in text
        assert more.strip().split()[-1] in text
        assert "“say:” before" in text

    @pytest.mark.parametrize("said", ["Phew, that was a hard one", ""])
    def test_who_is_not_to_move_is_told_whose_turn_it_is_first(self, pair: Pair, said: str) -> None:
        pair.bob.answer(held(pair.match)[0])
        text = flat(pair.bob.answer(said))
        assert text.startswith("Nothing was played. It is Ann’s turn.")

    @pytest.mark.parametrize("question", ["What beats what here?", "What does the Banshee do?"])
    def test_a_question_is_told_where_answers_are(self, pair: Pair, question: str) -> None:
        said = flat(pair.bob.answer(question))
        assert "“rules” gets you the rules in short, and “help” the commands." in said

    def test_a_second_answer_is_told_that_it_is_late(self, pair: Pair) -> None:
        turn = str(pair.bob.latest["Reply-To"])
        pair.bob.answer(held(pair.match)[0])
        version = pair.match.now().version
        text = pair.bob.answer("R1@1", to=turn)
        assert pair.match.now().version == version
        assert "You have already played that turn: now it is Ann’s turn." in text

    def test_the_letters_of_the_clans_stand_in_the_first_mail_and_in_the_help(
        self, pair: Pair
    ) -> None:
        letters = "R Red · O Orange · Y Yellow · G Green · B Blue · P Purple"
        assert letters in flat(text_of(pair.bob.latest))
        pair.bob.answer(held(pair.match)[0])
        pair.ann.answer(held(pair.match)[0])
        assert kinds(pair.bob)[0] == "turn"
        html = pair.bob.latest.get_body(("html",))
        assert html is not None
        assert letters not in flat(text_of(pair.bob.latest)) + html.get_content()
        assert pair.bob.answer("help").count(letters) == 1

    def test_who_played_on_the_page_finds_the_letters_until_their_first_turn_by_mail(
        self, pair: Pair
    ) -> None:
        letters = "R Red · O Orange · Y Yellow · G Green · B Blue · P Purple"
        for _ in range(2):
            pair.match.play(held(pair.match)[0])
        run(pair.match.context)
        assert kinds(pair.bob)[0] == "turn"
        html = pair.bob.latest.get_body(("html",))
        assert html is not None
        assert letters in flat(text_of(pair.bob.latest))
        assert letters in html.get_content().replace("\N{NO-BREAK SPACE}", " ")
        pair.bob.answer(held(pair.match)[0])
        pair.match.play(held(pair.match)[0])
        run(pair.match.context)
        assert kinds(pair.bob)[0] == "turn"
        assert letters not in flat(text_of(pair.bob.latest))

    def test_a_late_answer_is_told_who_has_moved(self, pair: Pair) -> None:
        turn, match = str(pair.bob.latest["Reply-To"]), pair.match
        pair.bob.answer(held(match)[0])
        after = str(pair.bob.latest["Reply-To"])
        pair.ann.answer(held(match)[0])
        text = pair.bob.answer("R1@1", to=turn)
        assert "You have already played that turn, and Ann has moved since." in text
        assert "Your turn" in text
        assert "Answer with a turn" in text
        text = pair.bob.answer(held(match)[0], to=after)
        assert "Ann has moved since that mail. Here is the position now." in text

    def test_the_same_mail_twice_is_played_and_answered_once(self, pair: Pair) -> None:
        turn, move = str(pair.bob.latest["Reply-To"]), held(pair.match)[0]
        pair.bob.answer(move, message_id="<same@example.org>")
        version, mails = pair.match.now().version, len(pair.bob.mails())
        pair.bob.answer(move, to=turn, message_id="<same@example.org>")
        assert (pair.match.now().version, len(pair.bob.mails())) == (version, mails)

    def test_of_two_mails_with_one_id_the_first_is_carried_out(
        self, match: Match, bob: Correspondent
    ) -> None:
        incoming, turn = match.context.container.incoming_mail, str(bob.latest["Reply-To"])
        for said in (held(match)[0], "resign"):
            raw = f"From: {bob.email}\nMessage-ID: <same@example.org>\n\n{said}\n".encode()
            incoming.accept(turn, bob.email, raw)
        run(match.context)
        assert match.now().player_to_move() == match.ann

    def test_who_sent_a_mail_is_not_kept_once_it_is_read(self, pair: Pair) -> None:
        pair.bob.answer("show")
        redis = pair.match.context.container.redis
        (kept,) = [redis.hgetall(key) for key in redis.scan_iter("st:mail-in:*")]
        assert pair.bob.email not in str(kept)

    def test_show_and_help(self, match: Match, bob: Correspondent) -> None:
        version = match.now().version
        assert bob.answer("show").startswith("It is your turn against Ann.")
        told = bob.answer("help")
        for line in chain(*guide(ENGLISH, has_tactics=False).values()):
            assert line in told
        assert "STR:" not in told
        assert match.now().version == version

    @pytest.mark.parametrize(
        "confirmed_by", ["Resign.", "yes", "I give up", "Yes, I give up.", "Ja, ich gebe auf"]
    )
    def test_to_resign_is_asked_once_more(self, pair: Pair, confirmed_by: str) -> None:
        version = pair.match.now().version
        assert "To confirm, answer" in pair.bob.answer("resign")
        assert pair.match.now().version == version
        pair.bob.answer(confirmed_by)
        assert any(text_of(mail).startswith("Done, and the game is") for mail in pair.bob.mails())
        assert pair.match.now().game.over

    @pytest.mark.parametrize(
        "said", ["I give up", "Sorry Ann, I give up. Rematch?", "I think I have to give up now."]
    )
    def test_to_give_up_takes_two_mails(self, pair: Pair, said: str) -> None:
        assert "To confirm, answer" in pair.bob.answer(f"Dear Ann,\n\n{said}\n\nLove, B.")
        assert not pair.match.now().game.over
        pair.bob.answer("yes")
        assert pair.match.now().game.over

    @pytest.mark.parametrize(
        "said",
        ["Yes. Well played!", "Yes, thank you. Rematch?", "I give up, you win", "Whatever", ""],
    )
    def test_an_answer_that_is_not_understood_leaves_the_question_open(
        self, pair: Pair, said: str
    ) -> None:
        pair.bob.answer("resign")
        assert "To confirm, answer" in pair.bob.answer(said)
        assert not pair.match.now().game.over
        pair.bob.answer("yes")
        assert pair.match.now().game.over

    @pytest.mark.parametrize("said", ["no", "Yes, but wait, not yet", "Never mind"])
    def test_an_answer_that_says_no_closes_the_question(self, pair: Pair, said: str) -> None:
        pair.bob.answer("resign")
        assert "To confirm, answer" not in pair.bob.answer(said)
        pair.bob.answer("yes")
        assert not pair.match.now().game.over

    def test_instead_of_resigning_a_turn_can_be_played(self, pair: Pair) -> None:
        assert "you can answer with a turn too" in pair.bob.answer("resign")
        pair.bob.answer(held(pair.match)[0])
        assert pair.match.now().player_to_move() == pair.match.ann

    def test_who_resigns_once_the_game_is_over_is_told_so(self, pair: Pair) -> None:
        turn = str(pair.bob.latest["Reply-To"])
        pair.match.context.container.games.resign(pair.match.id, pair.match.ann)
        run(pair.match.context)
        text = pair.bob.answer("resign", to=turn)
        assert "The game is over" in text
        assert "To confirm it" not in text

    def test_nothing_is_offered_to_somebody_who_is_gone(
        self, pair: Pair, ann: Correspondent
    ) -> None:
        container = pair.match.context.container
        leaving = container.players.find(pair.match.bob)
        assert leaving is not None
        container.accounts.close(leaving)
        run(pair.match.context)
        for text in (text_of(ann.latest), ann.answer("show"), ann.answer("R7@3")):
            assert "A former player" in text
            assert "rematch" not in text
            assert "say:" not in text

    def test_an_encrypted_mail_is_answered(self, match: Match, bob: Correspondent) -> None:
        assert "encrypted" in bob.answer("-----BEGIN PGP MESSAGE-----\nabc")


@pytest.mark.parametrize(
    "said",
    [
        "is it my turn again? I lost track.",
        "Whose turn is it now? The cat slept on my notes.",
        "Bin ich wieder dran? Ich habe den Faden verloren.",
        "Bonjour, peux-tu me montrer le plateau ?",
    ],
)
def test_a_question_whose_turn_it_is_is_answered_with_the_board(
    bob: Correspondent, said: str
) -> None:
    text = bob.answer(said)
    assert text.startswith("It is your turn against Ann. Ann played Red 4 on Stone 3. Your turn")
