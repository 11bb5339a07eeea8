"""Reads days as people write them: by a date, or by the name of a weekday."""

import re
from contextlib import suppress
from datetime import date, timedelta
from typing import Final, NamedTuple

from letters.words import words

_LEAP: Final = 9
"""Years within which every day of a year occurs, 29 February too."""
_LONGEST_WAIT: Final = 63
"""Days within which every day of a month occurs, a 31st too."""
_LAST: Final = 31


class Day(NamedTuple):
    """A day as somebody writes it; without a year it is the next such day."""

    month: int
    day: int
    year: int | None = None

    def after(self, today: date) -> date:
        """Return the day in its year, or the next such day from `today` on. Raises ValueError if
        there is none."""
        if self.year is not None:
            return date(self.year, self.month, self.day)
        for year in range(today.year, today.year + _LEAP):
            with suppress(ValueError):
                if (day := date(year, self.month, self.day)) >= today:
                    return day
        raise ValueError("no year has this day")


class Weekday(NamedTuple):
    """A day by its name, from 0 for Monday; it is the next such day."""

    number: int

    def after(self, today: date) -> date:
        """Return the first such day after `today`."""
        return today + timedelta(days=(self.number - today.weekday() - 1) % 7 + 1)


class DayOfMonth(NamedTuple):
    """A day by its number alone, as "the 10th"; it is the next such day."""

    day: int

    def after(self, today: date) -> date:
        """Return the first such day after `today`."""
        days = (today + timedelta(days=more) for more in range(1, _LONGEST_WAIT))
        return next(day for day in days if day.day == self.day)


AnyDay = Day | Weekday | DayOfMonth

_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_MONTH: Final = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DAY_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        r"(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)",
        rf"(?:the )?(?P<d>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<m>{_MONTH})\.?(?:,? (?P<y>\d{{4}}))?",
        rf"(?P<m>{_MONTH})\.? (?P<d>\d\d?)(?:st|nd|rd|th)?(?:,? (?P<y>\d{{4}}))?",
        r"(?P<d>\d\d?)\. ?(?P<m>\d\d?)(?:\.(?: ?(?P<y>\d{4}))?)?",
    )
)
"""Forms of days. Days with slashes are not read: 3/4 is in March here and in April there."""
_OF_MONTH: Final = re.compile(r"the (?P<d>\d\d?)(?:st|nd|rd|th)")
_WEEKDAYS: Final = {
    name: number
    for row in words("days", "weekdays").split("\n")
    for number, names in enumerate(row.split(" "))
    for name in names.split("/")
}


def day_of(text: str | None) -> AnyDay | None:
    """Return the day that a text in lower case names; None if it names none."""
    if text in _WEEKDAYS:
        return Weekday(_WEEKDAYS[text])
    number = _OF_MONTH.fullmatch(text or "")
    if number is not None and 1 <= int(number["d"]) <= _LAST:
        return DayOfMonth(int(number["d"]))
    match = next((one for form in _DAY_FORMS if (one := form.fullmatch(text or ""))), None)
    if match is None:
        return None
    month = _MONTHS.get(match["m"][:3]) or (int(match["m"]) if match["m"].isdigit() else 0)
    day = Day(month, int(match["d"]), int(match["y"]) if match["y"] else None)
    try:
        day.after(date.min)
    except ValueError:
        return None
    return day
