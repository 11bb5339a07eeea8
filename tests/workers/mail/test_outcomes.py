"""What became of one's own offers, challenges and invitations."""

import pytest

from service.core.redis.client import Client
from service.core.times import DAY, HOUR, timestamp
from service.games import ChangeContext, NewGame
from service.games.agreements import Abandonments, Pauses
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.mail.correspondence import Correspondent, Pair, flat, held, kinds, run, text_of
from tests.workers.match import Match, begin
from workers.context import WorkerContext, build_context

API = ChangeContext()


@pytest.fixture
def match(context: WorkerContext) -> Match:
    return begin(context, clock={"days_per_move": 3})


@pytest.fixture
def bob(match: Match, mailbox: Mailbox) -> Correspondent:
    return Correspondent(match.context, mailbox, "bob@example.org")


@pytest.fixture
def pauses(match: Match) -> Pauses:
    return match.context.container.games.pauses


@pytest.fixture
def abandonments(match: Match) -> Abandonments:
    return match.context.container.games.abandonments


def told(of: Correspondent) -> str:
    """The first paragraph of the latest mail, and whom it comes from."""
    sender = str(of.latest["From"]).partition(" <")[0].strip('"')
    return f"{sender}: {flat(text_of(of.latest).partition(chr(10) * 2)[0])}"


def offer_pause(match: Match, days: int | None = 9) -> int:
    """Let Ann offer a pause, and Bob be told; the number of the offer."""
    until = None if days is None else timestamp(match.context.container.now() + days * DAY)
    made = match.context.container.games.pauses.agree(match.id, match.ann, until, API).offered
    assert made is not None
    run(match.context)
    return made.number


class TestPauses:
    def test_who_offered_one_learns_that_it_is_agreed_to(
        self, match: Match, ann: Correspondent, pauses: Pauses
    ) -> None:
        pauses.accept(match.id, match.bob, offer_pause(match), API)
        run(match.context)
        assert told(ann) == (
            "Bob agreed: Bob agreed: the clock is paused until Mon 30 Nov 2026, 12:00 (UTC)."
        )
        assert ann.latest["Subject"] == f"Scottenbury: Ann v Bob [{match.id[:4]}]"

    def test_the_mails_say_beside_the_turn_that_the_clock_is_paused(
        self, match: Match, ann: Correspondent, bob: Correspondent, pauses: Pauses
    ) -> None:
        number = offer_pause(match)
        pauses.accept(match.id, match.bob, number, API)
        run(match.context)
        until = "3 days left · paused until Mon 30 Nov 12:00 UTC"
        assert f"Your turn · {until}" in flat(text_of(ann.latest))
        assert f"it is Ann’s turn, {until}." in flat(bob.answer("games"))

    def test_without_an_end_too(self, match: Match, ann: Correspondent, pauses: Pauses) -> None:
        pauses.accept(match.id, match.bob, offer_pause(match, None), API)
        run(match.context)
        assert "the clock is paused until one of you ends the pause." in told(ann)

    def test_who_offered_one_learns_that_it_is_declined_and_may_answer_with_a_turn(
        self, match: Match, ann: Correspondent, bob: Correspondent
    ) -> None:
        offer_pause(match)
        bob.answer("decline")
        assert told(ann) == (
            "Bob declined: Bob declined to pause the clock until Mon 30 Nov 2026, 12:00 (UTC):"
            " it runs on."
        )
        assert "\nYour turn · " in text_of(ann.latest)
        assert "It’s Bob’s turn." in ann.answer(held(match)[0])

    def test_who_offered_one_learns_that_it_has_lapsed(
        self, match: Match, ann: Correspondent, clock: Clock
    ) -> None:
        offer_pause(match, 1)
        clock.time += DAY
        run(match.context)
        assert told(ann) == (
            "Bob · offer lapsed: Bob has not answered your offer to pause the clock until Sun 22"
            " Nov 2026, 12:00 (UTC): it has lapsed."
        )

    def test_each_offer_has_one_outcome(
        self, match: Match, ann: Correspondent, pauses: Pauses, clock: Clock
    ) -> None:
        offer_pause(match, 1)
        pauses.withdraw(match.id, match.bob)
        run(match.context)
        clock.time += 2 * DAY
        run(match.context)
        assert kinds(ann).count("answered") == 1

    def test_what_no_longer_matters_is_not_told(
        self, match: Match, ann: Correspondent, pauses: Pauses, clock: Clock
    ) -> None:
        offer_pause(match, 1)
        pauses.withdraw(match.id, match.ann)  # she did so herself
        run(match.context)
        offer_pause(match, 2)
        pauses.withdraw(match.id, match.bob)
        match.context.container.games.resign(match.id, match.bob)
        clock.time += 3 * DAY
        run(match.context)
        assert "answered" not in kinds(ann)

    def test_whoever_wants_no_such_mail_gets_none(
        self, match: Match, ann: Correspondent, pauses: Pauses
    ) -> None:
        match.context.container.mail_preferences.choose_groups(match.ann, {"message": False})
        offer_pause(match)
        pauses.withdraw(match.id, match.bob)
        run(match.context)
        assert "answered" not in kinds(ann)


class TestAbandoning:
    def test_who_offered_it_learns_that_the_game_goes_on(
        self, match: Match, ann: Correspondent, abandonments: Abandonments
    ) -> None:
        abandonments.agree(match.id, match.ann, API)
        run(match.context)
        abandonments.withdraw(match.id, match.bob)
        run(match.context)
        assert told(ann) == "Bob declined: Bob declined to end your game: it goes on."

    def test_an_end_is_told_as_such(self, pair: Pair, abandonments: Abandonments) -> None:
        abandonments.agree(pair.match.id, pair.match.ann, API)
        run(pair.match.context)
        pair.bob.answer("agree")
        pair.bob.answer("agree")
        assert kinds(pair.ann)[0] == "over"
        assert "answered" not in kinds(pair.ann)


class TestChallenges:
    def make(self, match: Match) -> str:
        made = match.context.container.games.challenges.make(match.ann, match.bob, NewGame())
        return made.id

    def test_the_challenged_learns_that_it_was_withdrawn(
        self, match: Match, bob: Correspondent
    ) -> None:
        made = self.make(match)
        run(match.context)
        match.context.container.games.challenges.withdraw(made, match.ann)
        run(match.context)
        assert told(bob) == ("Ann · challenge withdrawn: Ann has withdrawn the challenge to you.")

    def test_but_not_who_never_heard_of_it(self, match: Match, bob: Correspondent) -> None:
        match.context.container.games.challenges.withdraw(self.make(match), match.ann)
        run(match.context)
        assert bob.mails() == []

    def test_the_challenger_learns_that_it_has_expired(
        self, match: Match, ann: Correspondent, clock: Clock
    ) -> None:
        self.make(match)
        clock.time += 14 * DAY
        run(match.context)
        assert told(ann) == (
            "Bob · challenge expired: Bob has not answered your challenge in time: it has expired."
        )

    def test_not_if_it_was_answered(self, match: Match, ann: Correspondent, clock: Clock) -> None:
        match.context.container.games.challenges.accept(self.make(match), match.bob)
        clock.time += 14 * DAY
        run(match.context)
        assert "expired" not in kinds(ann)


class TestInvitations:
    def make(self, match: Match, **options: object) -> str:
        games = match.context.container.games
        return games.create(match.ann, NewGame(**options)).id  # type: ignore[arg-type]

    def call_off(self, match: Match, game: str, player: str) -> None:
        match.context.container.games.call_off(game, player)
        run(match.context)

    def test_a_player_who_was_invited_learns_that_it_is_called_off(self, pair: Pair) -> None:
        made = self.make(pair.match, opponent=pair.match.bob)
        run(pair.match.context)
        self.call_off(pair.match, made, pair.match.ann)
        assert told(pair.bob) == (
            "Ann cancelled the game: Ann has cancelled the game to which you were invited."
        )

    def test_so_does_somebody_without_an_account(self, match: Match, mailbox: Mailbox) -> None:
        made = self.make(match, opponent_email="cy@example.org")
        run(match.context)
        self.call_off(match, made, match.ann)
        cy = Correspondent(match.context, mailbox, "cy@example.org")
        assert kinds(cy) == ["called-off", "invitation"]

    def test_but_not_if_their_invitation_never_went_out(
        self, match: Match, mailbox: Mailbox, clock: Clock
    ) -> None:
        made = self.make(match, opponent_email="cy@example.org")
        clock.time += 3600  # while no worker runs
        self.call_off(match, made, match.ann)
        assert mailbox.newest() == []

    def test_at_most_twenty_an_hour_reach_anybody(
        self, redis: Client, mailbox: Mailbox, clock: Clock
    ) -> None:
        match = begin(build_context(settings(rate_limits=True), redis, clock))
        for _ in range(21):
            made = self.make(match, opponent=match.bob)
            run(match.context)
            redis.delete(*redis.keys("st:{mails}:ask:*"))  # as if others had invited
            self.call_off(match, made, match.ann)
        bob = Correspondent(match.context, mailbox, "bob@example.org")
        assert kinds(bob).count("called-off") == 20

    def test_whoever_never_heard_of_it_does_not(self, pair: Pair) -> None:
        quiet = {"quiet": "11:00-13:00"}
        pair.match.context.container.mail_preferences.set_choice(pair.match.bob, quiet)
        made = self.make(pair.match, opponent=pair.match.bob)
        run(pair.match.context)
        self.call_off(pair.match, made, pair.match.ann)
        pair.clock.time += 2 * HOUR
        run(pair.match.context)
        assert pair.bob.mails() == []

    def test_who_invited_learns_that_it_was_declined(self, pair: Pair) -> None:
        self.make(pair.match, opponent=pair.match.bob)
        run(pair.match.context)
        pair.bob.answer("decline")
        assert told(pair.ann) == "Bob declined: Bob declined your invitation."
        assert "You want a new game" in pair.ann.answer("new game, 3 days")

    @pytest.mark.parametrize(("opponent", "who"), [("bob", "Bob has not"), (None, "Nobody has")])
    def test_or_that_it_has_expired(
        self, match: Match, ann: Correspondent, clock: Clock, opponent: str | None, who: str
    ) -> None:
        made = self.make(match, opponent=match.bob if opponent else None)
        run(match.context)
        clock.time += 14 * DAY
        match.context.container.games.time_out(made)
        run(match.context)
        assert told(ann) == (
            "Scottenbury · invitation expired:"
            f" {who} accepted your invitation in time: it has expired."
        )
