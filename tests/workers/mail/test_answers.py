"""Playing by answering: from a mail that came in to what is played and answered."""

import pytest

from service.mail_in.outcome import COMMANDS
from tests.workers.mail.correspondence import Correspondent, flat, held, run, text_of
from tests.workers.match import Match


def _not_an_answer(text: str) -> bool:
    return not text.startswith("Done")


class TestTurns:
    def test_a_turn_is_played_and_answered_with_the_new_board(
        self, match: Match, bob: Correspondent, ann: Correspondent
    ) -> None:
        version = match.now().version
        card, stone = held(match)[0].split("@")
        text = bob.answer(f"play {card} at {stone}\n\n-- \nBob")
        assert match.now().version > version
        assert text.startswith("Done. It is the turn of Ann.")
        assert "“say: well played”" in text
        assert "play R7" not in text
        assert "“play R7 at 3”" in text_of(ann.latest)
        assert match.now().head in text
        lines = list(match.context.container.log.events.read(match.id))
        assert '"via":"mail"' in lines[-1].replace(" ", "")
        assert "Your turn" in text_of(ann.latest)
        assert bob.latest["Auto-Submitted"] == "auto-replied"
        assert bob.latest["In-Reply-To"] == ann.latest["In-Reply-To"]

    def test_a_whole_game_by_mail_alone(
        self, match: Match, bob: Correspondent, ann: Correspondent
    ) -> None:
        for _ in range(200):
            if match.now().game.over:
                break
            mover = bob if match.now().player_to_move() == match.bob else ann
            version = match.now().version
            mover.answer(held(match)[0])
            assert match.now().version > version
        done, told = sorted((text_of(one.latest) for one in (ann, bob)), key=_not_an_answer)
        assert done.startswith("Done, and the game is over.")
        assert " won with " in told.partition("\n")[0]

    def test_a_turn_that_waits_for_a_claim_is_said_to_go_on(
        self, match: Match, bob: Correspondent, ann: Correspondent
    ) -> None:
        for _ in range(200):
            mover = bob if match.now().player_to_move() == match.bob else ann
            mover.answer(held(match)[0])
            if match.now().game.phase == "finish":
                break
        text = flat(text_of(mover.latest))
        assert text.startswith("Done, and your turn goes on.")
        named = [action[1] for action in held(match) if action[0] == "!"]
        assert f"Answer with “claim {named[0]}” or “draw clan”, each on its own line" in text

    def test_what_the_rules_refuse_is_told_and_plays_nothing(
        self, match: Match, bob: Correspondent
    ) -> None:
        version = match.now().version
        text = bob.answer("R4@3")
        assert match.now().version == version
        assert text.startswith("Nothing was played.")
        assert "Answer with a turn such as" in text
        bob.answer(held(match)[0])
        assert match.now().version > version

    @pytest.mark.parametrize(
        "more", ["Good grief, Bobby!", "show", "end", "R4@33", "play R7", "\nWhat do you think?"]
    )
    def test_nothing_is_played_beside_a_line_that_is_not_understood(
        self, match: Match, bob: Correspondent, more: str
    ) -> None:
        version = match.now().version
        text = bob.answer(f"{held(match)[0]}\n{more}")
        assert match.now().version == version
        assert "is not a command" in text
        assert more.strip().split()[-1] in text
        assert "“say:” before" in text

    def test_a_second_answer_is_told_that_it_is_late(
        self, match: Match, bob: Correspondent
    ) -> None:
        turn = str(bob.latest["Reply-To"])
        bob.answer(held(match)[0])
        version = match.now().version
        text = bob.answer("R1@1", to=turn)
        assert match.now().version == version
        assert "answers an earlier turn" in text

    def test_the_same_mail_twice_is_played_and_answered_once(
        self, match: Match, bob: Correspondent
    ) -> None:
        turn, move = str(bob.latest["Reply-To"]), held(match)[0]
        bob.answer(move, message_id="<same@example.org>")
        version, mails = match.now().version, len(bob.mails())
        bob.answer(move, to=turn, message_id="<same@example.org>")
        assert (match.now().version, len(bob.mails())) == (version, mails)

    def test_of_two_mails_with_one_id_the_first_is_carried_out(
        self, match: Match, bob: Correspondent
    ) -> None:
        incoming, turn = match.context.container.incoming_mail, str(bob.latest["Reply-To"])
        for said in (held(match)[0], "resign"):
            raw = f"From: {bob.email}\nMessage-ID: <same@example.org>\n\n{said}\n".encode()
            incoming.accept(turn, bob.email, raw)
        run(match.context)
        assert match.now().player_to_move() == match.ann

    def test_who_sent_a_mail_is_not_kept_once_it_is_read(
        self, match: Match, bob: Correspondent
    ) -> None:
        bob.answer("show")
        redis = match.context.container.redis
        (kept,) = [redis.hgetall(key) for key in redis.scan_iter("st:mail-in:*")]
        assert bob.email not in str(kept)

    def test_show_and_help(self, match: Match, bob: Correspondent) -> None:
        version = match.now().version
        assert bob.answer("show").startswith("Your game against Ann")
        told = bob.answer("help")
        for line in (line for lines in COMMANDS.values() for line in lines):
            assert line in told
        assert match.now().version == version

    @pytest.mark.parametrize("confirmed_by", ["Resign.", "yes"])
    def test_to_resign_is_asked_once_more(
        self, match: Match, bob: Correspondent, confirmed_by: str
    ) -> None:
        version = match.now().version
        assert "To confirm, answer" in bob.answer("resign")
        assert match.now().version == version
        bob.answer(confirmed_by)
        assert any(text_of(mail).startswith("Done, and the game is") for mail in bob.mails())
        assert match.now().game.over

    def test_instead_of_resigning_a_turn_can_be_played(
        self, match: Match, bob: Correspondent
    ) -> None:
        assert "you can answer with a turn too" in bob.answer("resign")
        bob.answer(held(match)[0])
        assert match.now().player_to_move() == match.ann

    def test_who_resigns_once_the_game_is_over_is_told_so(
        self, match: Match, bob: Correspondent
    ) -> None:
        turn = str(bob.latest["Reply-To"])
        match.context.container.games.resign(match.id, match.ann)
        run(match.context)
        text = bob.answer("resign", to=turn)
        assert "The game is over" in text
        assert "To confirm it" not in text

    def test_an_encrypted_mail_is_answered(self, match: Match, bob: Correspondent) -> None:
        assert "encrypted" in bob.answer("-----BEGIN PGP MESSAGE-----\nabc")
