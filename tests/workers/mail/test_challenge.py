"""Mails about challenges, orders and offers to abandon a game."""

from zoneinfo import ZoneInfo

import pytest

from engine.cards import full_name
from service.accounts.faces import face_of, mail_style
from service.core.times import timestamp
from service.core.words import ENGLISH
from service.eventlog import parse_notice_id
from service.games import ChangeContext, NewGame
from service.games.drafts import Orders, TurnOrder
from service.mail.mailbox import Mailbox, StoredMail
from service.text.moments import short_moment
from tests.support.clock import Clock
from tests.workers.delivering import deliver
from tests.workers.match import Match, begin
from workers.context import WorkerContext


@pytest.fixture
def players(context: WorkerContext) -> tuple[str, str]:
    return tuple(
        context.container.registrations.register(name).player.id for name in ("Ann", "Bob")
    )


def text_of(mail: StoredMail) -> str:
    body = mail.message.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\N{NO-BREAK SPACE}", " ")


def delivered(context: WorkerContext, mailbox: Mailbox, kind: str) -> str:
    """The latest mail of this kind that is due."""
    due = [n.id for n in context.container.log.outbox.pending() if n.id.endswith(f".mail.{kind}")]
    notice = max(due, key=lambda notice: parse_notice_id(notice).version)
    assert deliver(context, notice) == "sent"
    (mail,) = [m for m in mailbox.newest() if notice.partition(".mail.")[0] in m.id]
    return text_of(mail)


def outcomes(context: WorkerContext, kind: str) -> list[str]:
    due = [n.id for n in context.container.log.outbox.pending() if n.id.endswith(f".mail.{kind}")]
    return [deliver(context, notice) for notice in due]


class TestChallenges:
    def test_the_challenged_learns_who_wants_what_game(
        self, context: WorkerContext, mailbox: Mailbox, players: tuple[str, str]
    ) -> None:
        ann, bob = players
        wanted = NewGame(edition="bga", clock={"days_per_move": 3}, first_player="creator")
        context.container.mail_preferences.set_choice(bob, {"time_zone": "Asia/Kathmandu"})
        challenge = context.container.games.challenges.make(ann, bob, wanted)
        text = delivered(context, mailbox, "challenge")
        assert text.startswith("Ann challenges you")
        about = "Rules of Board Game Arena, rated, 3 days for each turn; Ann plays first."
        assert about in text.replace("\n|   ", " ")
        until = short_moment(ENGLISH, timestamp(challenge.expires), ZoneInfo("Asia/Kathmandu"))
        assert f"You can answer until {until}." in text.replace("\n|   ", " ")
        assert "hash" not in text
        html = mailbox.newest()[0].message.get_body(("html",))
        assert html is not None
        assert mail_style(face_of(ann)) in html.get_content()

    def test_a_counter_offer_is_told_as_one(
        self, context: WorkerContext, mailbox: Mailbox, players: tuple[str, str]
    ) -> None:
        ann, bob = players
        made = context.container.games.challenges.make(ann, bob, NewGame())
        outcomes(context, "challenge")
        context.container.games.challenges.counter(made.id, bob, {"tactics": True})
        text = delivered(context, mailbox, "challenge")
        assert text.startswith("Bob makes you a counter-offer")
        assert "with Tactic cards" in text

    def test_the_challenger_learns_that_it_was_declined(
        self, context: WorkerContext, mailbox: Mailbox, players: tuple[str, str]
    ) -> None:
        ann, bob = players
        made = context.container.games.challenges.make(ann, bob, NewGame())
        context.container.games.challenges.decline(made.id, bob)
        assert delivered(context, mailbox, "declined").startswith("Bob declined")

    def test_one_that_was_taken_back_is_not_told(
        self, context: WorkerContext, players: tuple[str, str]
    ) -> None:
        ann, bob = players
        made = context.container.games.challenges.make(ann, bob, NewGame())
        context.container.games.challenges.withdraw(made.id, ann)
        assert outcomes(context, "challenge") == ["dropped"]


class TestAbandoning:
    def test_the_other_learns_of_an_offer(self, match: Match, mailbox: Mailbox) -> None:
        match.context.container.games.abandonments.agree(match.id, match.ann, ChangeContext())
        text = delivered(match.context, mailbox, "abandonment")
        assert text.startswith("Ann offers to end the game without a winner")

    def test_one_that_was_taken_back_is_not_told(self, match: Match) -> None:
        match.context.container.games.abandonments.agree(match.id, match.ann, ChangeContext())
        match.context.container.games.abandonments.withdraw(match.id, match.ann)
        assert outcomes(match.context, "abandonment") == ["dropped"]


class TestOrders:
    def order(self, match: Match, player: str, *actions: str, **more: bool) -> None:
        orders = Orders(turn=TurnOrder(actions), **more)
        match.context.container.games.orders.give(match.id, player, orders)

    def act(self, match: Match) -> None:
        """Whoever is to move takes the first action there is."""
        stored = match.now()
        mover = stored.player_to_move()
        match.play(match.context.container.games.view(stored, mover).legal[0])

    def test_the_turn_tells_why_an_order_was_cancelled_to_who_has_not_acted_since(
        self, match: Match, mailbox: Mailbox
    ) -> None:
        self.order(match, match.bob, "STR:R7@3>x")
        self.act(match)
        text = delivered(match.context, mailbox, "turn")
        order = "Your plan was cancelled: Strategist: Red 7 from Stone 3 to the discard."
        assert order in text.replace("\n|   ", " ")

        for _ in range(3):
            self.act(match)
        assert "Your order was" not in delivered(match.context, mailbox, "turn")

    def test_what_an_order_did_is_news_to_its_owner(self, match: Match, mailbox: Mailbox) -> None:
        held = match.context.container.games.view(match.now(), match.bob).hands["south"].cards
        self.order(match, match.bob, f"{held[0]}@9")
        for _ in range(2):
            self.act(match)
        text = delivered(match.context, mailbox, "turn")
        assert f"You played {full_name(held[0])} on Stone 9" in text.partition("| Stone ")[0]


class TestClocks:
    def test_an_offer_to_pause_is_told_while_it_stands(
        self, context: WorkerContext, mailbox: Mailbox
    ) -> None:
        match = begin(context, clock={"days_per_move": 3})
        pauses = context.container.games.pauses
        pauses.agree(match.id, match.ann, "2026-11-25T12:00:00Z", ChangeContext())
        assert "until Wed 25 Nov 2026, 12:00 (UTC)" in delivered(context, mailbox, "pause")

        pauses.agree(match.id, match.ann, None, ChangeContext())
        pauses.withdraw(match.id, match.bob)
        assert outcomes(context, "pause") == ["dropped"]

    def test_whose_opponent_is_out_of_time_is_told_that_a_win_can_be_claimed(
        self, context: WorkerContext, mailbox: Mailbox, clock: Clock
    ) -> None:
        match = begin(context, clock={"days_per_move": 1, "time_out": "claim"})
        clock.time += 2 * 86_400
        assert context.container.games.time_out(match.id) is None
        assert "The win is yours to claim" in delivered(context, mailbox, "time-out")
