"""What players ask for by mail besides their turns, and that nothing of it happens unasked."""

from collections.abc import Callable
from contextlib import suppress
from itertools import count

import pytest

from service.core.redis.client import Client
from service.core.times import unix
from service.games import ChangeContext, Games, NewGame
from service.mail.mailbox import Mailbox
from service.mail_in.store import READ, MailInStore
from service.mail_in.wishes import Questions
from tests.support.clock import Clock
from tests.workers.delivering import deliver
from tests.workers.mail.correspondence import (
    Correspondent,
    Pair,
    counts,
    flat,
    held,
    links,
    run,
    text_of,
)
from tests.workers.match import Match, begin, registered
from workers.context import WorkerContext

_numbers = count()
DESK = "scottenbury@scottenbury.test"
DAY = 86400


def write(to: Correspondent, address: str, text: str, sender: str = "", head: str = "") -> str:
    """A fresh mail from this player, or another `sender`; the answer to the player, on one line, or
    nothing."""
    before, sender = len(to.mails()), sender or to.email
    number = next(_numbers)
    raw = f"From: {sender}\nMessage-ID: <wish{number}@example.org>\n{head}\n{text}\n".encode()
    to.context.container.incoming_mail.accept(address, sender, raw)
    run(to.context)
    return flat(text_of(to.latest)) if len(to.mails()) > before else ""


def yes(to: Correspondent, text: str = "yes") -> str:
    """Answer the latest mail by its address."""
    return write(to, str(to.latest["Reply-To"]), text)


def state(match: Match) -> object:
    """Everything that a wish could change."""
    container, now = match.context.container, match.context.container.now()
    games, people = container.games, (match.ann, match.bob)
    return (
        match.now().version,
        games.pauses.offered(match.now()),
        games.abandonments.offered(match.now()),
        [container.games.lists.of_player(each, limit=50) for each in people],
        [games.challenges.open_of(each, None, 50) for each in people],
        [(games.calendars.of(each).zone, games.calendars.of(each).to_come(now)) for each in people],
        [container.mail_preferences.groups(each) for each in people],
    )


def pause(match: Match) -> None:
    """Let both players agree to a pause without an end."""
    pauses = match.context.container.games.pauses
    for player in (match.ann, match.bob):
        pauses.agree(match.id, player, None, ChangeContext())
    run(match.context)


def is_paused(match: Match) -> bool:
    """Whether the clock is paused by agreement."""
    clock = match.now().clock
    paused = clock and clock.paused()
    return paused is not None and (paused.end is None or paused.end > match.context.container.now())


ASKED = "Nothing is changed until you say so"
COMMANDS = {
    "help": "This is what you can write",
    "games": "Against Ann: your turn",
    "rules": "nine Stones in a row",
    "mails": "“turns” are on: my turns",
    "undo": "A turn that was sent stays played",
    "call it off": "answer the mail that says that it was made",
    "new game with Ann, 3 days": "a new game with Ann: Modern rules, unrated, 3 days",
    "new game with ann, two weeks, rated": "a new game with Ann: Modern rules, rated, two weeks",
    "new game with cy@example.org": "a new game with cy@example.org: Modern rules, unrated, a",
    "new game, no time limit, tactics": "the link: Modern rules, with Tactic cards, unrated, no",
    "new game with Nobody": "There is no player of this name.",
    "new game with Bob": "Nobody plays against themselves.",
    "vacation from 20 Dec to 3 Jan": "a vacation from 20 Dec 2026 up to and including 3 Jan 2027",
    "vacation until 2 Dec": "up to and including 2 Dec 2026",
    "vacation until 2 Nov 2026": "Those days are over.",
    "back": "You are not on vacation now.",
    "time zone Europe/Berlin": "Europe/Berlin as your time zone",
    "mail about turns off": "to turn off the mails “my turns, and plans that were cancelled”",
}
"""What can be asked anywhere, and what the answer says."""
OF_A_GAME = {
    "rematch": "Only a game that was played, and is over, has a rematch.",
    "offer a pause until 9 Dec": "This game has no clock that could be paused.",
    "offer an end": "to offer Ann an end of the game",
    "resume": "The clock of this game is not paused.",
    "end the pause": "The clock of this game is not paused.",
}
"""What can be asked at the address of a game."""


class TestNothingUnasked:
    @pytest.mark.parametrize("command", [*COMMANDS, *OF_A_GAME])
    def test_at_the_address_of_a_turn(self, match: Match, bob: Correspondent, command: str) -> None:
        before = state(match)
        said = write(bob, str(bob.latest["Reply-To"]), command)
        assert {**COMMANDS, **OF_A_GAME}[command] in said
        assert state(match) == before

    @pytest.mark.parametrize("command", [*COMMANDS, *OF_A_GAME])
    def test_at_the_address_of_the_sender(self, pair: Pair, command: str) -> None:
        before = state(pair.match)
        expected = COMMANDS.get(command, "Which game is this about?")
        assert expected in write(pair.bob, DESK, command)
        assert state(pair.match) == before

    @pytest.mark.parametrize("command", [*COMMANDS, *OF_A_GAME])
    @pytest.mark.parametrize("place", ["desk", "turn"])
    @pytest.mark.parametrize(
        "head", ["Auto-Submitted: auto-replied\n", "List-Id: <a.b>\n", "From-Stranger: yes\n"]
    )
    def test_for_strangers_machines_and_lists(
        self, match: Match, bob: Correspondent, command: str, place: str, head: str
    ) -> None:
        before, is_stranger = state(match), "Stranger" in head
        address = DESK if place == "desk" else str(bob.latest["Reply-To"])
        sender = "eve@example.org" if is_stranger else ""
        said = write(bob, address, command, sender, head)
        if is_stranger and place == "turn":
            assert "from an address that is not yours here" in said
            assert ASKED not in said
        else:
            assert said == ""
        assert state(match) == before

    def test_a_forged_mail_asks_only_the_player(self, match: Match, bob: Correspondent) -> None:
        """Whoever forges the sender sees neither the question nor its address."""
        before = state(match)
        write(bob, DESK, "new game with Ann")
        warned = write(bob, str(bob.latest["Reply-To"]), "yes", sender="eve@example.org")
        assert "from an address that is not yours here" in warned
        assert state(match) == before


class TestYes:
    def test_a_player_is_challenged_and_can_be_spared(
        self, match: Match, bob: Correspondent, ann: Correspondent
    ) -> None:
        write(bob, DESK, "new game with ann, 3 days, tactics, I play second")
        said = yes(bob)
        assert (
            "Ann is asked for a new game: Modern rules, with Tactic cards, unrated, 3 days" in said
        )
        assert "you play second" in said
        (challenge,), _ = match.context.container.games.challenges.open_of(match.ann, None, 9)
        assert challenge.wanted.clock == {
            "days_per_move": 3,
            "sleeping_hours": True,
            "vacations": True,
        }
        assert links(bob.latest)["Take it back"][1] == "call it off"
        assert "It is cancelled." in yes(bob, "call it off")
        challenges = match.context.container.games.challenges
        assert challenges.find(challenge.id, match.bob).status == "withdrawn"

    def test_an_address_is_invited(self, pair: Pair, mailbox: Mailbox) -> None:
        write(pair.bob, DESK, "new game with cy@example.org, first edition")
        assert "waits for cy@example.org: First edition" in yes(pair.bob)
        cy = Correspondent(pair.match.context, mailbox, "cy@example.org")
        assert "“accept as Ada” also chooses the name" in flat(text_of(cy.latest))
        assert "It is cancelled." in yes(pair.bob, "call it off")

    def test_a_link_is_to_be_passed_on(self, match: Match, bob: Correspondent) -> None:
        write(bob, str(bob.latest["Reply-To"]), "new game, 3 days")
        assert "The link for whoever is to play: http" in yes(bob)
        games, _ = match.context.container.games.lists.of_player(match.bob, limit=9)
        made = next(game["id"] for game in games if game["id"] != match.id)
        assert match.context.container.games.invitations.url(made) in text_of(bob.latest)

    def test_a_game_with_the_bot_begins(self, match: Match, bob: Correspondent) -> None:
        asked = write(bob, DESK, "new game with the bot, I play first")
        assert "a new game with the Steward (hard)" in flat(asked)
        assert "Your new game has begun" in yes(bob)

    def test_a_rematch(self, match: Match, bob: Correspondent, ann: Correspondent) -> None:
        match.context.container.games.resign(match.id, match.ann)
        run(match.context)
        assert "“rematch” to play again" in flat(text_of(bob.latest))
        address, text = links(bob.latest)["Ask for a rematch"]
        assert "Ann is asked for a rematch." in write(bob, address, text)
        new = match.context.container.games.rematches.current(match.now())
        assert new is not None
        assert list(new.players) == [match.bob]
        asked = flat(text_of(ann.latest))
        assert "Bob asks for a rematch." in asked
        assert "Nine Stones" not in asked
        assert "The rules" not in asked
        assert "Bob asks for a rematch" in str(ann.latest["From"])
        write(ann, DESK, "rematch", head=f"In-Reply-To: <{match.id}@scottenbury.test>\n")
        assert "The rematch has begun." in yes(ann)

    def test_a_rematch_takes_one_word_of_each(self, pair: Pair) -> None:
        games, match = pair.match.context.container.games, pair.match
        games.resign(match.id, match.ann)
        run(match.context)
        over = str(pair.bob.latest["Reply-To"])
        games.rematches.ask(match.id, match.ann)
        run(match.context)
        assert "The rematch has begun." in write(pair.bob, over, "Good game!\n\nRematch?")
        new = games.rematches.current(match.now())
        assert new is not None
        assert new.game.status == "active"

    def test_a_rematch_with_a_message(self, match: Match, bob: Correspondent) -> None:
        match.context.container.games.resign(match.id, match.ann)
        run(match.context)
        said = write(bob, str(bob.latest["Reply-To"]), "Revanche!\n\nsag: Das ging schnell!")
        assert "Your message was passed on to the other player." in said
        assert "Ann is asked for a rematch." in said
        (message,) = match.context.container.games.conversations.all_of(match.id)
        assert message.text == "Das ging schnell!"

    @pytest.mark.parametrize("above", ["Ann, what a game that was!\n", "So it goes. "])
    def test_a_rematch_among_other_words_with_a_message(
        self, match: Match, bob: Correspondent, above: str
    ) -> None:
        match.context.container.games.resign(match.id, match.ann)
        run(match.context)
        letter = f"{above}rematch\nsay: That was close. Once more?"
        said = write(bob, str(bob.latest["Reply-To"]), letter)
        assert "Your message was passed on to the other player." in said
        assert "Ann is asked for a rematch." in said
        (message,) = match.context.container.games.conversations.all_of(match.id)
        assert message.text == "That was close. Once more?"

    @pytest.mark.parametrize(
        "text",
        [
            "You got lucky, Ann. Rematch!",
            "Thanks for the game! Can we have a rematch please?",
            "rematch please, Ann! It was fun",
            "Well played! Shall we play another one?",
            "Good game! Another one?",
            "Play again?",
            "Schöne Partie, Ann. Ich hätte gern eine Revanche.",
            "Das war knapp! Spielen wir noch eine?",
            "Bien joué ! On remet ça ?",
            "Je veux ma revanche !",
        ],
    )
    def test_a_rematch_in_ordinary_words_takes_one_mail(
        self, match: Match, bob: Correspondent, text: str
    ) -> None:
        match.context.container.games.resign(match.id, match.ann)
        run(match.context)
        write(bob, str(bob.latest["Reply-To"]), text)
        assert match.context.container.games.rematches.current(match.now()) is not None

    @pytest.mark.parametrize(
        "text",
        [
            "I don't know yet. Rematch!",
            "Rematch! But only next week.",
            "Who won? Rematch!",
            "Revanche! Aber erst morgen.",
            "Revanche ! Mais pas aujourd'hui.",
            "If you like. Rematch!",
            "My sister said: no. Rematch!",
            "No rematch please",
            "Another game would be too much",
            "Shall we play another one tomorrow?",
        ],
    )
    def test_a_rematch_beside_a_doubt_is_not_asked_for(
        self, match: Match, bob: Correspondent, text: str
    ) -> None:
        match.context.container.games.resign(match.id, match.ann)
        run(match.context)
        write(bob, str(bob.latest["Reply-To"]), text)
        assert match.context.container.games.rematches.current(match.now()) is None

    def test_a_guest_without_a_name_is_called_one_in_the_readers_language(
        self, context: WorkerContext, mailbox: Mailbox
    ) -> None:
        games, ann = context.container.games, registered(context, "Ann")
        context.container.mail_preferences.set_choice(ann, {"language": "fr"})
        made = games.create(ann, NewGame(first_player="creator"))
        guest = context.container.registrations.register_guest("Guest").player.id
        games.join(made.id, guest, invite=games.invitations.token(made.id))
        games.announce_turn(made.id, guest)
        run(context)
        said = Correspondent(context, mailbox, "ann@example.org").answer("propose d'arrêter")
        assert "Invité" in said
        assert "Guest" not in said

    def test_a_rematch_is_called_off_and_accepted_too_late(self, pair: Pair) -> None:
        games = pair.match.context.container.games
        games.resign(pair.match.id, pair.match.ann)
        run(pair.match.context)
        write(pair.bob, str(pair.bob.latest["Reply-To"]), "rematch")
        made, invitation = str(pair.bob.latest["Reply-To"]), str(pair.ann.latest["Reply-To"])
        before = len(pair.bob.mails())
        assert "It is cancelled." in write(pair.bob, made, "call it off")
        assert len(pair.bob.mails()) == before + 1  # and none that his game is over
        assert games.rematches.current(pair.match.now()) is None
        assert "There is nothing to cancel any more" in write(pair.bob, made, "call it off")
        assert "This invitation is no longer open" in write(pair.ann, invitation, "accept")
        assert not [notice for notice in pair.match.due() if notice.endswith(READ)]

    def test_a_pause_and_an_end_are_offered(self, match: Match, bob: Correspondent) -> None:
        games, turn = match.context.container.games, str(bob.latest["Reply-To"])
        write(bob, turn, "offer an end")
        assert "does not count for ratings. Nothing is changed" in flat(text_of(bob.latest))
        assert "You offer Ann an end. If the other player agrees, the game ends" in yes(bob)
        offer = games.abandonments.offered(match.now())
        assert offer is not None
        assert offer.by == "south"

    def test_a_yes_to_the_mail_that_tells_of_an_offered_end_is_asked_about(
        self, pair: Pair
    ) -> None:
        games, match = pair.match.context.container.games, pair.match
        games.abandonments.agree(match.id, match.ann, ChangeContext())
        run(match.context)
        assert "Answer “agree”" in flat(text_of(pair.bob.latest))
        said = write(pair.bob, str(pair.bob.latest["Reply-To"]), "Yes, fine with me")
        assert "Nothing is changed until you confirm it." in flat(said)
        assert match.now().game.status == "active"
        write(pair.bob, str(pair.bob.latest["Reply-To"]), "yes")
        assert match.now().game.status != "active"

    def test_the_question_about_one_offer_may_be_answered_with_another(
        self, match: Match, bob: Correspondent
    ) -> None:
        games = match.context.container.games
        write(bob, str(bob.latest["Reply-To"]), "rules")
        write(bob, str(bob.latest["Reply-To"]), "offer an end")
        write(bob, str(bob.latest["Reply-To"]), "offer to end the game")
        assert games.abandonments.offered(match.now()) is None
        assert "You offer Ann an end." in yes(bob)
        bob.answer("say: I am sorry")
        assert [each.text for each in games.conversations.all_of(match.id)] == ["I am sorry"]

    def test_to_a_bot_no_end_is_offered_in_a_rated_game(self, pair: Pair) -> None:
        clock = {"days_per_move": 3}
        wanted = NewGame(bot="steward", rated=True, clock=clock, first_player="creator")
        made = pair.match.context.container.games.create(pair.match.bob, wanted)
        head = f"In-Reply-To: <{made.id}@scottenbury.test>\n"
        said = write(pair.bob, DESK, "offer an end", head=head)
        assert "This game counts, so the bot agrees to nothing: play on, or resign." in said

    def test_a_pause_up_to_the_end_of_a_day(self, context: WorkerContext, mailbox: Mailbox) -> None:
        match = begin(context, clock={"days_per_move": 3})
        match.play("R4@3")
        run(context)
        bob = Correspondent(context, mailbox, "bob@example.org")
        said = write(bob, str(bob.latest["Reply-To"]), "offer a pause until 24 Dec")
        assert "to offer Ann a pause until the end of Thu 24 Dec 2026 (UTC)" in said
        answer = yes(bob)
        assert "You offer Ann a pause until" in answer
        assert "Until Ann agrees, the clock runs on." in answer
        offered = context.container.games.pauses.offered(match.now())
        assert offered is not None
        assert offered.until == "2026-12-25T00:00:00Z"

    @pytest.mark.parametrize(
        ("said", "until"),
        [
            ("Can we pause until 24 December? I'm on holiday.", "2026-12-25T00:00:00Z"),
            ("Können wir bis 24. Dezember pausieren?", "2026-12-25T00:00:00Z"),
            ("I'm on holiday. I come back late! Can we pause?", None),
            ("I'm on holiday until 24 December, can we pause?", "2026-12-25T00:00:00Z"),
        ],
    )
    def test_a_pause_is_offered_in_own_words(
        self, context: WorkerContext, mailbox: Mailbox, said: str, until: str | None
    ) -> None:
        match = begin(context, clock={"days_per_move": 3})
        match.play("R4@3")
        run(context)
        bob = Correspondent(context, mailbox, "bob@example.org")
        question = write(bob, str(bob.latest["Reply-To"]), said)
        assert ASKED in question
        assert ("Not passed on" in question) == ("holiday" in said)
        assert "an we pause" not in question
        pauses = context.container.games.pauses
        assert pauses.offered(match.now()) is None
        answer = yes(bob)
        assert "You offer Ann a pause" in answer
        assert "Answer with a turn" not in answer  # it shows no hand
        offered = pauses.offered(match.now())
        assert offered is not None
        assert offered.until == until

    @pytest.mark.parametrize("command", ["resume", "End the pause, please", "back"])
    def test_a_pause_is_ended(self, context: WorkerContext, mailbox: Mailbox, command: str) -> None:
        match = begin(context, clock={"days_per_move": 3})
        match.play("R4@3")
        pause(match)
        bob = Correspondent(context, mailbox, "bob@example.org")
        said = write(bob, str(bob.latest["Reply-To"]), command)
        assert "You want to end the pause, so that the clock runs again." in said
        assert is_paused(match)
        assert "The pause is over: the clock runs again." in yes(bob)
        assert not is_paused(match)
        assert "is not paused" in write(bob, str(bob.latest["Reply-To"]), "resume")

    def test_whoever_is_back_from_a_vacation_leaves_the_pause(
        self, context: WorkerContext, mailbox: Mailbox
    ) -> None:
        match = begin(context, clock={"days_per_move": 3})
        match.play("R4@3")
        pause(match)
        bob = Correspondent(context, mailbox, "bob@example.org")
        now = int(context.container.now())
        context.container.games.calendars.change(match.bob, "UTC", None, [(now - 9, now + DAY)])
        assert "to end your vacation now" in write(bob, str(bob.latest["Reply-To"]), "back")
        yes(bob)
        assert is_paused(match)

    def test_days_off_and_back(self, match: Match, bob: Correspondent, clock: Clock) -> None:
        calendars = match.context.container.games.calendars
        write(bob, DESK, "time zone Europe/Berlin")
        assert "Your time zone is Europe/Berlin." in yes(bob)
        write(bob, DESK, "vacation until 9 Dec")
        yes(bob)
        ((begin, end),) = calendars.of(match.bob).to_come(clock())
        assert begin <= clock()
        assert end == unix("2026-12-09T23:00:00Z")
        write(bob, DESK, "I'm back")
        assert "Your vacation is over" in yes(bob)
        assert calendars.of(match.bob).to_come(clock()) == ()

    def test_mails_are_turned_off_and_on(self, match: Match, bob: Correspondent) -> None:
        preferences = match.context.container.mail_preferences
        said = write(bob, DESK, "mail about reminders off")
        assert "To get them again, write “mail about reminders on”." in said
        assert not preferences.groups(match.bob)["reminder"]
        write(bob, DESK, "mail about reminders on")
        yes(bob)
        assert preferences.groups(match.bob)["reminder"]

    def test_mails_about_turns_are_turned_off_only_once_confirmed(
        self, match: Match, bob: Correspondent
    ) -> None:
        preferences = match.context.container.mail_preferences
        write(bob, DESK, "mail about turns off")
        assert preferences.groups(match.bob)["turn"]
        yes(bob)
        assert not preferences.groups(match.bob)["turn"]


STALE: dict[str, Callable[[Games, Match], object]] = {
    "time zone Europe/Berlin": lambda games, match: games.calendars.change_zone(
        match.bob, "Europe/Paris"
    ),
    "vacation until 9 Dec": lambda games, match: games.calendars.change(
        match.bob, "UTC", None, [(int(games.now()) + 50 * DAY, int(games.now()) + 51 * DAY)]
    ),
    "mail about turns off": lambda games, match: None,
    "offer an end": lambda games, match: games.play(match.id, match.bob, [held(match)[0]]),
}
"""How things change between a question and its answer."""


class TestStale:
    @pytest.mark.parametrize("command", STALE)
    def test_a_yes_does_nothing_once_things_have_changed(self, pair: Pair, command: str) -> None:
        container = pair.match.context.container
        write(pair.bob, str(pair.bob.latest["Reply-To"]), command)
        question = str(pair.bob.latest["Reply-To"])
        if command.startswith("mail"):
            container.mail_preferences.choose_groups(pair.match.bob, {"turn": False})
        STALE[command](container.games, pair.match)
        run(pair.match.context)
        before = state(pair.match)
        assert "things have changed on which this depends" in write(pair.bob, question, "yes")
        assert state(pair.match) == before

    def test_a_challenge_to_a_player_of_another_name_by_now(self, pair: Pair) -> None:
        write(pair.bob, DESK, "new game with Ann")
        pair.match.context.container.players.rename(pair.match.ann, "Anna")
        before = state(pair.match)
        assert "things have changed" in yes(pair.bob)
        assert state(pair.match) == before

    def test_a_rematch_that_the_other_has_asked_for_since(self, pair: Pair) -> None:
        games = pair.match.context.container.games
        games.resign(pair.match.id, pair.match.ann)
        run(pair.match.context)
        write(pair.bob, DESK, "rematch", head=f"In-Reply-To: <{pair.match.id}@scottenbury.test>\n")
        question = str(pair.bob.latest["Reply-To"])
        games.rematches.ask(pair.match.id, pair.match.ann)
        run(pair.match.context)
        assert "things have changed" in write(pair.bob, question, "yes")

    def test_it_counts_once(self, match: Match, bob: Correspondent) -> None:
        write(bob, DESK, "new game, 3 days")
        question = str(bob.latest["Reply-To"])
        write(bob, question, "yes")
        before = state(match)
        assert "You have answered this before." in write(bob, question, "yes")
        assert state(match) == before

    def test_it_counts_for_three_days(self, pair: Pair, redis: Client) -> None:
        write(pair.bob, DESK, "new game, 3 days")
        question = str(pair.bob.latest["Reply-To"])
        for key in redis.scan_iter("st:{mail-in}:wish:*"):
            assert 0 < redis.ttl(key) <= 3 * DAY
            redis.delete(key)
        before = state(pair.match)
        assert "too old, or unknown" in write(pair.bob, question, "yes")
        assert state(pair.match) == before

    def test_another_players_address_is_of_no_use(self, pair: Pair) -> None:
        write(pair.bob, DESK, "new game, 3 days")
        before = state(pair.match)
        write(pair.bob, str(pair.bob.latest["Reply-To"]), "yes", sender=pair.ann.email)
        assert state(pair.match) == before

    def test_anything_else_is_asked_again(self, match: Match, bob: Correspondent) -> None:
        write(bob, DESK, "new game, 3 days")
        question, before = str(bob.latest["Reply-To"]), state(match)
        assert "does not answer the question" in write(bob, question, "Well, let me see")
        assert str(bob.latest["Reply-To"]) == question
        assert "Everything stays as it is." in write(bob, question, "no")
        assert state(match) == before
        assert "waits for whoever gets the link" in write(bob, question, "yes, please")


@pytest.mark.parametrize("dies_at", ["take_wish", "finish", "mark_answered"])
@pytest.mark.parametrize(
    "command",
    [
        *("new game, 3 days", "new game with Ann", "new game with cy@example.org", "rematch"),
        *("offer a pause until 9 Dec", "offer an end", "resume", "vacation until 9 Dec", "back"),
        *("time zone Europe/Berlin", "mail about turns off", "call it off"),
    ],
)
def test_a_worker_that_dies_over_a_wish_fulfils_it_once_and_says_so(
    context: WorkerContext,
    mailbox: Mailbox,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    dies_at: str,
) -> None:
    match = begin(context, clock={"days_per_move": 3})
    match.play("R4@3")
    container, now = context.container, int(clock())
    run(context)
    bob = Correspondent(context, mailbox, "bob@example.org")
    if command == "back":
        container.games.calendars.change(match.bob, "UTC", None, [(now - 9, now + 9 * DAY)])
    if command == "resume":
        pause(match)
    if command == "rematch":
        container.games.resign(match.id, match.ann)
    run(context)
    if command == "call it off":
        write(bob, DESK, "new game with Ann")
        yes(bob)
    elif command == "rematch":  # at the address of the game it is not asked about
        write(bob, DESK, command, head=f"In-Reply-To: <{match.id}@scottenbury.test>\n")
    else:
        write(bob, str(bob.latest["Reply-To"]), command)
    done, before = counts(match).get("done", 0), len(bob.mails())
    answer = "call it off" if command == "call it off" else "yes"
    raw = f"From: {bob.email}\nMessage-ID: <dies@example.org>\n\n{answer}\n".encode()
    container.incoming_mail.accept(str(bob.latest["Reply-To"]), bob.email, raw)
    owner = Questions if dies_at == "take_wish" else MailInStore
    has_died = False
    with monkeypatch.context() as patch:

        def die(*given: object, **named: object) -> None:
            nonlocal has_died
            has_died = True
            raise KeyboardInterrupt

        patch.setattr(owner, dies_at, die)
        for _ in range(3):
            for notice in list(match.due()):
                with suppress(KeyboardInterrupt):
                    deliver(context, notice)
    assert has_died == (dies_at != "take_wish" or command != "call it off")
    clock.time += 120
    run(context)
    after = state(match)
    assert counts(match).get("done", 0) == done + 1
    assert len({mail["Message-ID"] for mail in bob.mails()[before:]}) >= 1
    clock.time += 120
    run(context)
    assert state(match) == after
    assert counts(match).get("done", 0) == done + 1


@pytest.mark.parametrize(
    ("said", "unsent"),
    [
        ("Well played, dear. Rematch?", "“Well played, dear.”"),
        ("Dear Ann, what a lovely game that was! Rematch? Love, B.", "“Dear Ann, what a lovely"),
        ("Dear Ann,\n\nRematch? Love, Bob", ""),
        ("Rematch?", ""),
        *((f"Rematch? {said}", "") for said in ("Thanks for the game!", "One more :)", "Yay! 🎉")),
        *((f"Rematch? {said}", "") for said in ("Let's go!", "Good luck! :)", "Have fun 😀")),
        *((f"Revanche? {said}", "") for said in ("Danke für die Partie ;-)", "Noch eine Runde :)")),
        *((f"Revanche? {said}", "") for said in ("Encore une :)", "Merci !", "Bonne chance !")),
    ],
)
def test_words_beside_a_rematch_are_named_as_not_passed_on(
    match: Match, bob: Correspondent, said: str, unsent: str
) -> None:
    match.context.container.games.resign(match.id, match.ann)
    run(match.context)
    answer = bob.answer(said)
    assert "Ann is asked for a rematch." in answer
    assert ("Not passed on" in answer) == ("answer an earlier mail" in answer) == bool(unsent)
    assert unsent in answer


def test_words_beside_giving_up_are_named_as_not_passed_on(bob: Correspondent) -> None:
    answer = bob.answer("Dear Ann, I give up. Well played! Love, Bob")
    assert "You want to resign." in answer
    assert "Not passed on, as it is no command: Line 1: “Well played!” If" in answer
