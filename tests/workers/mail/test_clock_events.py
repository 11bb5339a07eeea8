"""What happens to a clock is no turn: mails that were written before it are as good after it."""

import pytest

from engine.commands import ChangeCalendar, PauseClock
from service.core.heartbeat import ROLES
from service.core.times import DAY, HOUR
from service.games.writer import ChangeContext
from service.mail.mailbox import Mailbox
from tests.support.clock import NOON, Clock
from tests.workers.delivering import deliver
from tests.workers.mail.correspondence import Correspondent, flat, run, text_of
from tests.workers.match import Match, begin
from workers.context import WorkerContext


@pytest.fixture
def timed(context: WorkerContext) -> Match:
    """Bob has a day for his turn since noon; his mail is not sent yet."""
    match = begin(context, clock={"days_per_move": 1, "sleeping_hours": True})
    match.play("R4@3")
    return match


@pytest.fixture
def bob(context: WorkerContext, mailbox: Mailbox) -> Correspondent:
    return Correspondent(context, mailbox, "bob@example.org")


def outage(context: WorkerContext, hours: int) -> None:
    """The server was away in the last hours, and has given that back."""
    redis, now = context.container.redis, int(context.container.now())
    redis.hset("st:{outages}:ledger", str(now - hours * HOUR), str(now))
    for role in ROLES:
        redis.hset("st:{outages}:last", role, str(now))
    assert context.container.games.outages.apply_all() == 1


def notice_of(match: Match, kind: str) -> str:
    return next(notice for notice in match.due() if notice.endswith(f"{match.bob}.mail.{kind}"))


def test_the_mail_of_the_turn_is_sent_after_it(timed: Match, clock: Clock) -> None:
    clock.time += 2 * HOUR
    outage(timed.context, 1)
    assert deliver(timed.context, notice_of(timed, "turn")) == "sent"


def test_a_calendar_of_the_players_own_is_no_move(timed: Match, mailbox: Mailbox) -> None:
    games, stored = timed.context.container.games, timed.now()
    command = ChangeCalendar("south", "Europe/Berlin", ("23:00", "07:00"))
    draft = games.writer.draft(timed.id, stored, command, "api")
    games.writer.write(draft, timed.bob, ChangeContext("api"))
    assert deliver(timed.context, notice_of(timed, "turn")) == "sent"
    told = text_of(mailbox.newest()[0].message)
    assert told.startswith("Ann played Red 4 on Stone 3.")
    assert "calendar" not in told.partition("Answer")[0]


def test_the_mail_tells_of_it_by_its_readers_clock(timed: Match, mailbox: Mailbox) -> None:
    container = timed.context.container
    container.mail_preferences.set_choice(timed.bob, {"time_zone": "Asia/Kathmandu"})
    pause = PauseClock("north", "2026-12-01T20:00:00Z")
    assert container.games.writer.write_all(timed.now(), [pause]) is not None
    assert deliver(timed.context, notice_of(timed, "turn")) == "sent"
    told = flat(text_of(mailbox.newest()[0].message))
    assert "paused until Wed 2 Dec 2026, 01:45 (Asia/Kathmandu)." in told


def test_the_mail_can_be_answered_after_it(
    timed: Match, context: WorkerContext, bob: Correspondent, clock: Clock
) -> None:
    run(context)
    address = str(bob.latest["Reply-To"])
    version = timed.now().version
    clock.time += 2 * HOUR
    outage(context, 1)
    assert timed.now().version == version + 1
    legal = context.container.games.view(timed.now(), timed.bob).legal[0]
    assert bob.answer(legal, to=address).startswith("Done.")
    assert timed.now().player_to_move() == timed.ann
    # But not after a turn.
    timed.play(context.container.games.view(timed.now(), timed.ann).legal[0])
    legal = context.container.games.view(timed.now(), timed.bob).legal[0]
    assert "Done." not in bob.answer(legal, to=address)


def test_reminders_come_when_they_are_due_by_the_new_deadline(
    timed: Match, clock: Clock, mailbox: Mailbox
) -> None:
    clock.time = NOON + 11 * HOUR
    outage(timed.context, 4)
    assert timed.now().deadline == NOON + DAY + 4 * HOUR
    due = dict(timed.context.container.log.outbox.pending())
    assert due[notice_of(timed, "reminder")] == NOON + 16 * HOUR
    clock.time = NOON + 16 * HOUR
    assert deliver(timed.context, notice_of(timed, "reminder")) == "sent"
    assert "12 hours left · until Sun 22 Nov 16:00" in flat(text_of(mailbox.newest()[0].message))


def test_one_that_was_sent_does_not_come_again(timed: Match, clock: Clock) -> None:
    clock.time = NOON + 12 * HOUR
    assert deliver(timed.context, notice_of(timed, "reminder")) == "sent"
    clock.time += HOUR
    outage(timed.context, 1)
    assert [notice for notice in timed.due() if notice.endswith(".reminder")] == []


def test_none_comes_before_an_outage_is_given_back(timed: Match, clock: Clock) -> None:
    redis, now = timed.context.container.redis, int(NOON + 13 * HOUR)
    clock.time = now
    redis.hset("st:{outages}:ledger", str(now - 4 * HOUR), str(now))
    for role in ROLES:
        redis.hset("st:{outages}:last", role, str(now))
    assert deliver(timed.context, notice_of(timed, "reminder")) == "postponed"


def test_the_mail_that_comes_too_late_says_that_the_time_begins_now(
    timed: Match, context: WorkerContext, clock: Clock, mailbox: Mailbox, bob: Correspondent
) -> None:
    turn = notice_of(timed, "turn")
    clock.time = NOON + DAY
    context.container.games.time_out(timed.id)
    assert timed.now().untold_until is not None
    clock.time += HOUR
    assert deliver(context, turn) == "sent"
    assert "You were not told of this turn before its time was up: it begins anew now." in flat(
        text_of(bob.latest)
    )
    (look,) = [notice for notice in timed.due() if notice.endswith(".log.flag-held")]
    assert deliver(context, look) == "dropped"
    assert timed.now().untold_until is None
    assert timed.now().deadline == NOON + 2 * DAY + HOUR
    kinds = {notice.split(".")[-1] for notice in timed.due() if timed.bob in notice}
    assert kinds == {"reminder", "last-reminder"}


def test_while_no_mail_arrives_it_is_looked_at_again(
    timed: Match, context: WorkerContext, clock: Clock
) -> None:
    clock.time = NOON + DAY
    context.container.games.time_out(timed.id)
    (look,) = [notice for notice in timed.due() if notice.endswith(".log.flag-held")]
    assert deliver(context, look) == "postponed"
    assert dict(context.container.log.outbox.pending())[look] == clock.time + 60
