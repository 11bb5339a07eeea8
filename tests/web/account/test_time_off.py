"""The page of when my time does not count: zone, sleeping hours, vacations and their account."""

import re
from dataclasses import replace

import pytest
from flask import Flask

from service.container import Container
from service.core.times import DAY, timestamp
from service.games.calendar_store import PlayerCalendar
from tests.support.clock import Clock
from tests.web.people import visitor
from tests.web.pressing import Visitor
from tests.web.shown import Shown, begin

PATH = "/account/time-off"
HOURS = {"zone": "Europe/Berlin", "sleeps": "on", "sleep_from": "22:30", "sleep_to": "06:30"}
ALL = {"days_per_move": 3, "weekends_off": True, "sleeping_hours": True, "vacations": True}


@pytest.fixture
def game(container: Container) -> Shown:
    return begin(container, clock=ALL)


@pytest.fixture
def ann(app: Flask, game: Shown) -> Visitor:
    return at_the_page(app, game.ann)


def at_the_page(app: Flask, player: str) -> Visitor:
    person = visitor(app, player)
    person.go(PATH)
    return person


def words(person: Visitor) -> str:
    return " ".join(re.sub("<[^>]+>", "", person.answer.text).split())


def send(person: Visitor, name: str, **typed: str) -> None:
    """Press a button with these fields in the place of its form's."""
    action, fields = person.fields_of(name)
    own = [(name, value) for name, value in fields if name in ("form", "once", "begin")]
    person.post(action, [*own, *typed.items()])


def known(container: Container, player: str) -> PlayerCalendar:
    return container.games.calendars.of(player)


def test_hours_are_kept_shown_and_heeded_by_the_games(
    container: Container, game: Shown, ann: Visitor
) -> None:
    send(ann, "Save my nights", **HOURS)
    assert ann.path == PATH
    assert known(container, game.ann).sleep == ("22:30", "06:30")
    assert known(container, game.ann).zone == "Europe/Berlin"
    assert 'name="sleep_from" value="22:30"' in ann.answer.text
    ann.go(f"/games/{game.id}")
    told = "You sleep from 22:30 to 06:30 (Europe/Berlin), from the next turn on."
    assert told in words(ann)
    ann.go(PATH)
    send(ann, "Save my nights", **{**HOURS, "sleeps": ""})
    assert known(container, game.ann).sleep is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"zone": "Atlantis/Sunken"}, "Choose one."),
        ({"sleep_from": "25:00"}, "Give both times"),
        ({"sleep_from": ""}, "Give both times"),
        ({"sleep_from": "06:30"}, "Nights are 10 hours at most."),
        ({"sleep_to": "12:00"}, "Nights are 10 hours at most."),
    ],
)
def test_hours_that_cannot_be_are_told_and_stay_on_the_form(
    container: Container, game: Shown, ann: Visitor, changes: dict[str, str], told: str
) -> None:
    send(ann, "Save my nights", **{**HOURS, **changes})
    assert ann.answer.status_code == 422
    assert told in words(ann)
    assert f'name="sleep_to" value="{({**HOURS, **changes})["sleep_to"]}"' in ann.answer.text
    assert known(container, game.ann) == PlayerCalendar()


def test_days_are_taken_off_by_the_clock_of_the_zone(
    container: Container, game: Shown, ann: Visitor
) -> None:
    assert "2026: 0 of 30 days taken, 30 left." in words(ann)
    send(ann, "Save my nights", **HOURS)
    send(ann, "Take these days off", first="2026-12-24", last="2026-12-27")
    ((begin, end),) = known(container, game.ann).vacations
    assert (timestamp(begin), timestamp(end)) == ("2026-12-23T23:00:00Z", "2026-12-27T23:00:00Z")
    assert "2026: 4 of 30 days taken, 26 left." in words(ann)
    assert "From Thu 24 Dec 2026, 00:00 (Europe/Berlin)" in words(ann)
    send(ann, "Take these days off", first="2026-12-24", last="2026-12-27")
    assert ann.answer.status_code == 200  # the same once more
    assert "4 of 30 days" in words(ann)


def test_days_off_are_those_of_the_browsers_zone_where_none_was_chosen(
    container: Container, game: Shown, ann: Visitor
) -> None:
    days = {"first": "2026-12-24", "last": "2026-12-26"}
    send(ann, "Take these days off", zone="America/New_York", **days)
    assert known(container, game.ann).zone == "America/New_York"
    assert "to Sun 27 Dec 2026, 00:00 (America/New_York)" in words(ann)
    send(ann, "Take these days off", zone="Asia/Tokyo", first="2027-01-02", last="2027-01-03")
    assert known(container, game.ann).zone == "America/New_York"
    assert "From Sat 2 Jan 2027, 00:00 (America/New_York)" in words(ann)


def test_the_other_player_sees_a_vacation(app: Flask, game: Shown, ann: Visitor) -> None:
    send(ann, "Take these days off", first="2026-12-24", last="2026-12-27")
    bob = visitor(app, game.bob)
    bob.go(f"/games/{game.id}")
    assert "Ann will be on vacation from Thu 24 Dec 2026, 00:00 (UTC)" in words(bob)


def test_a_vacation_is_taken_back_or_ended_and_its_days_come_back(
    container: Container, game: Shown, ann: Visitor, clock: Clock
) -> None:
    send(ann, "Take these days off", first="2026-11-22", last="2026-11-28")
    ann.press("Cancel this vacation")
    assert known(container, game.ann).vacations == ()
    send(ann, "Take these days off", first="2026-11-22", last="2026-11-28")
    clock.time += 2.5 * DAY
    ann.go(PATH)
    assert "You are on vacation until the end of Sat 28 Nov 2026 (UTC)." in words(ann)
    ann.press("End this vacation now")
    assert "You are on vacation" not in words(ann)
    assert "2026: 2 of 30 days taken, 28 left." in words(ann)


def test_vacations_begin_by_themselves_only_for_who_asks_for_it(
    container: Container, game: Shown, ann: Visitor, clock: Clock
) -> None:
    send(ann, "Save my nights", **HOURS)
    send(ann, "Take these days off", first="2026-12-24", last="2026-12-27")
    before = known(container, game.ann)
    assert not before.by_itself
    send(ann, "Save this choice", by_itself="on")
    assert known(container, game.ann) == replace(before, by_itself=True, asked=int(clock.time))
    assert 'name="by_itself" checked' in ann.answer.text
    send(ann, "Take these days off", first="2026-12-29", last="2026-12-30")
    assert known(container, game.ann).by_itself
    send(ann, "Save this choice")
    assert not known(container, game.ann).by_itself
    assert len(known(container, game.ann).vacations) == 2


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (("", "2026-12-01"), "Give the first and the last day."),
        (("2026-12-01", "2026-02-30"), "Give the first and the last day."),
        (("2026-12-01", "9999-12-31"), "Give the first and the last day."),
        (("2026-12-05", "2026-12-01"), "A vacation ends after it begins."),
        (("2026-11-23", "2026-12-30"), "That is more than your 30 vacation days in 2026."),
        (("2027-11-22", "2027-11-25"), "A vacation ends within a year from now."),
    ],
)
def test_days_that_cannot_be_taken_are_told(
    container: Container, game: Shown, ann: Visitor, days: tuple[str, str], told: str
) -> None:
    send(ann, "Take these days off", first=days[0], last=days[1])
    assert ann.answer.status_code == 422
    assert told in words(ann)
    assert known(container, game.ann).vacations == ()


def test_two_vacations_may_not_overlap(container: Container, game: Shown, ann: Visitor) -> None:
    send(ann, "Take these days off", first="2026-12-01", last="2026-12-05")
    send(ann, "Take these days off", first="2026-12-05", last="2026-12-08")
    assert "Two vacations overlap." in words(ann)
    assert len(known(container, game.ann).vacations) == 1


def test_it_is_for_who_is_signed_in(app: Flask) -> None:
    assert app.test_client().get(PATH).location == f"/sign-in?why=needed&next={PATH}"
