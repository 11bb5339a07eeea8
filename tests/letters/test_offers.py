"""A wish for a pause or an end in people's own words is asked about, with the day that it names."""

from datetime import date

import pytest

from letters.days import AnyDay, Day, DayOfMonth, Weekday
from letters.wishes import AskedWord, OfferPause
from tests.letters.reading import letter

DECEMBER = Day(12, 10)


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("Can we pause?", None),
        ("Hi Ben, can we pause the game please?\n\nAda", None),
        ("Shall we pause over Christmas?", None),
        ("Can we pause until 10 December? I'm on holiday.", DECEMBER),
        ("I'm on holiday until 10 December, can we pause?", DECEMBER),
        ("Offer a pause until 10 December. I'm on holiday.", DECEMBER),
        ("Could we take a break until Monday?", Weekday(0)),
        ("Can we pause the game until Friday please?", Weekday(4)),
        ("Can we pause until the 10th?", DayOfMonth(10)),
        ("Shall we pause over Christmas until 2 January?", Day(1, 2)),
        ("Können wir eine Pause machen?", None),
        ("Können wir bis 10. Dezember pausieren? Ich bin im Urlaub.", DECEMBER),
        ("Machen wir eine Pause bis Montag?", Weekday(0)),
        ("Est-ce qu’on peut faire une pause ?", None),
        ("On peut faire une pause jusqu'au 10 décembre ? Je suis en vacances.", DECEMBER),
    ],
)
def test_a_pause_is_proposed(said: str, until: AnyDay | None) -> None:
    assert letter(said).among == OfferPause(until)


@pytest.mark.parametrize(
    "said", ["Shall we call it a draw?", "Can we end the game here? I'm tired"]
)
def test_an_end_is_proposed(said: str) -> None:
    assert letter(said).among == AskedWord("offer an end")


@pytest.mark.parametrize(
    "said",
    [
        "Can we not pause?",
        "No pause please",
        "You asked whether we can pause. No.",
        "Can we pause until we are old?",
        "Can we pause until the 40th?",
        "Can we pause? Shall we end the game?",
        "How can we pause?",
    ],
)
def test_what_proposes_nothing_clear(said: str) -> None:
    assert letter(said).among is None


def test_a_weekday_is_the_next_one() -> None:
    tuesday = date(2026, 12, 1)
    assert Weekday(0).after(tuesday) == date(2026, 12, 7)
    assert Weekday(1).after(tuesday) == date(2026, 12, 8)
    assert Weekday(2).after(tuesday) == date(2026, 12, 2)


def test_a_number_alone_is_the_next_such_day() -> None:
    tuesday = date(2026, 12, 1)
    assert DayOfMonth(10).after(tuesday) == date(2026, 12, 10)
    assert DayOfMonth(1).after(tuesday) == date(2027, 1, 1)
    assert DayOfMonth(31).after(date(2027, 1, 31)) == date(2027, 3, 31)
