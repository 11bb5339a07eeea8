"""Whose time runs again after a pause is told so, and reminded again."""

import pytest

from service.core.times import DAY, HOUR, MINUTE, timestamp
from service.games import ChangeContext
from service.mail.mailbox import Mailbox
from tests.support.clock import NOON, Clock
from tests.workers.delivering import deliver
from tests.workers.mail.correspondence import flat, run, text_of
from tests.workers.match import Match

RUNS = "The pause of the clock is over, and your time runs again in the game against Ann."


def pause(match: Match, until: float | None = None) -> None:
    """Let both agree to a pause."""
    games, end = match.context.container.games, None if until is None else timestamp(until)
    for player in (match.ann, match.bob):
        games.pauses.agree(match.id, player, end, ChangeContext())


def resume(match: Match, player: str) -> None:
    match.context.container.games.clocks.resume(match.id, player, ChangeContext())


def wait(match: Match, clock: Clock, until: float) -> None:
    """Let the worker do what falls due up to this moment, at its time."""
    while due := min((n.due for n in match.context.container.log.outbox.pending()), default=until):
        if due >= until:
            break
        clock.time = max(clock.time, due)
        run(match.context)
    clock.time = until
    run(match.context)


def told(mailbox: Mailbox, number: int) -> list[str]:
    """The texts of the last mails, the oldest first."""
    return [flat(text_of(mail.message)) for mail in reversed(mailbox.newest(number))]


def kinds(match: Match, player: str) -> dict[str, float]:
    """The kinds of notices of mail that wait for a player, and when each is due."""
    pending = match.context.container.log.outbox.pending()
    return {n.id.split(".")[-1]: n.due for n in pending if f".{player}.mail." in n.id}


def test_whose_time_runs_again_is_told_when_the_other_player_ends_a_pause(
    timed: Match, clock: Clock, mailbox: Mailbox
) -> None:
    """As it was: nobody was told, and thirty days later half a day was left."""
    wait(timed, clock, NOON + 36 * HOUR)  # half of the time has passed, and was told
    pause(timed)
    wait(timed, clock, NOON + 30 * DAY)
    count = len(mailbox.newest(100))
    resume(timed, timed.ann)
    run(timed.context)
    (mail,) = told(mailbox, len(mailbox.newest(100)) - count)
    assert RUNS in mail
    assert "12 hours left · until Tue 22 Dec 00:00 UTC" in mail
    end = timed.now().deadline
    assert end == NOON + 30 * DAY + 12 * HOUR
    assert kinds(timed, timed.bob) == {
        "reminder": end - 6 * HOUR,
        "last-reminder": end - 12 * HOUR // 10,
    }
    wait(timed, clock, end - MINUTE)
    half, last = told(mailbox, 2)
    assert "Half of your time" in half
    assert "until Tue 22 Dec 00:00 UTC" in last


def test_who_ends_the_pause_is_not_told_but_reminded(timed: Match, clock: Clock) -> None:
    wait(timed, clock, NOON + 36 * HOUR)
    pause(timed)
    wait(timed, clock, NOON + 30 * DAY)
    resume(timed, timed.bob)
    assert kinds(timed, timed.bob).keys() == {"reminder", "last-reminder"}


def test_a_pause_that_ends_by_its_date_is_told(timed: Match, mailbox: Mailbox) -> None:
    pause(timed, NOON + 9 * DAY)
    run(timed.context)
    assert kinds(timed, timed.bob) == {
        "clock-runs": NOON + 9 * DAY,
        "reminder": pytest.approx(NOON + 10 * DAY, abs=MINUTE),
        "last-reminder": pytest.approx(NOON + 9 * DAY + 48 * HOUR * 9 // 10, abs=MINUTE),
    }
    wait(timed, timed.clock, NOON + 9 * DAY)
    assert RUNS in told(mailbox, 1)[0]


def test_one_that_is_ended_before_its_date_is_told_once(timed: Match, mailbox: Mailbox) -> None:
    pause(timed, NOON + 3 * DAY)
    wait(timed, timed.clock, NOON + 2.5 * DAY)
    resume(timed, timed.ann)
    count = len(mailbox.newest(100))
    wait(timed, timed.clock, NOON + 4.4 * DAY)
    mails = told(mailbox, len(mailbox.newest(100)) - count)
    assert [RUNS in mail for mail in mails] == [True, False, False]
    assert "Half of your time" in mails[1]


def test_it_is_told_though_time_is_given_at_once(timed: Match, mailbox: Mailbox) -> None:
    pause(timed)
    timed.clock.time += DAY
    resume(timed, timed.ann)
    timed.clock.time += 5
    timed.context.container.games.clocks.give(timed.id, timed.ann, DAY, ChangeContext())
    run(timed.context)
    assert RUNS in told(mailbox, 1)[0]


def test_whoever_has_the_turn_when_it_ends_is_told(timed: Match, mailbox: Mailbox) -> None:
    pause(timed, NOON + 9 * DAY)
    timed.play(timed.context.container.games.view(timed.now(), timed.bob).legal[0])
    run(timed.context)
    wait(timed, timed.clock, NOON + 9 * DAY)
    (mail,) = told(mailbox, 1)
    assert RUNS.replace("Ann", "Bob") in mail


def test_nothing_is_told_of_a_pause_that_was_over_before_the_turn(timed: Match) -> None:
    pause(timed)
    timed.clock.time += DAY
    resume(timed, timed.ann)
    (notice,) = [n for n in timed.due() if n.endswith(".clock-runs")]
    timed.play(timed.context.container.games.view(timed.now(), timed.bob).legal[0])
    assert deliver(timed.context, notice) == "dropped"


def test_who_is_given_time_after_the_last_reminder_is_reminded_again(
    timed: Match, clock: Clock, mailbox: Mailbox
) -> None:
    wait(timed, clock, NOON + 47 * HOUR)
    assert kinds(timed, timed.bob) == {}
    timed.context.container.games.clocks.give(timed.id, timed.ann, 5 * DAY, ChangeContext())
    assert kinds(timed, timed.bob).keys() == {"reminder", "last-reminder"}
    count = len(mailbox.newest(100))
    wait(timed, clock, NOON + 7 * DAY - MINUTE)
    assert len(mailbox.newest(100)) == count + 2


def test_a_reminder_that_waited_for_quiet_hours_to_end_is_not_lost(
    timed: Match, clock: Clock, mailbox: Mailbox
) -> None:
    quiet = {"quiet": "12:00-20:00"}
    timed.context.container.mail_preferences.set_choice(timed.bob, quiet)
    wait(timed, clock, NOON + DAY + HOUR)  # it was due an hour ago
    timed.context.container.games.clocks.give(timed.id, timed.ann, HOUR, ChangeContext())
    count = len(mailbox.newest(100))
    wait(timed, clock, NOON + DAY + 9 * HOUR)
    (mail,) = told(mailbox, len(mailbox.newest(100)) - count)
    assert "Half of your time" in mail
