"""Mails about challenges, orders and offers to abandon a game."""

import pytest

from service.eventlog import parse_notice_id
from service.games import NewGame, Origin
from service.games.orders.model import Orders, TurnOrder
from service.mail.mailbox import Mail, Mailbox
from tests.workers.conftest import Match
from workers.context import Office
from workers.handlers.deliver import deliver


@pytest.fixture
def players(office: Office) -> tuple[str, str]:
    return tuple(office.players.register(name).player.id for name in ("Ann", "Bob"))


def text_of(mail: Mail) -> str:
    body = mail.message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def delivered(office: Office, mailbox: Mailbox, kind: str) -> str:
    """The latest mail of this kind that is due."""
    due = [n.id for n in office.log.pending() if n.id.endswith(f".mail.{kind}")]
    notice = max(due, key=lambda notice: parse_notice_id(notice).version)
    assert deliver(office, notice) == "sent"
    (mail,) = [m for m in mailbox.newest() if notice.partition(".mail.")[0] in m.id]
    return text_of(mail)


def outcomes(office: Office, kind: str) -> list[str]:
    due = [n.id for n in office.log.pending() if n.id.endswith(f".mail.{kind}")]
    return [deliver(office, notice) for notice in due]


class TestChallenges:
    def test_the_challenged_learns_who_wants_what_game(self, office, mailbox, players):
        ann, bob = players
        office.games.challenges.make(ann, bob, NewGame(edition="bga", days_per_move=3))
        text = delivered(office, mailbox, "challenge")
        assert text.startswith("Ann challenges you")
        assert "Edition bga, without Tactic cards" in text
        assert "hash" not in text

    def test_a_counter_offer_is_told_as_one(self, office, mailbox, players):
        ann, bob = players
        made = office.games.challenges.make(ann, bob, NewGame())
        outcomes(office, "challenge")
        office.games.challenges.counter(made.id, bob, {"tactics": True})
        text = delivered(office, mailbox, "challenge")
        assert text.startswith("Bob makes you a counter-offer")
        assert "with Tactic cards" in text

    def test_the_challenger_learns_that_it_was_declined(self, office, mailbox, players):
        ann, bob = players
        made = office.games.challenges.make(ann, bob, NewGame())
        office.games.challenges.decline(made.id, bob)
        assert delivered(office, mailbox, "declined").startswith("Bob declined")

    def test_one_that_was_taken_back_is_not_told(self, office, players):
        ann, bob = players
        made = office.games.challenges.make(ann, bob, NewGame())
        office.games.challenges.withdraw(made.id, ann)
        assert outcomes(office, "challenge") == ["dropped"]


class TestAbandoning:
    def test_the_other_learns_of_an_offer(self, match: Match, mailbox):
        match.office.games.abandonments.agree(match.id, match.ann, Origin())
        text = delivered(match.office, mailbox, "abandonment")
        assert text.startswith("Ann offers to abandon your game")

    def test_one_that_was_taken_back_is_not_told(self, match: Match):
        match.office.games.abandonments.agree(match.id, match.ann, Origin())
        match.office.games.abandonments.withdraw(match.id, match.ann)
        assert outcomes(match.office, "abandonment") == ["dropped"]


class TestOrders:
    def order(self, match: Match, player: str, *actions: str, **more: bool) -> None:
        orders = Orders(turn=TurnOrder(actions), **more)
        match.office.games.orders.give(match.id, player, orders)

    def act(self, match: Match) -> None:
        """Whoever is to move takes the first action there is."""
        stored = match.now()
        mover = stored.player_to_move()
        match.play(match.office.games.view(stored, mover)["legal"][0])

    def test_the_mail_of_the_turn_tells_why_an_order_was_cancelled(self, match: Match, mailbox):
        self.order(match, match.bob, "STR:R7@3>x")
        self.act(match)
        text = delivered(match.office, mailbox, "turn")
        assert "Your order:" in text
        assert "| Cancelled: STR:R7@3>x" in text

    def test_who_has_acted_since_is_not_told_again(self, match: Match, mailbox):
        self.order(match, match.bob, "STR:R7@3>x")
        for _ in range(3):
            self.act(match)
        assert "Your order:" not in delivered(match.office, mailbox, "turn")

    def test_what_an_order_did_is_news_to_its_owner(self, match: Match, mailbox):
        held = match.office.games.view(match.now(), match.bob)["hands"]["south"]["cards"]
        self.order(match, match.bob, f"{held[0]}@9")
        for _ in range(2):
            self.act(match)
        text = delivered(match.office, mailbox, "turn")
        assert f"{held[0]}" in text.partition("The board:")[0]
