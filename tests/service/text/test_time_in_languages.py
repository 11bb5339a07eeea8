"""Lengths of time in every language: the number's form is right, and six days are never a week."""

import re

import pytest

from service.core.times import DAY, HOUR, MINUTE
from service.core.words import ENGLISH, Languages, Words
from service.text.game_terms import pace
from service.text.moments import ago, duration, short_span, time_left

LANGUAGES = Languages()
CODES = ("en", "fr", "de")
DAYS = range(1, 15)
WEEK = re.compile(r"\b(week|weeks|semaines?|Wochen?)\b", re.IGNORECASE)


def form(one: str, many: str, number: int) -> str:
    return f"{number} {one if number == 1 else many}"


UNITS = {
    "en": {DAY: ("day", "days"), HOUR: ("hour", "hours"), MINUTE: ("minute", "minutes")},
    "fr": {DAY: ("jour", "jours"), HOUR: ("heure", "heures"), MINUTE: ("minute", "minutes")},
    "de": {DAY: ("Tag", "Tage"), HOUR: ("Stunde", "Stunden"), MINUTE: ("Minute", "Minuten")},
}
LEFT = {"en": "{} left", "fr": "encore {}", "de": "noch {}"}
LENGTHS = [
    *((DAY, days) for days in DAYS),
    *((HOUR, hours) for hours in (1, 2, 12, 23)),
    *((MINUTE, minutes) for minutes in (1, 2, 30, 59)),
]


@pytest.fixture(params=CODES)
def words(request: pytest.FixtureRequest) -> Words:
    return LANGUAGES.words(request.param)


@pytest.mark.parametrize(("unit", "number"), LENGTHS)
def test_what_is_left_has_the_form_of_its_number(words: Words, unit: int, number: int) -> None:
    span = form(*UNITS[words.language][unit], number)
    assert short_span(words, unit * number) == span
    assert duration(words, unit * number) == span
    assert time_left(words, unit * number) == LEFT[words.language].format(span)


@pytest.mark.parametrize(("unit", "number"), LENGTHS)
def test_what_has_passed_is_a_message_of_its_own(words: Words, unit: int, number: int) -> None:
    one, many = UNITS[words.language][unit]
    if words.language == "de" and unit == DAY:
        many = "Tagen"  # “noch 2 Tage”, but “vor 2 Tagen”
    said = {"en": "{} ago", "fr": "il y a {}", "de": "vor {}"}[words.language]
    if words.language == "de" and unit != DAY and number == 1:
        one = {HOUR: "Stunde", MINUTE: "Minute"}[unit]
    assert ago(words, unit * number) == said.format(form(one, many, number))


@pytest.mark.parametrize("days", DAYS)
def test_only_seven_days_are_a_week_and_fourteen_are_two(words: Words, days: int) -> None:
    for_a_turn = pace(words, {"days_per_move": days})
    assert bool(WEEK.search(for_a_turn)) == (days in (7, 14))
    if days not in (7, 14):
        assert form(*UNITS[words.language][DAY], days) in for_a_turn
    for hours in (0, 1, 23):
        seconds = days * DAY + hours * HOUR
        for said in (short_span(words, seconds), time_left(words, seconds), ago(words, seconds)):
            assert not WEEK.search(said)
        assert str(days) in short_span(words, seconds)


def test_no_time_and_less_than_a_minute_have_words_without_a_number(words: Words) -> None:
    for said in (time_left(words, 0), short_span(words, 30), ago(words, 30), duration(words, 0)):
        assert said
        assert not re.search("[0-9]", said)
    if words is not ENGLISH:
        assert time_left(words, 0) != time_left(ENGLISH, 0)
