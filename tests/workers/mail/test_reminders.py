"""Reminders at half and at nine tenths of the time for a turn."""

import pytest

from service.accounts.mail_preferences import Subscription
from service.core.times import DAY, HOUR
from service.games import NewGame
from service.games.drafts import Orders, TurnOrder
from service.games.notices import current_notices
from service.mail.mailbox import Mailbox
from tests.support.clock import NOON, Clock
from tests.workers.delivering import deliver
from tests.workers.mail.commands_in import readable_as_a_command
from tests.workers.mail.correspondence import text_of
from tests.workers.match import Match, begin, registered
from workers.context import WorkerContext

DAYS = 10
HALF, LAST = NOON + 5 * DAY, NOON + 9 * DAY


class Reminded:
    """Bob, who has ten days for his turn since noon, and the mails that he gets meanwhile."""

    def __init__(self, context: WorkerContext, mailbox: Mailbox, clock: Clock) -> None:
        self.context, self.mailbox, self.clock = context, mailbox, clock
        self.match = begin(context, clock={"days_per_move": DAYS})
        self.match.play("R4@3")
        self.sent: list[tuple[float, str, str]] = []

    def choose(self, **chosen: str | None) -> None:
        self.context.container.mail_preferences.set_choice(self.match.bob, chosen)

    def wait(self, until: float) -> None:
        """Let time pass, and deliver whatever falls due at its time."""
        outbox = self.context.container.log.outbox
        while True:
            due = min((one for one in outbox.pending()), key=lambda one: one.due, default=None)
            if due is None or due.due > until:
                break
            self.clock.time = max(self.clock.time, due.due)
            if deliver(self.context, due.id) == "sent":
                self.note(due.id)
        self.clock.time = until

    def note(self, notice: str) -> None:
        *_, player, channel, kind = notice.split(".")
        if player == self.match.bob and channel == "mail":
            text = text_of(self.mailbox.newest()[0].message)
            self.sent.append((self.clock.time, kind, text))

    def kinds(self) -> list[tuple[str, float]]:
        """What was sent, and how many days after noon."""
        return [(kind, round((at - NOON) / DAY, 2)) for at, kind, _ in self.sent]


@pytest.fixture
def bob(context: WorkerContext, mailbox: Mailbox, clock: Clock) -> Reminded:
    return Reminded(context, mailbox, clock)


def test_they_come_at_half_and_at_nine_tenths_with_the_board(bob: Reminded) -> None:
    bob.wait(NOON + 20 * DAY)
    assert bob.kinds() == [("turn", 0), ("reminder", 5), ("last-reminder", 9)]
    turn, half, last = (text for _, _, text in bob.sent)
    until = "until Tue 1 Dec 12:00 UTC"
    assert half.splitlines()[:2] == [
        "Half of your time for this turn has passed in the game against Ann.",
        f"Your turn · 5 days left · {until}",
    ]
    assert last.splitlines()[:2] == [
        "Your time is nearly up in the game against Ann. At zero you lose the game.",
        f"Your turn · 1 day left · {until}",
    ]
    board = turn.partition(until)[2].partition("Fewer mails")[0]
    for text in (half, last):
        assert text.partition(until)[2].partition("Fewer mails")[0] == board
        assert not any(map(readable_as_a_command, text.splitlines()))
    addresses = [mail.message["Reply-To"] for mail in bob.mailbox.newest()[:3]]
    assert len(set(addresses)) == 1
    ids = {mail.id for mail in bob.mailbox.newest()[:3]}
    assert len(ids) == 3


def test_a_turn_that_was_played_brings_none(bob: Reminded) -> None:
    bob.wait(HALF - 1)
    bob.match.play(bob.context.container.games.view(bob.match.now(), bob.match.bob).legal[0])
    bob.wait(LAST)
    assert bob.kinds() == [("turn", 0)]


def test_a_turn_that_was_begun_brings_them_still(context: WorkerContext, clock: Clock) -> None:
    match = begin(context, clock={"days_per_move": DAYS}, tactics=True)
    for player in (match.ann, match.ann, match.bob):  # a card, a draw, a card
        match.play(context.container.games.view(match.now(), player).legal[0])
    assert match.now().player_to_move() == match.bob
    clock.time = HALF
    due = [notice for notice in match.due() if notice.endswith(f"{match.bob}.mail.reminder")]
    assert [deliver(context, notice) for notice in due] == ["sent"]


def test_who_plays_first_is_reminded_though_no_mail_told_the_turn(
    context: WorkerContext, clock: Clock
) -> None:
    ann, cy = registered(context, "Ann"), registered(context, "Cy")
    made = context.container.games.create(
        ann, NewGame(first_player="opponent", opponent=cy, clock={"days_per_move": DAYS})
    )
    context.container.games.join(made.id, cy)
    due = {notice.id: notice.due for notice in context.container.log.outbox.pending()}
    reminder = next(notice for notice in due if notice.endswith(f"{cy}.mail.reminder"))
    assert due[reminder] == HALF


def test_without_a_clock_there_is_none(context: WorkerContext) -> None:
    match = begin(context)
    match.play("R4@3")
    assert [notice.split(".")[-1] for notice in match.due()] == ["turn"]


def test_a_turn_that_an_order_plays_brings_none(context: WorkerContext) -> None:
    match = begin(context, clock={"days_per_move": DAYS})
    games = context.container.games
    card = games.view(match.now(), match.bob).hands["south"].cards[0]
    games.orders.give(match.id, match.bob, Orders(turn=TurnOrder((f"{card}@1",))))
    match.play("R4@3")
    assert match.now().player_to_move() == match.ann
    assert [notice for notice in match.due() if match.bob in notice] == []


class TestChoices:
    @pytest.mark.parametrize(
        ("chosen", "days"), [("both", [5, 9]), ("half", [5]), ("last", [9]), (None, [5, 9])]
    )
    def test_which_of_them_come(self, bob: Reminded, chosen: str | None, days: list[int]) -> None:
        bob.choose(reminders=chosen)
        bob.wait(NOON + 20 * DAY)
        assert [day for kind, day in bob.kinds() if kind != "turn"] == days

    def test_the_link_in_either_turns_both_off(self, bob: Reminded) -> None:
        bob.wait(HALF)
        link = bob.sent[-1][2].partition("Fewer mails: ")[2].split()[0]
        preferences = bob.context.container.mail_preferences
        subscription = preferences.read(link.rpartition("/")[2])
        assert subscription == Subscription(bob.match.bob, "reminder")
        preferences.turn_off(subscription)
        assert preferences.groups(bob.match.bob)["reminder"] is False
        bob.wait(LAST)
        assert bob.kinds()[-1] == ("reminder", 5)

    def test_no_mail_at_all_means_no_reminders(self, bob: Reminded) -> None:
        bob.choose(delivery="off")
        bob.wait(NOON + 20 * DAY)
        assert bob.kinds() == []

    def test_until_a_visit_one_mail_is_all(self, bob: Reminded) -> None:
        bob.choose(delivery="until_visit")
        bob.wait(NOON + 20 * DAY)
        assert bob.kinds() == [("turn", 0)]

    def test_the_digest_tells_the_turn_again(self, bob: Reminded) -> None:
        bob.choose(delivery="digest", digest_at="18:00")
        bob.wait(NOON + 20 * DAY)
        assert bob.kinds() == [("digest", 0.25), ("digest", 5.25), ("digest", 9.25)]
        assert all("Against Ann: until Tue 1 Dec" in text for _, _, text in bob.sent)


class TestQuietHours:
    def test_the_first_waits_until_they_end_and_the_last_does_not(self, bob: Reminded) -> None:
        bob.choose(quiet="11:00-15:00")
        bob.wait(NOON + 20 * DAY)
        hours = [(kind, (at - NOON) / HOUR % 24) for at, kind, _ in bob.sent]
        assert hours == [("turn", 3), ("reminder", 3), ("last-reminder", 0)]

    def test_a_first_that_would_come_after_the_last_does_not_come(
        self, context: WorkerContext, mailbox: Mailbox, clock: Clock
    ) -> None:
        bob = Reminded(context, mailbox, clock)
        bob.match = begin_short(context)
        bob.choose(quiet="23:00-11:00")
        bob.wait(NOON + 3 * DAY)
        assert bob.kinds() == [("last-reminder", 0.9)]


def begin_short(context: WorkerContext) -> Match:
    """A game of Bob's with a day for each turn, which is his since noon."""
    ann, bob = registered(context, "Anna"), registered(context, "Bobby")
    games = context.container.games
    wanted = NewGame(first_player="opponent", opponent=bob, clock={"days_per_move": 1})
    made = games.create(ann, wanted)
    games.join(made.id, bob)
    match = Match(context, made.id, ann, bob)
    for notice in match.due():
        if not notice.startswith(made.id):
            context.container.log.outbox.finish(notice)
    return match


def test_a_reminder_that_fell_due_too_early_waits_for_its_time(bob: Reminded) -> None:
    """As after a deadline has moved, or when the queue is repaired."""
    reminder = next(notice for notice in bob.match.due() if notice.endswith(".reminder"))
    assert deliver(bob.context, reminder) == "postponed"
    bob.wait(NOON + 20 * DAY)
    assert bob.kinds() == [("turn", 0), ("reminder", 5), ("last-reminder", 9)]


def test_a_worker_that_was_away_sends_one_of_both(bob: Reminded) -> None:
    bob.clock.time = LAST + HOUR
    bob.wait(NOON + 20 * DAY)
    assert [kind for kind, _ in bob.kinds()] == ["turn", "last-reminder"]


def test_lost_notices_are_written_anew(bob: Reminded) -> None:
    kinds = {notice.id.split(".")[-1] for notice in current_notices(bob.match.now(), NOON)}
    assert kinds == {"turn", "reminder", "last-reminder"}
