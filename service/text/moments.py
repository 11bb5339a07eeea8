"""Moments and lengths of time in words, in a time zone: for pages and mails alike.

Names of days and months are messages, and so is the order of a date's parts: each language has its
own. A moment is text of the log, such as `2026-11-24T12:00:00Z`.
"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, Protocol

from service.core.times import DAY, HOUR, MINUTE
from service.core.words import N_, Words

# fmt: off
_DAYS: Final = (
    N_("Monday"), N_("Tuesday"), N_("Wednesday"), N_("Thursday"), N_("Friday"), N_("Saturday"),
    N_("Sunday"),
)
_SHORT_DAYS: Final = (
    N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"),
)
_MONTHS: Final = (
    N_("January"), N_("February"), N_("March"), N_("April"), N_("May"), N_("June"), N_("July"),
    N_("August"), N_("September"), N_("October"), N_("November"), N_("December"),
)
_SHORT_MONTHS: Final = (
    N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun"), N_("Jul"), N_("Aug"),
    N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec"),
)
# fmt: on


class MomentWords(Protocol):
    """Puts a moment of the log into words; `is_end`: as the end of a span."""

    def __call__(self, text: str, /, *, is_end: bool = False) -> str: ...


def moment(words: Words, text: str, zone: tzinfo = UTC) -> str:
    """A moment in full: `Tuesday 24 November 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    date = _date(words, at, words.say(_DAYS[at.weekday()]), words.say(_MONTHS[at.month - 1]))
    return words.say("%(date)s, %(time)s (%(zone)s)", date=date, time=_hour(at), zone=zone)


def short_moment(words: Words, text: str, zone: tzinfo) -> str:
    """A moment in a shorter form: `Tue 24 Nov 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    date = _short_date(words, at)
    return words.say("%(date)s, %(time)s (%(zone)s)", date=date, time=_hour(at), zone=zone)


def end_moment(words: Words, text: str, zone: tzinfo) -> str:
    """The end of a span, in the short form. Midnight is the end of the day before it: `the end of
    Sat 28 Nov 2026 (UTC)`."""
    at = _at(text, zone)
    if at.time() != time():
        return short_moment(words, text, zone)
    date = _short_date(words, at - timedelta(days=1))
    # Note: in sentences such as "The clock is paused until …"
    return words.say("the end of %(date)s (%(zone)s)", date=date, zone=zone)


def words_in(words: Words, zone: tzinfo) -> MomentWords:
    """Return a function that puts moments into words, in this zone."""

    def put(text: str, /, *, is_end: bool = False) -> str:
        return (end_moment if is_end else short_moment)(words, text, zone)

    return put


def time_until(words: Words, text: str, zone: tzinfo, now: float) -> str:
    """The time left, and its end: `2 d 23 h left · until Wed 25 Nov 09:50`.

    The zone is left out if the reader has chosen one, because they live in it. The year is left out
    if it is this one.
    """
    left = time_left(words, _at(text, zone).timestamp() - now)
    return words.say("%(left)s · until %(moment)s", left=left, moment=by(words, text, zone, now))


def by(words: Words, text: str, zone: tzinfo, now: float) -> str:
    """A moment for use after "by", without year or zone if possible: `Wed 25 Nov 09:50`."""
    at, today = _at(text, zone), datetime.fromtimestamp(now, zone)
    date = _day_and_month(words, at) if at.year == today.year else _short_date(words, at)
    hour = f"{_hour(at)} UTC" if str(zone) == "UTC" else _hour(at)
    return words.say("%(date)s %(time)s", date=date, time=hour)


def time_left(words: Words, seconds: float) -> str:
    """The time left, in words: `2 d 23 h left`, or `time is up`."""
    if seconds <= 0:
        return words.say("time is up")
    return words.say("%(span)s left", span=short_span(words, seconds))


def short_span(words: Words, seconds: float) -> str:
    """A length of time in its two largest units, or one: `2 d 23 h`, `5 h 12 min`, `3 days`.

    Days are rounded to the nearest hour, hours to the nearest minute: of three days, `3 days` are
    left after ten minutes. Below an hour, minutes are rounded down.
    """
    if seconds >= DAY - MINUTE / 2:
        days, hours = divmod(int(seconds / HOUR + 0.5), 24)
        if hours:
            return words.say("%(days)s d %(hours)s h", days=days, hours=hours)
        return words.plural("%(number)s day", "%(number)s days", days)
    if seconds >= HOUR - MINUTE / 2:
        hours, minutes = divmod(int(seconds / MINUTE + 0.5), 60)
        if minutes:
            return words.say("%(hours)s h %(minutes)s min", hours=hours, minutes=minutes)
        return words.plural("%(number)s hour", "%(number)s hours", hours)
    if seconds >= MINUTE:
        return words.plural("%(number)s minute", "%(number)s minutes", int(seconds // MINUTE))
    return words.say("less than a minute")


def duration(words: Words, seconds: int) -> str:
    """A length of time in all its units: `2 days and 3 hours`."""
    days, rest = divmod(seconds, DAY)
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    parts = [
        words.plural("%(number)s day", "%(number)s days", days) if days else "",
        words.plural("%(number)s hour", "%(number)s hours", hours) if hours else "",
        words.plural("%(number)s minute", "%(number)s minutes", minutes) if minutes else "",
        words.plural("%(number)s second", "%(number)s seconds", rest) if rest else "",
    ]
    return words.joined(filter(None, parts)) or words.say("no time")


def ago(words: Words, seconds: float) -> str:
    """How long ago something was, in its largest unit: `3 hours ago`, `just now`."""
    if seconds >= DAY:
        return words.plural("%(number)s day ago", "%(number)s days ago", int(seconds // DAY))
    if seconds >= HOUR:
        return words.plural("%(number)s hour ago", "%(number)s hours ago", int(seconds // HOUR))
    if seconds >= MINUTE:
        minutes = int(seconds // MINUTE)
        return words.plural("%(number)s minute ago", "%(number)s minutes ago", minutes)
    return words.say("just now")


def near_moment(words: Words, text: str, zone: tzinfo) -> str:
    """A moment within a week: `Wed 09:50`."""
    at = _at(text, zone)
    day = words.say(_SHORT_DAYS[at.weekday()])
    return words.say("%(weekday)s %(time)s", weekday=day, time=_hour(at))


def far_moment(words: Words, text: str, zone: tzinfo) -> str:
    """A moment within a year: `Wed 2 Dec, 09:50`."""
    at = _at(text, zone)
    return words.say("%(date)s, %(time)s", date=_day_and_month(words, at), time=_hour(at))


def day(words: Words, text: str, zone: tzinfo) -> str:
    """The date of a moment in this zone: `24 Nov 2026`."""
    at = _at(text, zone)
    month = words.say(_SHORT_MONTHS[at.month - 1])
    return words.say("%(day)s %(month)s %(year)s", day=at.day, month=month, year=at.year)


def long_day(words: Words, at: date) -> str:
    """A date in full: `24 November 2026`."""
    month = words.say(_MONTHS[at.month - 1])
    return words.say("%(day)s %(month)s %(year)s", day=at.day, month=month, year=at.year)


def clock_time(words: Words, text: str, zone: tzinfo) -> str:
    """A moment within a day: `09:50`."""
    return _hour(_at(text, zone))


def _date(words: Words, at: datetime, weekday: str, month: str) -> str:
    return words.say(
        "%(weekday)s %(day)s %(month)s %(year)s",
        weekday=weekday,
        day=at.day,
        month=month,
        year=at.year,
    )


def _short_date(words: Words, at: datetime) -> str:
    weekday, month = _SHORT_DAYS[at.weekday()], _SHORT_MONTHS[at.month - 1]
    return _date(words, at, words.say(weekday), words.say(month))


def _day_and_month(words: Words, at: datetime) -> str:
    weekday, month = words.say(_SHORT_DAYS[at.weekday()]), words.say(_SHORT_MONTHS[at.month - 1])
    return words.say("%(weekday)s %(day)s %(month)s", weekday=weekday, day=at.day, month=month)


def _hour(at: datetime) -> str:
    return f"{at:%H:%M}"


def _at(text: str, zone: tzinfo) -> datetime:
    return datetime.fromisoformat(text).astimezone(zone)
