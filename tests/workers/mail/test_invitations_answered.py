"""Challenges and invitations that are answered by mail."""

import pytest

from service.core.redis.batch import execute_all
from service.core.times import DAY
from service.games import NewGame
from service.games.conversations import SETTLE
from service.games.projections.player_games import GameFilter
from service.mail.mailbox import Mailbox
from service.mail_in.store import READ
from tests.support.clock import Clock
from tests.workers.mail.correspondence import Correspondent, counts, flat, links, run, text_of
from tests.workers.match import Match
from workers.context import WorkerContext


class TestInvitations:
    def test_a_challenge_is_accepted_by_answering(
        self, context: WorkerContext, match: Match, mailbox: Mailbox, bob: Correspondent
    ) -> None:
        wanted = NewGame(first_player="creator")
        made = context.container.games.challenges.make(match.ann, match.bob, wanted)
        run(context)
        assert "“accept”" in text_of(bob.latest)
        assert f"/challenges/{made.id}" in bob.answer("I wonder!")
        assert bob.answer("accept").startswith("You are in the game. It’s Ann’s turn.")
        assert context.container.games.load(made.id).game.status == "active"

    def test_an_answer_is_a_sign_of_life_of_those_who_only_mail(
        self, context: WorkerContext, match: Match, bob: Correspondent
    ) -> None:
        container = context.container
        container.games.challenges.make(match.ann, match.bob, NewGame())
        run(context)
        bob.answer("accept")
        used, answered = execute_all(container.redis, container.tokens.last_sign_queries(match.bob))
        assert used is None
        assert container.now() - 60 < (answered or 0) <= container.now()

    def test_a_challenge_is_declined_by_answering(
        self, context: WorkerContext, match: Match, mailbox: Mailbox, bob: Correspondent
    ) -> None:
        made = context.container.games.challenges.make(match.ann, match.bob, NewGame())
        run(context)
        assert "You declined" in bob.answer("Decline")
        assert context.container.games.challenges.find(made.id, match.bob).status == "declined"

    def test_yes_and_no_answer_a_challenge_too(
        self, context: WorkerContext, match: Match, bob: Correspondent
    ) -> None:
        challenges = context.container.games.challenges
        answers = {"no": "declined", "Yes, gladly!": "accepted", "Einverstanden!": "accepted"}
        for word, status in answers.items():
            made = challenges.make(match.ann, match.bob, NewGame())
            run(context)
            bob.answer(word)
            assert challenges.find(made.id, match.bob).status == status

    def test_somebody_without_an_account_accepts_and_has_one(
        self, context: WorkerContext, match: Match, mailbox: Mailbox
    ) -> None:
        wanted = NewGame(opponent_email="cy@example.org", first_player="creator")
        made = context.container.games.create(match.ann, wanted)
        run(context)
        cy = Correspondent(context, mailbox, "cy@example.org")
        assert "hash" not in cy.latest.as_string()
        assert "Under which name" in cy.answer("accept")
        unread = cy.answer("If I must!\naccept")
        assert "Answer “accept as Ada”, with your own name" in unread  # and answers that very mail
        assert "nothing was accepted." in flat(unread)
        assert context.container.games.invitations.url(made.id) in unread
        assert cy.answer("accept as Cy").startswith("You are in the game.")
        (new,) = set(context.container.games.load(made.id).players) - {match.ann}
        player = context.container.players.find(new)
        assert (player.name, player.email, player.verified) == ("Cy", "cy@example.org", True)

    @pytest.mark.parametrize(
        ("said", "unsaid"),
        [
            ("Hi Ann, sure, I accept! I'm Bo.", ""),
            ("Yes, gladly. I accept! My name is Bo", ""),
            ("Oh yes, gladly! My revenge is due. I accept, as Bo.", ""),
            ("Oh ja, sehr gerne! Zeit für meine Revanche. Ich nehme an als Bo", ""),
            ("Hallo Ann, klar, ich nehme an! Ich bin Bo.", ""),
            ("Sure, I accept! I'm Bo. The cat is asleep.", "The cat is asleep."),
        ],
    )
    def test_only_prose_beside_an_acceptance_is_named(
        self, context: WorkerContext, match: Match, mailbox: Mailbox, said: str, unsaid: str
    ) -> None:
        context.container.games.create(match.ann, NewGame(opponent_email="cy@example.org"))
        run(context)
        answer = flat(Correspondent(context, mailbox, "cy@example.org").answer(said))
        named = answer.partition("as it is no command:")[2]
        assert bool(named) == bool(unsaid)
        assert unsaid in named
        assert not any(each in named for each in ("ure", "Bo.", "klar"))

    def test_what_the_host_writes_stands_in_the_invitation(
        self, context: WorkerContext, match: Match, mailbox: Mailbox
    ) -> None:
        said = "Fancy a game? <b>Play</b> R7 at 3"
        wanted = NewGame(opponent_email="cy@example.org", message=said)
        context.container.games.create(match.ann, wanted)
        run(context)
        mail = Correspondent(context, mailbox, "cy@example.org").latest
        assert f"Ann writes: {said}" in flat(text_of(mail))
        assert "Fancy a game? <b>Play</b> R7 at 3" not in str(mail.get_body(("plain",)))
        page = mail.get_body(("html",))
        assert page is not None
        assert "Fancy a game? &lt;b&gt;Play" in str(page.get_content())

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
        assert "You would play as Cy, a name that everybody here sees." in asked
        assert self.names(context) == []
        assert cy.answer("accept", sender=self.NAMED).startswith("You are in the game.")
        assert self.names(context) == ["Cy"]

    @pytest.mark.parametrize("first", ["creator", "opponent"])
    def test_a_greeting_beside_the_acceptance_stands_in_the_mail_that_the_game_has_begun(
        self, context: WorkerContext, match: Match, mailbox: Mailbox, clock: Clock, first: str
    ) -> None:
        ann = Correspondent(context, mailbox, "ann@example.org")
        wanted = NewGame(opponent_email="cy@example.org", first_player=first)
        context.container.games.create(match.ann, wanted)
        run(context)
        before = len(ann.mails())
        cy = Correspondent(context, mailbox, "cy@example.org")
        cy.answer("accept as Cy\n\nsay: good evening")
        clock.time += 10 * SETTLE
        run(context)
        (begun,) = ann.mails()[: len(ann.mails()) - before]
        assert "Your game against Cy has begun." in flat(text_of(begun))
        assert "Cy has written to you.\n| good evening\n" in text_of(begun)

    @pytest.mark.parametrize("first", ["creator", "opponent"])
    def test_who_comes_by_mail_is_told_once_that_they_add_no_number_to_the_shuffle(
        self, context: WorkerContext, match: Match, mailbox: Mailbox, first: str
    ) -> None:
        ann = Correspondent(context, mailbox, "ann@example.org")
        wanted = NewGame(opponent_email="cy@example.org", first_player=first, salt="1234")
        made = context.container.games.create(match.ann, wanted)
        run(context)
        cy = Correspondent(context, mailbox, "cy@example.org")
        said = "By mail you add no number of your own to the shuffle."
        link = "What is proved all the same: http://scottenbury.test/help/fair-play"
        assert f"{said} {link}" in cy.answer("accept as Cy")
        assert said not in flat(text_of(ann.latest))
        assert said not in cy.answer("help")
        assert said not in cy.answer("Whatever shall I do, the walrus asked")
        mover = context.container.games.load(made.id).player_to_move()
        legal = context.container.games.view(context.container.games.load(made.id), mover).legal
        if mover != match.ann:
            assert said not in cy.answer(legal[0])
        else:
            context.container.games.play(made.id, match.ann, [legal[0]])
            run(context)
            assert "Your turn" in flat(text_of(cy.latest))
            assert said not in flat(text_of(cy.latest))

    @pytest.mark.parametrize(
        "said",
        ["accept as long as we play slowly", "accept as Cy. Only if it is unrated", "Oh no!"],
    )
    def test_a_condition_registers_nobody(
        self, context: WorkerContext, cy: Correspondent, said: str
    ) -> None:
        asked = cy.answer(said, sender=self.NAMED)
        assert "nothing was accepted." in asked or "nothing is accepted before" in asked
        assert self.names(context) == []

    def test_another_name_can_be_chosen_then(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        cy.answer("accept", sender=self.NAMED)
        assert cy.answer("accept as Mac", sender=self.NAMED).startswith("You are in the game.")
        assert self.names(context) == ["Mac"]

    @pytest.mark.parametrize("sender", ["", "Cynthia Longname <cy@example.org>"])
    @pytest.mark.parametrize("before", ["I wonder!", None])
    def test_what_was_shown_is_what_is_agreed_to(
        self, context: WorkerContext, cy: Correspondent, sender: str, before: str | None
    ) -> None:
        asked = cy.answer("accept as Bob", sender=sender)
        assert "The name Bob is taken. You would play as Bob 2, a name" in asked
        if before:
            assert "You would play as Bob 2" in cy.answer(before, sender=sender)
        assert self.names(context) == []
        assert cy.answer("accept", sender=sender).startswith("You are in the game.")
        assert self.names(context) == ["Bob 2"]

    def test_an_offered_name_is_that_of_its_mail_alone(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        cy.answer("accept as Bob")
        first = str(cy.latest["Reply-To"])
        cy.answer("accept as Ann", to=first)
        assert "play as Ann 2" in flat(text_of(cy.latest))
        Correspondent(context, cy.mailbox, "eve@example.org").answer("accept", to=first)
        assert self.names(context) == []
        assert cy.answer("accept", to=first).startswith("You are in the game.")
        assert self.names(context) == ["Bob 2"]

    def test_who_is_asked_for_a_name_is_told_the_one_word_that_gives_it(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        asked = cy.answer("accept")
        assert "Answer “accept as Ada”, with your own name, or “decline”." in asked
        assert "“accept”" not in asked
        assert "Accept by mail" not in links(cy.latest)

    @pytest.mark.parametrize(
        "answer", ["Lena, please. Thanks!", "Lena", "My name is Lena", "accept as Lena", "I'm Lena"]
    )
    def test_who_is_asked_for_a_name_may_answer_with_the_name(
        self, context: WorkerContext, cy: Correspondent, answer: str
    ) -> None:
        assert "Under which name" in cy.answer("Yes, I'd love to play!")
        assert cy.answer(answer).startswith("You are in the game.")
        assert self.names(context) == ["Lena"]

    @pytest.mark.parametrize("answer", ["Lena? Perhaps not", "Lena or Luc", "Thanks!", "decline"])
    def test_other_answers_are_no_name(
        self, context: WorkerContext, cy: Correspondent, answer: str
    ) -> None:
        cy.answer("Yes, I'd love to play!")
        assert not cy.answer(answer).startswith("You are in the game.")
        assert self.names(context) == []

    @pytest.mark.parametrize(
        ("yes", "name", "said"),
        [
            (
                "Hi Ann, what a lovely idea, I haven't played cards in ages! Yes, I'd love to"
                " play. I'm Ben.",
                "Ben",
                "You are in the game.",
            ),
            ("oh ja, sehr gerne! Ich bin Lena.", "Lena", "Du bist dabei."),
            ("Oui, avec plaisir ! Je suis Luc.", "Luc", "Tu es dans la partie."),
            ("Yes, I'd love to play!\n\nBen", "Ben", "You are in the game."),
            ("accept\n\nBest wishes,\nBen", "Ben", "You are in the game."),
        ],
    )
    def test_a_yes_with_a_name_is_accepted_under_it(
        self, context: WorkerContext, cy: Correspondent, yes: str, name: str, said: str
    ) -> None:
        assert cy.answer(yes).startswith(said)
        assert self.names(context) == [name]

    @pytest.mark.parametrize(
        ("unsure", "plainly", "name"),
        [
            ("Go on then. Tom", "yes", "Tom"),
            ("Go on then. Tom", "Tom", "Tom"),
            ("Go on then. Tom", "Tommy, please", "Tommy"),
            ("I'm in! My mother is in hospital.\n\nTom", "Yes, that's right.\n\nTom", "Tom"),
            ("Danke für die Einladung! Ich nehme an. Bei uns schneit es. Tom", "ja", "Tom"),
            ("J'accepte, il faut bien. Thomas", "oui", "Thomas"),
            ("I'm in! My mother is in hospital.", "Tom", "Tom"),
        ],
    )
    def test_who_may_accept_is_asked_once_under_which_name(
        self, context: WorkerContext, cy: Correspondent, unsure: str, plainly: str, name: str
    ) -> None:
        cy.answer(unsure)
        assert self.names(context) == []
        cy.answer(plainly)
        assert self.names(context) == [name]

    @pytest.mark.parametrize("answer", ["no", "Tom? Who is that?", "not Tom", "Tom can't", "later"])
    def test_other_answers_to_that_question_accept_nothing(
        self, context: WorkerContext, cy: Correspondent, answer: str
    ) -> None:
        cy.answer("Go on then. Tom")
        cy.answer(answer)
        assert self.names(context) == []

    def test_a_name_alone_accepts_nothing(self, context: WorkerContext, cy: Correspondent) -> None:
        assert not cy.answer("Lena").startswith("You are in the game.")
        assert self.names(context) == []

    def test_a_name_that_was_shown_is_taken_whoever_signs(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        assert "play as Bob 2" in cy.answer("Yes, I'd love to play! I'm Bob")
        assert cy.answer("yes\n\nBob").startswith("You are in the game.")
        assert self.names(context) == ["Bob 2"]

    def test_the_example_of_a_name_is_not_the_inviters(
        self, context: WorkerContext, match: Match, cy: Correspondent
    ) -> None:
        context.container.players.rename(match.ann, "Ada King")
        for text in ("If I must!", "accept"):
            asked = flat(cy.answer(text))
            assert "accept as Eve" in asked
            assert "accept as Ada" not in asked

    def test_the_line_that_was_not_understood_is_named_alone(self, cy: Correspondent) -> None:
        text = flat(cy.answer("Only the gods know why\n\naccept as Mac\n\nMany thanks!"))
        assert "Line 1: " in text
        assert "Line 3: " not in text
        assert "Line 5: " not in text

    @pytest.mark.parametrize("agreed", ["yes", "accept", "accept as Mac"])
    def test_an_acceptance_beside_a_doubt_is_asked_about_and_its_message_kept(
        self, context: WorkerContext, match: Match, cy: Correspondent, agreed: str
    ) -> None:
        asked = cy.answer("You said I would like it.\n\naccept as Mac\n\nsay: good evening")
        assert asked.startswith("Did you mean to accept the invitation? If you did, answer this")
        assert "Line 1: “You said I would like it.”" in asked
        assert "You would play as Mac, a name that everybody here sees." in asked
        assert "Your message is passed on to the other player then." in asked
        assert self.names(context) == []
        joined = cy.answer(agreed)
        assert joined.startswith("You are in the game.")
        assert "Your message was passed on to the other player." in joined
        assert self.names(context) == ["Mac"]
        active, _ = context.container.games.lists.of_player(match.ann, GameFilter("active"))
        (game,) = {game["id"] for game in active} - {match.id}
        (said,) = context.container.games.conversations.all_of(game)
        assert said.text == "good evening"

    def test_a_name_that_nobody_may_have_is_not_asked_about(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        asked = cy.answer("You said I would like it.\n\naccept as Steward")
        assert "This is the name of a bot" in asked
        assert self.names(context) == []

    def test_who_has_an_account_is_asked_too(
        self, context: WorkerContext, match: Match, bob: Correspondent
    ) -> None:
        context.container.games.create(match.ann, NewGame(opponent=match.bob))
        run(context)
        asked = bob.answer("You said I would like it.\n\naccept as Bob")
        assert "Did you mean “accept”? If you did, answer this mail with “yes”." in asked
        assert bob.answer("yes").startswith("You are in the game.")

    def test_a_name_that_is_taken_is_shown_as_it_would_be(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        context.container.registrations.register("Cy")
        assert "play as Cy 2, a name" in cy.answer("accept", sender=self.NAMED)
        assert cy.answer("accept", sender=self.NAMED).startswith("You are in the game.")
        assert self.names(context) == ["Cy", "Cy 2"]

    def test_one_that_was_chosen_and_is_taken_is_asked_about(
        self, context: WorkerContext, cy: Correspondent
    ) -> None:
        cy.answer("accept", sender=self.NAMED)
        context.container.registrations.register("Cy")
        assert "play as Cy 2, a name" in cy.answer("accept", sender=self.NAMED)
        assert "play as Cy 2, a name" in cy.answer("accept as Cy", sender=self.NAMED)
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
        assert not container.deferred_notices.reserve(match.bob, "another notice")
        bob.answer("accept")
        assert container.deferred_notices.reserve(match.bob, "another notice")

    def test_a_forwarded_invitation_seats_nobody_by_mail(
        self, context: WorkerContext, match: Match, mailbox: Mailbox
    ) -> None:
        made = context.container.games.create(match.ann, NewGame(opponent_email="cy@example.org"))
        run(context)
        cy = Correspondent(context, mailbox, "cy@example.org")
        cy.answer("accept as Eve", sender="eve@example.org")
        assert context.container.games.load(made.id).game.status == "open"
        assert counts(match) == {"stranger": 1}

    @pytest.mark.parametrize("word", ["accept", "decline", "help"])
    def test_an_answer_to_an_invitation_that_was_called_off_is_told_so_once(
        self, context: WorkerContext, match: Match, bob: Correspondent, word: str
    ) -> None:
        made = context.container.games.create(match.ann, NewGame(opponent=match.bob))
        run(context)
        address = str(bob.latest["Reply-To"])
        context.container.games.call_off(made.id, match.ann)
        run(context)
        version, before = context.container.games.load(made.id).version, len(bob.mails())
        said = bob.answer(word, to=address)
        assert "This invitation is no longer open: it was cancelled" in said
        assert len(bob.mails()) == before + 1
        assert context.container.games.load(made.id).version == version
        assert not [notice for notice in match.due() if notice.endswith(READ)]

    @pytest.mark.parametrize("offer", ["challenge", "invitation"])
    @pytest.mark.parametrize("word", ["R7 at 3", "decline", "How are you?", "help"])
    def test_an_old_invitation_answered_by_its_player_shows_the_game(
        self, context: WorkerContext, match: Match, bob: Correspondent, offer: str, word: str
    ) -> None:
        games = context.container.games
        if offer == "challenge":
            made = games.challenges.make(match.ann, match.bob, NewGame(first_player="opponent")).id
        else:
            wanted = NewGame(opponent=match.bob, first_player="opponent")
            made = games.create(match.ann, wanted).id
        run(context)
        address = str(bob.latest["Reply-To"])
        bob.answer("accept", to=address)
        version = games.load(made).version
        said = bob.answer(word, to=address)
        assert said.startswith("You are in this game already")
        assert f"/games/{made}" in said
        assert str(bob.latest["Reply-To"]) != address
        assert games.load(made).version == version
        games.resign(made, match.ann)
        run(context)
        over = bob.answer(word, to=address)
        assert over.startswith("This game is over")
        assert f"/games/{made}" in over

    def test_an_invitation_that_expired_is_answered_too(
        self, context: WorkerContext, match: Match, bob: Correspondent, clock: Clock
    ) -> None:
        made = context.container.games.create(match.ann, NewGame(opponent=match.bob))
        run(context)
        address = str(bob.latest["Reply-To"])
        clock.time += 40 * DAY
        assert "nobody accepted it in time" in bob.answer("accept", to=address)
        assert context.container.games.load(made.id).game.status == "aborted"

    def test_a_challenge_that_was_withdrawn_is_answered(
        self, context: WorkerContext, match: Match, bob: Correspondent
    ) -> None:
        challenges = context.container.games.challenges
        made = challenges.make(match.ann, match.bob, NewGame())
        run(context)
        challenges.withdraw(made.id, match.ann)
        assert "This challenge was withdrawn." in bob.answer("accept")
        assert challenges.find(made.id, match.bob).status == "withdrawn"
        assert not [notice for notice in match.due() if notice.endswith(READ)]

    @pytest.mark.parametrize("word", ["accept", "accept as Cy", "decline"])
    def test_a_newcomer_who_answers_too_late_gets_no_account(
        self, context: WorkerContext, match: Match, cy: Correspondent, word: str
    ) -> None:
        (made,) = [
            game["id"]
            for game in context.container.games.lists.of_player(match.ann, limit=9)[0]
            if game["status"] == "open"
        ]
        invitation = str(cy.latest["Reply-To"])
        context.container.games.call_off(made, match.ann)
        run(context)
        assert "This invitation is no longer open: it was cancelled" in cy.answer(word, invitation)
        assert self.names(context) == []
        assert not [notice for notice in match.due() if notice.endswith(READ)]
