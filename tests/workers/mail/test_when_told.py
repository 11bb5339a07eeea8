"""When a player is told of a turn by mail: each rule with what a worker does and logs for it."""

from collections.abc import Callable
from typing import Final

import pytest

from service.accounts.mail_preferences import Subscription
from service.accounts.notice_kinds import LAST_REMINDER
from service.core.times import HOUR
from service.eventlog import Notice
from service.games.page_signs import Sign
from tests.support.channels import working_channel
from tests.support.clock import NOON, Clock
from tests.workers.delivering import deliver
from tests.workers.match import Match, begin
from workers.context import WorkerContext
from workers.mail import mailer

Situation = Callable[[Match], object]
MOVED: Final = "R4@3"


def choose(**chosen: str) -> Situation:
    return lambda match: match.context.container.mail_preferences.set_choice(match.bob, chosen)


def mute(kind: str) -> Situation:
    return lambda match: match.context.container.mail_preferences.turn_off(
        Subscription(match.bob, kind)
    )


def told_before(match: Match) -> None:
    match.context.container.deferred_notices.reserve(match.bob, "another")


def played(match: Match) -> None:
    match.play("R6@1")


def answering(match: Match) -> None:
    match.context.container.redis.set(f"st:mail-in:of:{match.id}:south", "1")


def later(match: Match) -> None:
    """Two hours pass."""
    match.context.container.now.time += 2 * HOUR  # type: ignore[attr-defined]


def page(sign: Sign) -> Situation:
    """Bob's page of the game gives this sign."""
    return lambda match: match.context.container.page_signs.beat(match.id, match.bob, sign)


def hidden(match: Match) -> None:
    """Bob shows nobody when he is here."""
    match.context.container.presences.choose(match.bob, "never")


def hooked(match: Match) -> None:
    target = {"url": "https://hooks.example.org/x"}
    working_channel(match.context.container, match.bob, "webhook", target)


def mailed(match: Match) -> None:
    notice = next(one for one in match.due() if one.endswith(f"{match.bob}.mail.turn"))
    deliver(match.context, notice)


IN_EIGHT_DAYS: Final = {"days_per_move": 8}
IN_A_DAY: Final = {"days_per_move": 1}
DUE: Final = "sent due"
RULES: Final[list[tuple[str, list[Situation], dict[str, int] | None, str, float | None]]] = [
    ("at once", [], None, DUE, None),
    ("off", [choose(delivery="off")], None, "dropped turned-off", None),
    ("kind off", [mute("turn")], None, "dropped turned-off", None),
    ("off before untrue", [mute("turn"), played], None, "dropped turned-off", None),
    ("untrue", [played], None, "dropped untrue", None),
    ("untrue before digest", [played, choose(delivery="digest")], None, "dropped untrue", None),
    ("untrue before quiet", [played, choose(quiet="11:00-13:00")], None, "dropped untrue", None),
    (
        "digest",
        [choose(delivery="digest", digest_at="18:00")],
        None,
        "held kept-for-digest",
        6 * HOUR + 300,
    ),
    ("digest in time", [choose(delivery="digest")], IN_EIGHT_DAYS, "held kept-for-digest", 72300),
    ("digest too late", [later, choose(delivery="digest", digest_at="13:00")], IN_A_DAY, DUE, None),
    (
        "digest off",
        [choose(delivery="digest"), mute("digest")],
        None,
        "dropped digest-turned-off",
        None,
    ),
    (
        "digest before quiet",
        [choose(delivery="digest", quiet="11:00-13:00")],
        None,
        "held kept-for-digest",
        72300,
    ),
    ("in sight", [page("here")], None, "held page-in-sight", 20),
    ("in sight, writing", [page("writing")], None, "held page-in-sight", 20),
    ("in sight and played", [page("here"), played], None, "dropped untrue", None),
    ("out of sight", [page("here"), page("away")], None, DUE, None),
    ("in sight for long", [later, page("here")], None, DUE, None),
    ("in sight, hidden", [hidden, page("here")], None, "held page-in-sight", 20),
    ("in sight, told by a program", [hooked, page("here")], None, DUE, None),
    ("quiet", [choose(quiet="11:00-13:00")], None, "held quiet-hours", HOUR),
    ("quiet too late", [later, choose(quiet="13:30-13:00")], IN_A_DAY, DUE, None),
    ("not quiet", [choose(quiet="13:00-11:00")], None, DUE, None),
    ("until visit", [choose(delivery="until_visit")], None, DUE, None),
    (
        "until visit, told",
        [choose(delivery="until_visit"), told_before],
        None,
        "dropped told-until-visit",
        None,
    ),
    (
        "quiet before visit",
        [choose(delivery="until_visit", quiet="11:00-13:00"), told_before],
        None,
        "held quiet-hours",
        HOUR,
    ),
    ("answering", [answering], None, "held answer-comes-first", 2),
    ("shown", [mailed], None, "dropped shown-before", None),
    ("answering before shown", [mailed, answering], None, "held answer-comes-first", 2),
    (
        "visit before answering",
        [choose(delivery="until_visit"), told_before, answering],
        None,
        "dropped told-until-visit",
        None,
    ),
]


@pytest.fixture(autouse=True)
def log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> pytest.LogCaptureFixture:
    monkeypatch.setattr(mailer.log, "disabled", False)
    caplog.set_level("INFO", "workers")
    return caplog


def said(log: pytest.LogCaptureFixture) -> str:
    """What the last line of the log says became of a mail."""
    line = log.records[-1].getMessage()
    return f"{line.split('outcome=')[1].split()[0]} {line.split('reason=')[1]}"


@pytest.mark.parametrize(
    ("situations", "terms", "expected", "due"),
    [rule[1:] for rule in RULES],
    ids=[rule[0] for rule in RULES],
)
def test_a_turn(
    context: WorkerContext,
    log: pytest.LogCaptureFixture,
    situations: list[Situation],
    terms: dict[str, int] | None,
    expected: str,
    due: float | None,
) -> None:
    match = begin(context, **({"clock": terms} if terms else {}))
    match.play(MOVED)
    notice = next(one for one in match.due() if one.endswith(f"{match.bob}.mail.turn"))
    for situation in situations:
        situation(match)
    outbox = match.context.container.log.outbox
    outbox.add(Notice(notice, NOON))  # one that was mailed falls due again
    deliver(context, notice)
    assert said(log) == expected
    left = {one.id: one.due for one in outbox.pending()}
    assert left.get(notice) == (None if due is None else NOON + due)


REMINDERS: Final = [
    (97, [], DUE),
    (95, [], "held too-early"),
    (174, [], "dropped too-late"),
    (97, [choose(reminders="last")], "dropped turned-off"),
    (97, [mute("reminder")], "dropped turned-off"),
    (97, [played], "dropped untrue"),
    (97, [choose(quiet="12:00-14:00")], "held quiet-hours"),
    (97, [choose(delivery="digest")], "held kept-for-digest"),
]
"""Hours after the beginning of a turn of eight days, and the first reminder of it."""


@pytest.mark.parametrize(("hours", "situations", "expected"), REMINDERS)
def test_a_reminder(
    context: WorkerContext,
    clock: Clock,
    log: pytest.LogCaptureFixture,
    hours: int,
    situations: list[Situation],
    expected: str,
) -> None:
    match = begin(context, clock=IN_EIGHT_DAYS)
    match.play(MOVED)
    notice = next(one for one in match.due() if one.endswith(f"{match.bob}.mail.reminder"))
    clock.time += hours * HOUR
    for situation in situations:
        situation(match)
    deliver(context, notice)
    assert said(log) == expected


def test_the_last_reminder_heeds_no_quiet_hours(
    context: WorkerContext, clock: Clock, log: pytest.LogCaptureFixture
) -> None:
    match = begin(context, clock=IN_EIGHT_DAYS)
    match.play(MOVED)
    choose(quiet="00:00-23:59")(match)
    notice = next(one for one in match.due() if one.endswith(f".mail.{LAST_REMINDER}"))
    clock.time += 173 * HOUR
    deliver(context, notice)
    assert said(log) == DUE
