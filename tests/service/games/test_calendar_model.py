"""Vacations that begin by themselves, where a player has asked for that."""

from service.core.times import DAY, HOUR
from service.games.calendar_store import PlayerCalendar, begun_by_itself
from tests.support.clock import NOON

OUT = int(NOON)
"""A second before time is out."""
ASKED = PlayerCalendar(by_itself=True)


def test_one_lasts_for_as_many_days_as_it_has_to() -> None:
    begun = begun_by_itself(ASKED, OUT, OUT + 3 * DAY + HOUR, 30)
    assert begun is not None
    assert begun[0].vacations == (begun[1],) == ((OUT, OUT + 4 * DAY),)


def test_one_that_was_not_asked_for_or_for_which_no_days_are_left_does_not_begin() -> None:
    assert begun_by_itself(PlayerCalendar(), OUT, OUT + HOUR, 30) is None
    assert begun_by_itself(ASKED, OUT, OUT + 3 * DAY + HOUR, 3) is None


def test_one_that_was_asked_for_once_time_was_out_does_not_begin() -> None:
    early, late = (PlayerCalendar(by_itself=True, asked=OUT + n) for n in (0, 1))
    assert begun_by_itself(early, OUT, OUT + HOUR, 30) is not None
    assert begun_by_itself(late, OUT, OUT + HOUR, 30) is None


def test_it_fills_the_gap_to_one_that_goes_on() -> None:
    """Time was out, nobody had seen to it, and then the player went away."""
    away = (OUT + HOUR, OUT + 5 * DAY)
    known = PlayerCalendar(vacations=(away,), by_itself=True)
    begun = begun_by_itself(known, OUT, OUT + 2 * DAY, 30)
    assert begun is not None
    assert begun[0].vacations == ((OUT, OUT + HOUR), away)
    again = begun_by_itself(begun[0], OUT, OUT + 2 * DAY, 30)
    assert again == (begun[0], (OUT, OUT + 5 * DAY))


def test_but_not_to_one_that_is_over() -> None:
    known = PlayerCalendar(vacations=((OUT + HOUR, OUT + DAY),), by_itself=True)
    assert begun_by_itself(known, OUT, OUT + 2 * DAY, 30) is None
