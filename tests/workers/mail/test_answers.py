"""Playing by answering: from a mail that came in to what is played and answered."""

import pytest

from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.games import NewGame
from service.mail.mailbox import Mailbox
from service.mail_in.reading import message
from service.mail_in.words.help import HELP
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.mail.correspondence import Correspondent, counts, flat, held, run, text_of
from tests.workers.match import Match
from workers.context import WorkerContext, build_context


class TestTurns:
    def test_a_turn_is_played_and_answered_with_the_new_board(
        self, match: Match, bob: Correspondent, ann: Correspondent
    ) -> None:
        version = match.now().version
        move = held(match)[0]
        card, stone = move.split("@")
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
        assert text_of(ann.latest).count("is over") == 1
        assert text_of(bob.latest).count("is over") == 1

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
        assert "Answer with “claim 3” or “draw clan”, each on its own line" in text

    def test_what_the_rules_refuse_is_told_and_plays_nothing(
        self, match: Match, bob: Correspondent
    ) -> None:
        version = match.now().version
        text = bob.answer("R4@3")
        assert match.now().version == version
        assert text.startswith("Nothing was played.")
        assert "Answer with a line such as" in text
        bob.answer(held(match)[0])
        assert match.now().version > version

    @pytest.mark.parametrize(
        "more", ["Good game!", "show", "end", "R4@33", "play R7", "\nWhat do you think?"]
    )
    def test_nothing_is_played_beside_a_line_that_is_not_understood(
        self, match: Match, bob: Correspondent, more: str
    ) -> None:
        version = match.now().version
        text = bob.answer(f"{held(match)[0]}\n{more}")
        assert match.now().version == version
        assert "is no command" in text
        assert more.strip().split()[-1] in text
        assert "“say:” at" in text

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
        assert bob.answer("show").startswith("This is your game against Ann")
        told = bob.answer("help")
        for line in (line for lines in HELP.values() for line in lines):
            assert line in told
        assert match.now().version == version

    def test_to_resign_is_asked_once_more(self, match: Match, bob: Correspondent) -> None:
        version = match.now().version
        text = bob.answer("resign")
        assert "To confirm it" in text
        assert match.now().version == version
        bob.answer("Resign.")
        assert any(text_of(mail).startswith("Done, and the game is") for mail in bob.mails())
        assert match.now().game.over

    def test_instead_of_resigning_a_turn_can_be_played(
        self, match: Match, bob: Correspondent
    ) -> None:
        assert "this mail can be answered like any other" in bob.answer("resign")
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
        text = bob.answer("-----BEGIN PGP MESSAGE-----\nabc")
        assert "encrypted" in text


class TestWhoseMail:
    def test_another_address_plays_nothing_and_the_player_is_told(
        self, match: Match, bob: Correspondent
    ) -> None:
        version = match.now().version
        text = bob.answer(held(match)[0], sender="eve@example.org")
        assert match.now().version == version
        assert "not yours here" in text
        assert "eve" not in text
        assert "The board" not in text

    def test_the_opponent_cannot_play_with_the_players_address(
        self, match: Match, bob: Correspondent, ann: Correspondent
    ) -> None:
        version = match.now().version
        ann.answer(held(match)[0], to=str(bob.latest["Reply-To"]))
        assert match.now().version == version

    def test_forged_addresses_are_refused_at_the_door(
        self, match: Match, bob: Correspondent
    ) -> None:
        turn = str(bob.latest["Reply-To"])
        other = turn[:-25] + ("b" if turn[-25] == "a" else "a") + turn[-24:]
        incoming = match.context.container.incoming_mail
        for changed in (turn.replace("+ts", "+tn"), other, "x@y.z", ""):
            with pytest.raises(RequestRejected):
                incoming.accept(changed, "bob@example.org", b"From: bob@example.org\n\nR1@1")

    def test_an_unverified_address_plays_nothing_where_mail_is_real(
        self, match: Match, bob: Correspondent, redis: Client, clock: Clock
    ) -> None:
        strict = settings(smtp_url="smtp://127.0.0.1:1", mail_domain="scottenbury.test")
        context = build_context(strict, redis, clock, match.context.mailer)
        player = context.container.players.find(match.bob)
        redis.hdel(f"st:{{{player.id}}}:player", "verified")
        version, move = match.now().version, held(match)[0]
        Correspondent(context, bob.mailbox, bob.email).answer(move)
        assert match.now().version == version

    @pytest.mark.parametrize(
        ("result", "plays"),
        [
            ("mx.example.org; dmarc=fail header.from=example.org", False),
            ("mx.example.org; spf=fail; dkim=none", False),
            ("mx.example.org 1; dkim=pass; spf=fail; dmarc=pass", True),
            ("mx.example.org; spf=pass smtp.mailfrom=evil.example; dkim=fail", False),
            ("mx.example.org; spf=fail; dkim=pass header.d=mail.example.org", True),
            ("mx.example.org; spf=pass smtp.mailfrom=evil.example; dkim=none", True),
            ("elsewhere.example.org; dmarc=fail", True),
        ],
    )
    def test_our_own_servers_verdict_counts(
        self,
        match: Match,
        bob: Correspondent,
        redis: Client,
        clock: Clock,
        result: str,
        plays: bool,
    ) -> None:
        known = build_context(settings(mail_authserv="mx.example.org"), redis, clock)
        version = match.now().version
        writer = Correspondent(known, bob.mailbox, bob.email)
        text = writer.answer(held(match)[0], Authentication_Results=result)
        assert (match.now().version > version) is plays
        assert plays or "did not pass" in text

    @pytest.mark.parametrize("sender", ["eve@example.org", ""])
    def test_what_stands_in_a_copy_is_told_to_its_writer_alone(
        self, match: Match, bob: Correspondent, sender: str
    ) -> None:
        copied = "-----Original Message-----\nFrom: Scottenbury\n\nclaim 7\n"
        text = bob.answer(copied, sender=sender)
        assert ("Line 4: " in text) is (sender == "")

    def test_who_answers_the_sender_is_led_to_the_right_address(
        self, match: Match, bob: Correspondent
    ) -> None:
        version, turn = match.now().version, bob.latest["Reply-To"]
        text = bob.answer(held(match)[0], to="scottenbury@scottenbury.test")
        assert match.now().version == version
        assert "where nothing can be played" in text
        assert bob.latest["Reply-To"] == turn

    def test_strangers_at_the_sender_are_not_answered(
        self, match: Match, bob: Correspondent
    ) -> None:
        mails = len(bob.mailbox.newest(500))
        bob.answer("help", to="scottenbury@scottenbury.test", sender="eve@example.org")
        assert len(bob.mailbox.newest(500)) == mails
        assert counts(match) == {"misdirected": 1}


class TestMachines:
    @pytest.mark.parametrize(
        ("headers", "counted"),
        [
            ({"Auto_Submitted": "auto-replied"}, "automatic"),
            ({"Precedence": "bulk"}, "automatic"),
            ({"List_Id": "<a.b>"}, "list"),
            ({"X_Scottenbury_Game": "abc"}, "loop"),
        ],
    )
    def test_they_are_dropped_and_counted(
        self, match: Match, bob: Correspondent, headers: dict[str, str], counted: str
    ) -> None:
        mails, version = len(bob.mails()), match.now().version
        bob.answer(held(match)[0], **headers)
        assert (len(bob.mails()), match.now().version) == (mails, version)
        assert counts(match) == {counted: 1}

    def test_a_mail_without_return_path_is_a_bounce(self, match: Match, bob: Correspondent) -> None:
        bob.answer(held(match)[0], envelope="")
        assert counts(match) == {"bounce": 1}

    def test_our_own_mail_coming_back_is_a_loop(self, match: Match, bob: Correspondent) -> None:
        bob.answer(held(match)[0], sender=str(bob.latest["Reply-To"]))
        assert counts(match) == {"loop": 1}

    def test_two_machines_without_headers_stop(
        self, match: Match, bob: Correspondent, redis: Client, clock: Clock
    ) -> None:
        limited = build_context(settings(rate_limits=True), redis, clock)
        writer, mails = Correspondent(limited, bob.mailbox, bob.email), len(bob.mails())
        for _ in range(40):
            writer.answer("I am away.", to=str(bob.mails()[-1]["Reply-To"]))
        assert len(bob.mails()) - mails == 10

    def test_the_subject_is_never_quoted(self, match: Match, bob: Correspondent) -> None:
        raw = f"From: {bob.email}\nSubject: Buy stones\nMessage-ID: <x@y>\n\nfoo\n"
        turn = str(bob.latest["Reply-To"])
        match.context.container.incoming_mail.accept(turn, bob.email, raw.encode())
        run(match.context)
        assert "Nothing was played" in text_of(bob.latest)
        assert "Buy" not in bob.latest.as_string()


class TestInvitations:
    def test_a_challenge_is_accepted_by_answering(
        self, context: WorkerContext, match: Match, mailbox: Mailbox, bob: Correspondent
    ) -> None:
        wanted = NewGame(first_player="creator")
        made = context.container.games.challenges.make(match.ann, match.bob, wanted)
        run(context)
        assert "“accept”" in text_of(bob.latest)
        assert f"/challenges/{made.id}" in bob.answer("Gladly!")
        assert bob.answer("accept").startswith("Done.")
        assert context.container.games.load(made.id).game.status == "active"

    def test_a_challenge_is_declined_by_answering(
        self, context: WorkerContext, match: Match, mailbox: Mailbox, bob: Correspondent
    ) -> None:
        made = context.container.games.challenges.make(match.ann, match.bob, NewGame())
        run(context)
        assert "You declined" in bob.answer("Decline")
        assert context.container.games.challenges.find(made.id, match.bob).status == "declined"

    def test_somebody_without_an_account_accepts_and_has_one(
        self, context: WorkerContext, match: Match, mailbox: Mailbox
    ) -> None:
        wanted = NewGame(opponent_email="cy@example.org", first_player="creator")
        made = context.container.games.create(match.ann, wanted)
        run(context)
        cy = Correspondent(context, mailbox, "cy@example.org")
        assert "hash" not in cy.latest.as_string()
        assert "Under which name" in cy.answer("accept")
        unread = cy.answer("Sure!\naccept")
        assert "“accept” or “decline”" in unread  # and answers that very mail
        assert "nothing was accepted at all" in flat(unread)
        assert context.container.games.invitations.url(made.id) in unread
        assert cy.answer("accept as Cy").startswith("Done.")
        stored = context.container.games.load(made.id)
        (new,) = set(stored.players) - {match.ann}
        player = context.container.players.find(new)
        assert (player.name, player.email, player.verified) == ("Cy", "cy@example.org", True)

    @pytest.fixture
    def cy(self, context: WorkerContext, match: Match, mailbox: Mailbox) -> Correspondent:
        """Somebody without an account, who is invited, and known to their program as Cy."""
        context.container.games.create(match.ann, NewGame(opponent_email="cy@example.org"))
        run(context)
        return Correspondent(context, mailbox, "cy@example.org")

    NAMED = "Cy <cy@example.org>"

    def names(self, context: WorkerContext) -> list[str]:
        """Of everybody but Ann and Bob."""
        everybody, _ = context.container.players.starting_with("", None, 10)
        return sorted(player.name for player in everybody if player.name not in ("Ann", "Bob"))

    def test_accept_alone_shows_the_name_that_all_will_see_and_asks_once(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        asked = cy.answer("accept", sender=self.NAMED)
        assert "You would play under the name Cy, which everybody here sees." in asked
        assert self.names(context) == []
        assert cy.answer("accept", sender=self.NAMED).startswith("Done.")
        assert self.names(context) == ["Cy"]

    def test_another_name_can_be_chosen_then(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        cy.answer("accept", sender=self.NAMED)
        assert cy.answer("accept as Mac", sender=self.NAMED).startswith("Done.")
        assert self.names(context) == ["Mac"]

    def test_what_was_shown_is_what_is_agreed_to(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        cy.answer("accept", sender=self.NAMED)
        other = "Cynthia Longname <cy@example.org>"
        assert "under the name Cynthia Longname" in cy.answer("accept", sender=other)
        assert self.names(context) == []
        assert cy.answer("accept", sender=other).startswith("Done.")
        assert self.names(context) == ["Cynthia Longname"]

    def test_a_name_that_is_taken_is_shown_as_it_would_be(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        context.container.players.register("Cy")
        assert "under the name Cy 2, which" in cy.answer("accept", sender=self.NAMED)
        assert cy.answer("accept", sender=self.NAMED).startswith("Done.")
        assert self.names(context) == ["Cy", "Cy 2"]

    def test_one_that_was_chosen_and_is_taken_is_asked_about(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        cy.answer("accept", sender=self.NAMED)
        context.container.players.register("Cy")
        assert "under the name Cy 2, which" in cy.answer("accept", sender=self.NAMED)
        assert "under the name Cy 2, which" in cy.answer("accept as Cy", sender=self.NAMED)
        assert self.names(context) == ["Cy"]

    def test_who_accepts_and_plays_second_gets_no_mail_of_a_turn(
        self, context: WorkerContext, match: Match, mailbox: Mailbox
    ) -> None:
        cy = Correspondent(context, mailbox, "cy@example.org")
        wanted = NewGame(opponent_email=cy.email, first_player="creator")
        context.container.games.create(match.ann, wanted)
        run(context)
        cy.answer("accept as Cy")
        assert not [mail for mail in cy.mails() if ".turn@" in str(mail["Message-ID"])]

    @pytest.mark.parametrize("offer", ["challenge", "invitation"])
    def test_to_accept_by_mail_is_a_visit(
        self, context: WorkerContext, match: Match, bob: Correspondent, offer: str
    ) -> None:
        container = context.container
        container.mail_preferences.set_choice(match.bob, {"delivery": "until_visit"})
        if offer == "challenge":
            container.games.challenges.make(match.ann, match.bob, NewGame(first_player="creator"))
        else:
            container.games.create(match.ann, NewGame(opponent=match.bob, first_player="creator"))
        run(context)
        assert not container.deferred_notices.tell(match.bob, "another notice")
        bob.answer("accept")
        assert container.deferred_notices.tell(match.bob, "another notice")

    def test_a_forwarded_invitation_seats_nobody_by_mail(
        self, context: WorkerContext, match: Match, mailbox: Mailbox
    ) -> None:
        made = context.container.games.create(match.ann, NewGame(opponent_email="cy@example.org"))
        run(context)
        cy = Correspondent(context, mailbox, "cy@example.org")
        cy.answer("accept as Eve", sender="eve@example.org")
        assert context.container.games.load(made.id).game.status == "open"
        assert counts(match) == {"stranger": 1}


class TestCrashes:
    def come_in(self, match: Match, bob: Correspondent, sender: str, content: str) -> str:
        """The id of a mail that has come in as an answer of Bob's."""
        incoming = match.context.container.incoming_mail
        raw = f"From: {sender}\nMessage-ID: <x@y>\n{content}".encode()
        incoming.accept(str(bob.latest["Reply-To"]), sender, raw)
        due = match.context.container.log.outbox.pending()
        return next(one.id for one in due if "mail-in" in one.id).partition(".")[0]

    def test_the_text_is_not_parsed_before_the_sender_is_believed(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(message, "read_apart", lambda content: 1 / 0)
        incoming = match.context.container.incoming_mail
        to = bob.latest["Reply-To"]
        raw = f"From: {bob.email}\nTo: {to}\n\n{held(match)[0]}\n".encode()
        assert incoming.recipients_of(raw) == [to]
        html = "Content-Type: text/html\n\n<b>R7@3"
        assert incoming.process(self.come_in(match, bob, "eve@example.org", html)) == "stranger"

    def test_a_mail_of_which_a_worker_dies_is_given_up_and_answered(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Died(BaseException):
            """As if the process ended: nothing is done after it."""

        def die(content: bytes) -> None:
            raise Died

        incoming = match.context.container.incoming_mail
        mail_id = self.come_in(match, bob, bob.email, f"\n{held(match)[0]}\n")
        with monkeypatch.context() as broken:
            broken.setattr(message, "read_apart", die)
            broken.setattr(incoming._store, "end_try", lambda mail_id: None)
            for _ in range(2):
                with pytest.raises(Died):
                    incoming.process(mail_id)
            assert incoming.process(mail_id) == "refused"
        version = match.now().version
        run(match.context)
        assert "takes too long to read" in flat(text_of(bob.latest))
        assert match.now().version == version

    def test_a_failure_is_no_death(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        incoming = match.context.container.incoming_mail
        mail_id = self.come_in(match, bob, bob.email, f"\n{held(match)[0]}\n")
        with monkeypatch.context() as broken:
            broken.setattr(message, "read_apart", lambda content: 1 / 0)
            for _ in range(5):
                with pytest.raises(ZeroDivisionError):
                    incoming.process(mail_id)
        assert incoming.process(mail_id) == "played"

    def test_a_mail_is_played_once_wherever_a_worker_dies(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        incoming = match.context.container.incoming_mail
        version, move = match.now().version, held(match)[0]
        raw = f"From: {bob.email}\nMessage-ID: <x@y>\n\n{move}\n".encode()
        incoming.accept(str(bob.latest["Reply-To"]), bob.email, raw)
        (notice,) = [
            n.id for n in match.context.container.log.outbox.pending() if "mail-in" in n.id
        ]
        mail_id = notice.partition(".")[0]
        # Played, and ended before that was kept.
        with monkeypatch.context() as broken:
            broken.setattr(incoming._store, "finish", lambda *given: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                incoming.process(mail_id)
        played = match.now().version
        assert played > version
        assert incoming.process(mail_id) == "played"
        assert incoming.process(mail_id) == "played"
        mails = len(bob.mails())
        run(match.context)
        assert incoming.process(mail_id) == "played"
        run(match.context)
        assert match.now().version == played
        assert len(bob.mails()) == mails + 1
