"""A day before a vacation ends its player is told, as they have chosen."""

import json

import pytest

from service.accounts.mail_preferences import Subscription
from service.core.times import DAY, HOUR
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.receiver import Receiver
from tests.workers.channels.hooks import hook
from tests.workers.channels.passing import deliver_due
from tests.workers.mail.correspondence import flat, text_of
from tests.workers.match import Match

SAID = "Your vacation ends on Thu 26 Nov 13:00; then your time counts again."


@pytest.fixture
def match(match: Match, clock: Clock) -> Match:
    """Bob is on vacation for five days, from noon on in UTC."""
    change(match, (int(clock.time), int(clock.time) + 5 * DAY))
    deliver_due(match)
    return match


def change(match: Match, *vacations: tuple[int, int]) -> None:
    calendars = match.context.container.games.calendars
    calendars.change(match.bob, "Europe/Berlin", None, vacations)


def choose(match: Match, **chosen: str) -> None:
    zone = {"time_zone": "Europe/Berlin"}
    match.context.container.mail_preferences.set_choice(match.bob, zone | chosen)


def wait(match: Match, clock: Clock, seconds: float) -> None:
    clock.time += seconds
    deliver_due(match)


def said(mailserver: MailServer) -> list[str]:
    return [flat(text_of(mail)) for mail in mailserver.mails]


def test_by_mail_and_channels(
    match: Match, receiver: Receiver, mailserver: MailServer, clock: Clock
) -> None:
    choose(match)
    hook(match, receiver)
    hook(match, receiver, path="other", groups=frozenset({"turn"}))
    wait(match, clock, 4 * DAY - 1)
    assert (receiver.received, mailserver.mails) == ([], [])
    wait(match, clock, 1)
    (mail,), (got,) = said(mailserver), receiver.received
    assert SAID in mail
    message = json.loads(got.body)
    assert message["type"] == "calendar.vacation-ends"
    assert message["data"]["text"].startswith(SAID)


def test_in_the_digest(match: Match, mailserver: MailServer, clock: Clock) -> None:
    choose(match, delivery="digest", digest_at="20:00")
    wait(match, clock, 4 * DAY)
    assert mailserver.mails == []
    wait(match, clock, 7 * HOUR)
    (mail,) = said(mailserver)
    assert SAID in mail
    assert "There is news of your games." in mail
    wait(match, clock, HOUR)
    assert len(mailserver.mails) == 1


def test_before_a_digest_that_would_come_too_late(
    match: Match, mailserver: MailServer, clock: Clock
) -> None:
    choose(match, delivery="digest", digest_at="13:00")
    wait(match, clock, 4 * DAY + 60)
    assert [mail for mail in said(mailserver) if "There is news" in mail] == []
    assert SAID in said(mailserver)[0]


def test_after_quiet_hours(match: Match, mailserver: MailServer, clock: Clock) -> None:
    choose(match, quiet="12:00-15:00")
    wait(match, clock, 4 * DAY)
    assert mailserver.mails == []
    wait(match, clock, 2 * HOUR)
    assert SAID in said(mailserver)[0]


@pytest.mark.parametrize("how", ["kind", "never", "ended early"])
def test_not_at_all(match: Match, mailserver: MailServer, clock: Clock, how: str) -> None:
    choose(match, delivery="off" if how == "never" else "at_once")
    if how == "kind":
        preferences = match.context.container.mail_preferences
        preferences.turn_off(Subscription(match.bob, "vacation-ends"))
        assert not preferences.groups(match.bob)["vacation"]
    if how == "ended early":
        clock.time += DAY
        change(match)
    wait(match, clock, 4 * DAY)
    assert mailserver.mails == []
