"""Asking for a clock: by the turn, a bank of time, a fixed end, none; and what does not count."""

import re
from typing import Any

import pytest
from flask import Flask

from service.container import Container
from service.games import NewGame
from tests.support.application import Server
from tests.web.people import Browser, browser_of, hidden
from tests.web.pressing import Element, read

PLAIN = {"whom": "link", "edition": "iello", "rounds": "1", "first": "random"}
BANK = {"days": "bank", "bank_days": "21", "increment_hours": "6", "cap_days": "30"}
UNTIL = {"days": "until", "until_day": "2026-12-31", "until_time": "20:00", "zone": "Europe/Berlin"}
NO_HOURS = {"increment_hours": "", "cap_days": ""}
UNCOUNTED = {"weekends_off": "on", "sleeping_hours": "on", "vacations": "on"}


def asked(container: Container, ann: Browser, **choices: str) -> Any:
    """The clock of the game that these choices make."""
    answer = ann.press("/games/new", "/games/new", **{**PLAIN, **choices})
    assert answer.status_code == 303, answer.text
    game = container.games.load((answer.location or "").removeprefix("/games/"))
    return container.games.view(game, ann.player).clock


@pytest.mark.parametrize(
    ("choices", "terms"),
    [
        ({"days": "3"}, {"days_per_move": 3}),
        ({"days": ""}, None),
        ({"days": "", **UNCOUNTED, "claim": "on"}, None),
        (BANK, {"bank_days": 21, "increment_hours": 6, "cap_days": 30}),
        ({**BANK, **NO_HOURS}, {"bank_days": 21}),
        ({**BANK, "increment_hours": "0", "cap_days": " "}, {"bank_days": 21}),
        (UNTIL, {"until": "2026-12-31T19:00:00Z"}),
        ({**UNTIL, **UNCOUNTED}, {"until": "2026-12-31T19:00:00Z"}),
        ({**UNTIL, "zone": "UTC"}, {"until": "2026-12-31T20:00:00Z"}),
        (
            {"days": "7", **UNCOUNTED, "claim": "on"},
            {
                "days_per_move": 7,
                "weekends_off": True,
                "sleeping_hours": True,
                "vacations": True,
                "time_out": "claim",
            },
        ),
    ],
)
def test_what_is_chosen_is_the_clock(ann: Browser, choices: dict[str, str], terms: object) -> None:
    assert asked(ann.container, ann, **choices) == terms


@pytest.mark.parametrize(
    ("choices", "field", "words"),
    [
        ({**BANK, "bank_days": "91"}, "days", "1 to 90 days"),
        ({**BANK, "bank_days": ""}, "days", "1 to 90 days"),
        ({**BANK, "bank_days": "١٤"}, "days", "1 to 90 days"),
        ({**BANK, "increment_hours": "-1"}, "days", "1 to 168 hours"),
        ({**BANK, "cap_days": "999"}, "days", "1 to 90 days"),
        ({**UNTIL, "until_day": "2026-02-30"}, "until", "Give the day"),
        ({**UNTIL, "until_time": "24:00"}, "until", "Give the day"),
        ({**UNTIL, "zone": "Atlantis/Sunken"}, "until", "Give the day"),
        ({**UNTIL, "until_day": "2026-11-22"}, "days", "2 to 366 days from now"),
        ({**UNTIL, "rounds": "3"}, "days", "Only a game of one round"),
    ],
)
def test_what_cannot_be_is_told_at_its_field_and_stays_chosen(
    container: Container, ann: Browser, choices: dict[str, str], field: str, words: str
) -> None:
    answer = ann.press("/games/new", "/games/new", **{**PLAIN, **choices})
    assert answer.status_code == 422
    (wrong,) = [each for each in read(answer.text).all("p") if each.attributes.get("id")]
    assert wrong.attributes["id"] == f"{field}-wrong"
    assert words in wrong.text
    assert fields(answer.text).items() >= {**choices, "days": choices["days"]}.items()


def fields(page: str) -> dict[str, str]:
    """What a browser would send of the form for the clock."""
    found: dict[str, str] = {}
    (pace,) = [each for each in read(page).all("fieldset") if "pace" in _classes(each)]
    for field in pace.all("input"):
        kind, name = field.attributes.get("type"), field.attributes["name"]
        if kind not in ("radio", "checkbox") or "checked" in field.attributes:
            found[name] = field.attributes.get("value", "on")
    (rounds,) = [each for each in read(page).all("select") if each.attributes["name"] == "rounds"]
    for option in rounds.all("option"):
        if "selected" in option.attributes:
            found["rounds"] = option.attributes["value"]
    return found


def _classes(element: Element) -> list[str]:
    return element.attributes.get("class", "").split()


def test_sleeping_hours_and_vacations_do_not_count_unless_that_is_changed(ann: Browser) -> None:
    suggested = fields(ann.get("/games/new"))
    assert suggested["days"] == "7"
    assert {"sleeping_hours", "vacations"} <= suggested.keys()
    assert not {"weekends_off", "claim"} & suggested.keys()


def test_a_fixed_end_is_by_the_clock_of_the_zone_that_the_player_chose(ann: Browser) -> None:
    ann.container.mail_preferences.set_choice(ann.player, {"time_zone": "Asia/Tokyo"})
    page = ann.get("/games/new")
    assert fields(page)["zone"] == "Asia/Tokyo"
    assert "In <span>Asia/Tokyo</span>." in page
    until = {name: value for name, value in UNTIL.items() if name != "zone"}
    assert asked(ann.container, ann, **until) == {"until": "2026-12-31T11:00:00Z"}


@pytest.mark.parametrize(
    ("terms", "shown", "words"),
    [
        (
            {"bank_days": 21, "increment_hours": 6, "cap_days": 30, "weekends_off": True},
            {**BANK, "weekends_off": "on"},
            "21 days for all turns of a player, and 6 hours more with each, up to 30 days; "
            "the clock stops at weekends",
        ),
        ({"bank_days": 1}, {**BANK, **NO_HOURS, "bank_days": "1"}, "1 day for all turns"),
        (
            {"until": "2026-12-31T19:00:00Z", "time_out": "claim"},
            {**UNTIL, "claim": "on"},
            "the game ends on Thu 31 Dec 2026, 20:00 (Europe/Berlin); a win on time has to be",
        ),
    ],
)
def test_a_counter_offer_begins_with_the_clock_of_the_challenge(
    server: Server, ann: Browser, terms: dict[str, Any], shown: dict[str, str], words: str
) -> None:
    bob = browser_of(server.app, server.container, "Bob")
    server.container.mail_preferences.set_choice(bob.player, {"time_zone": "Europe/Berlin"})
    made = server.container.games.challenges.make(ann.player, bob.player, NewGame(clock=terms))
    page = bob.get(f"/challenges/{made.id}")
    assert words in " ".join(re.sub("</?time[^>]*>", "", page).split())
    known = fields(page)
    assert known.items() >= shown.items()
    assert {"sleeping_hours", "vacations"}.isdisjoint(known)

    sent = {**hidden(page), **PLAIN, **known}
    counter = bob.client.post(f"/challenges/{made.id}/counter-offer", data=sent)
    offered = server.container.games.challenges.find((counter.location or "")[-20:], ann.player)
    assert offered.wanted.clock == terms


def test_a_counter_offer_with_a_clock_that_cannot_be_is_told(app: Flask, ann: Browser) -> None:
    bob = browser_of(app, ann.container, "Bob")
    made = ann.container.games.challenges.make(ann.player, bob.player, NewGame())
    path = f"/challenges/{made.id}"
    answer = bob.press(
        path, f"{path}/counter-offer", **{**PLAIN, **UNTIL, "until_day": "2029-01-01"}
    )
    assert answer.status_code == 422
    assert "2 to 366 days from now" in answer.text
