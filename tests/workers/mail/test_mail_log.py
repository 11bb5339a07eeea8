"""One line in the log for each mail that is sent, held or dropped: why, and no address."""

import re
import smtplib

import pytest

from service.accounts.mail_preferences import Subscription
from service.accounts.notice_kinds import CONFIRMATION
from service.core.times import HOUR
from service.eventlog import Notice, notice_id
from service.games import NewGame
from tests.support.clock import Clock
from tests.workers.delivering import deliver
from tests.workers.mail.correspondence import Correspondent, held, run
from tests.workers.match import Match, begin
from workers.context import WorkerContext
from workers.jobs import PATIENCE
from workers.mail import mailer
from workers.mail.mailer import Message, UnsafeMail

LINE = re.compile(
    r"mail outcome=(?P<outcome>sent|held|dropped) kind=(?P<kind>[a-z-]+) about=[a-z2-7]+"
    r" player=[a-z2-7]+ id=<[a-z0-9.-]+@scottenbury\.test> reason=(?P<reason>[A-Za-z0-9-]+)"
)
SECRETS = ("example.org", "Ann", "Bob", "R4", "R6", "play+", "unsubscribe")
"""Addresses, names, cards and tokens."""


@pytest.fixture(autouse=True)
def log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> pytest.LogCaptureFixture:
    """What the worker logs; import-linter, in another test, may have turned loggers off."""
    monkeypatch.setattr(mailer.log, "disabled", False)
    caplog.set_level("INFO", "workers")
    return caplog


def told(log: pytest.LogCaptureFixture) -> list[tuple[str, str, str]]:
    """What became of each mail since this was asked last: outcome, kind and reason."""
    lines = [record.getMessage() for record in log.records if record.name.startswith("workers")]
    log.clear()
    assert not [secret for secret in SECRETS for line in lines if secret in line]
    found = [LINE.fullmatch(line) for line in lines]
    assert None not in found, lines
    return [(one["outcome"], one["kind"], one["reason"]) for one in found if one]


def turn(match: Match) -> str:
    """The notice of a turn of Bob's."""
    match.play("R4@3")
    return next(notice for notice in match.due() if notice.endswith(f"{match.bob}.mail.turn"))


def test_a_mail_that_is_sent(match: Match, log: pytest.LogCaptureFixture) -> None:
    notice = turn(match)
    deliver(match.context, notice)
    (line,) = [record.getMessage() for record in log.records]
    game, version, player, _, _ = notice.split(".")
    assert line == (
        f"mail outcome=sent kind=turn about={game} player={player}"
        f" id=<{game}.{version}.{player}.turn@scottenbury.test> reason=due"
    )
    (mail,) = match.context.container.mailbox.newest()
    assert mail.id in line
    assert told(log) == [("sent", "turn", "due")]


def test_a_mail_that_is_no_longer_true(match: Match, log: pytest.LogCaptureFixture) -> None:
    notice = turn(match)
    match.play("R6@1")
    deliver(match.context, notice)
    assert told(log) == [("dropped", "turn", "untrue")]


def test_a_kind_that_was_turned_off(match: Match, log: pytest.LogCaptureFixture) -> None:
    match.context.container.mail_preferences.turn_off(Subscription(match.bob, "turn"))
    match.play("R4@3")
    notice = notice_id(match.id, match.now().version, match.bob, "mail", "turn")
    match.context.container.log.outbox.add(Notice(notice, 0))
    deliver(match.context, notice)
    assert told(log) == [("dropped", "turn", "turned-off")]


def test_a_player_without_a_confirmed_address(
    smtp_context: WorkerContext, log: pytest.LogCaptureFixture
) -> None:
    match = begin(smtp_context)
    smtp_context.container.redis.hset(f"st:{{{match.bob}}}:player", "verified", "")
    match.play("R4@3")
    notice = notice_id(match.id, match.now().version, match.bob, "mail", "turn")
    smtp_context.container.log.outbox.add(Notice(notice, 0))
    deliver(smtp_context, notice)
    assert told(log) == [("dropped", "turn", "no-confirmed-address")]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"quiet": "11:00-13:00"}, ("held", "turn", "quiet-hours")),
        ({"delivery": "digest"}, ("held", "turn", "kept-for-digest")),
    ],
)
def test_a_mail_that_comes_later(
    match: Match,
    log: pytest.LogCaptureFixture,
    chosen: dict[str, str],
    expected: tuple[str, str, str],
) -> None:
    match.context.container.mail_preferences.set_choice(match.bob, chosen)
    deliver(match.context, turn(match))
    assert told(log) == [expected]


def test_one_mail_until_the_next_visit(match: Match, log: pytest.LogCaptureFixture) -> None:
    preferences = match.context.container.mail_preferences
    preferences.set_choice(match.bob, {"delivery": "until_visit"})
    deliver(match.context, turn(match))
    other = match.context.container.games.challenges.make(match.ann, match.bob, NewGame())
    notice = next(one for one in match.due() if one.startswith(other.id) and "challenge" in one)
    deliver(match.context, notice)
    assert told(log) == [("sent", "turn", "due"), ("dropped", "challenge", "told-until-visit")]


def test_the_digest_and_one_that_has_nothing_new(
    match: Match, clock: Clock, log: pytest.LogCaptureFixture
) -> None:
    match.context.container.mail_preferences.set_choice(match.bob, {"delivery": "digest"})
    deliver(match.context, turn(match))
    clock.time += 24 * HOUR
    run(match.context)
    digests = [one for one in told(log) if one[1] == "digest"]
    assert digests == [("sent", "digest", "due")]
    notice = notice_id(match.bob, 1, match.bob, "mail", "digest")
    match.context.container.log.outbox.add(Notice(notice, 0))
    deliver(match.context, notice)
    assert told(log) == [("dropped", "digest", "nothing-new")]


def test_a_reminder_that_is_too_early_or_not_wanted(
    context: WorkerContext, clock: Clock, log: pytest.LogCaptureFixture
) -> None:
    match = begin(context, clock={"days_per_move": 4})
    match.play("R4@3")
    reminder = next(notice for notice in match.due() if f"{match.bob}.mail.reminder" in notice)
    deliver(context, reminder)
    context.container.mail_preferences.set_choice(match.bob, {"reminders": "last"})
    clock.time += 49 * HOUR
    deliver(context, reminder)
    assert told(log) == [("held", "reminder", "too-early"), ("dropped", "reminder", "turned-off")]


def test_a_confirmation_that_is_not_wanted_and_a_turn_that_was_shown(
    match: Match, bob: Correspondent, log: pytest.LogCaptureFixture
) -> None:
    told(log)
    preferences = match.context.container.mail_preferences
    bob.answer("show")
    assert told(log)[-1:] == [("sent", "reply-board", "due")]
    preferences.turn_off(Subscription(match.bob, CONFIRMATION))
    bob.answer(held(match)[0])
    assert ("dropped", "reply-played", "confirmations-off") in told(log)


def test_a_mail_that_waits_for_an_answer_and_is_shown_by_it(
    match: Match, bob: Correspondent, log: pytest.LogCaptureFixture
) -> None:
    raw = f"From: {bob.email}\nMessage-ID: <x@y>\n\n{held(match)[0]}\n".encode()
    match.context.container.incoming_mail.accept(str(bob.latest["Reply-To"]), bob.email, raw)
    (read,) = [notice for notice in match.due() if "mail-in" in notice]
    deliver(match.context, read)
    match.play(held(match)[0])
    told(log)
    due = [notice for notice in match.due() if match.bob in notice]
    (turn_again,) = [notice for notice in due if notice.endswith(".turn")]
    (answer,) = [notice for notice in due if "reply-played" in notice]
    for notice in (turn_again, answer, turn_again):
        deliver(match.context, notice)
    assert told(log) == [
        ("held", "turn", "answer-comes-first"),
        ("sent", "reply-played", "due"),
        ("dropped", "turn", "shown-before"),
    ]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (smtplib.SMTPDataError(451, b"bob@example.org: later"), "SMTPDataError-451"),
        (
            smtplib.SMTPRecipientsRefused({"bob@example.org": (450, b"bob@example.org is full")}),
            "SMTPRecipientsRefused-450",
        ),
        (ConnectionRefusedError("mail.example.org"), "ConnectionRefusedError"),
    ],
)
def test_a_mail_that_fails_is_held_and_at_last_dropped(
    match: Match,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    log: pytest.LogCaptureFixture,
    error: Exception,
    reason: str,
) -> None:
    fail_with(match.context, monkeypatch, error)
    notice = turn(match)
    assert deliver(match.context, notice) == "postponed"
    clock.time += PATIENCE
    assert deliver(match.context, notice) == "dead-letter"
    assert told(log) == [("held", "turn", reason), ("dropped", "turn", reason)]


def test_a_mail_that_cannot_be_written_safely(
    match: Match, monkeypatch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
) -> None:
    fail_with(match.context, monkeypatch, UnsafeMail("not an address: bob@example.org"))
    assert deliver(match.context, turn(match)) == "dead-letter"
    assert told(log) == [("dropped", "turn", "UnsafeMail")]


def fail_with(context: WorkerContext, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let sending any mail fail like this."""

    def fail(message: Message) -> None:
        raise error

    monkeypatch.setattr(context.mailer, "send", fail)
