"""The kind of a game in a player's words."""

import pytest

from engine.clock_events import AgreedClock
from service.core.words import ENGLISH
from service.text.game_terms import described, pace, terms

PLAIN = {"edition": "iello", "tactics": False, "expert": False, "rounds": 1, "clock": None}


@pytest.mark.parametrize(
    ("options", "offered", "running"),
    [
        ({}, "", ""),
        ({"weekends_off": True}, "; the clock stops at weekends", "; the clock stops at weekends"),
        (
            {"sleeping_hours": True, "vacations": True},
            "; the clock stops for nights and vacations, if you set any",
            "; the clock stops at night and on vacation",
        ),
        (
            {"weekends_off": True, "sleeping_hours": True},
            "; the clock stops at weekends and for nights, if you set any",
            "; the clock stops at weekends and at night",
        ),
    ],
)
def test_an_offer_promises_nights_only_to_those_who_set_them(
    options: dict[str, bool], offered: str, running: str
) -> None:
    clock: AgreedClock = {"days_per_move": 3, **options}  # type: ignore[typeddict-item]
    assert pace(ENGLISH, clock) == f"3 days for each turn{offered}"
    assert pace(ENGLISH, clock, is_running=True) == f"3 days for each turn{running}"


@pytest.mark.parametrize(("rated", "word"), [(True, "rated"), (False, "unrated")])
def test_the_terms_say_whether_a_game_is_rated(rated: bool, word: str) -> None:
    assert terms(ENGLISH, {**PLAIN, "rated": rated}) == ["Modern rules", word, "no time limit"]
    assert described(ENGLISH, {**PLAIN, "rated": rated}) == f"Modern rules, {word}, no time limit"
