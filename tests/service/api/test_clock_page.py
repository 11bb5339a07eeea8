"""docs/clock.md: what it shows of clocks is what the server shows."""

import json
import re
from typing import Any

import pytest

from tests.support.clock import Clock
from tests.support.people import Person, Started
from tests.support.processes import ROOT

PAGE = (ROOT / "docs" / "clock.md").read_text()
CLOCKS = re.findall(r"`(\{[^`]+\})`", PAGE)
BANKS, PAUSES, CALENDARS = map(json.loads, re.findall(r"```json\n(.*?)```", PAGE, re.S))
TWO_DAYS = 2 * 86_400


@pytest.mark.parametrize("asked", sorted(set(CLOCKS)))
def test_each_clock_can_be_had_and_is_shown_as_asked(ada: Person, asked: str) -> None:
    made = ada.post("/games", {"clock": json.loads(asked)})
    assert (made.status_code, made.json["clock"]) == (201, json.loads(asked))


def after_two_days(ada: Person, bob: Person, clock: Clock, asked: dict[str, Any]) -> Started:
    game = Started(ada, bob, clock=asked)
    clock.time += TWO_DAYS
    assert game.play_any().status_code == 200
    return game


def shown(game: Started, part: dict[str, Any]) -> dict[str, Any]:
    return {name: game.view()[name] for name in part}


def test_banks_and_pauses_are_as_the_page_shows_them(
    ada: Person, bob: Person, clock: Clock
) -> None:
    game = after_two_days(ada, bob, clock, BANKS["clock"])
    assert shown(game, BANKS) == BANKS
    for person in (ada, bob):
        person.post(f"{game.path}/offers", {"kind": "pause", "until": "2026-12-20T12:00:00Z"})
    assert shown(game, PAUSES) == PAUSES
    bob.post(f"{game.path}/clock", {"resume": True})
    for person in (ada, bob):
        person.post(f"{game.path}/offers", {"kind": "pause"})
    view = game.view()
    assert (view["deadline"], view["clock_state"]["paused"]["to"]) == (None, None)
    assert game.play_any().status_code == 200


def test_calendars_are_as_the_page_shows_them(ada: Person, bob: Person, clock: Clock) -> None:
    asleep = CALENDARS["clock_state"]["calendars"]["south"]
    assert bob.put("/me/calendar", asleep).status_code == 200
    game = after_two_days(ada, bob, clock, CALENDARS["clock"])
    assert shown(game, CALENDARS) == CALENDARS
