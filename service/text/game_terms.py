"""Moments, and the kind of a game, in a player's words: for pages and mails alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any, Final, NamedTuple

from engine.clock_form import AgreedClock
from service.core.times import DAY, HOUR, MINUTE


def moment(text: str, zone: tzinfo = UTC) -> str:
    """A moment of the log for a person: `Tuesday 24 November 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} ({zone})"


def short_moment(text: str, zone: tzinfo) -> str:
    """A moment of the log in a shorter form: `Tue 24 Nov 2026, 12:00 (UTC)`."""
    at = _at(text, zone)
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M} ({zone})"


def end_moment(text: str, zone: tzinfo) -> str:
    """The end of a span, in the short form. Midnight is the end of the day before it: `the end of
    Sat 28 Nov 2026 (UTC)`."""
    at = _at(text, zone)
    if at.time() != time():
        return short_moment(text, zone)
    last = at.date() - timedelta(days=1)
    return f"the end of {last:%a} {last.day} {last:%b %Y} ({zone})"


def time_until(text: str, zone: tzinfo, now: float) -> str:
    """The time left, and its end: `2 d 23 h left · until Wed 25 Nov 09:50`.

    The zone is left out if the reader has chosen one, because they live in it. The year is left out
    if it is this one.
    """
    return f"{time_left(_at(text, zone).timestamp() - now)} · until {by(text, zone, now)}"


def by(text: str, zone: tzinfo, now: float) -> str:
    """A moment for use after "by", without year or zone if possible: `Wed 25 Nov 09:50`."""
    at, today = _at(text, zone), datetime.fromtimestamp(now, zone)
    year = "" if at.year == today.year else f" {at.year}"
    return f"{at:%a} {at.day} {at:%b}{year} {at:%H:%M}{' UTC' if str(zone) == 'UTC' else ''}"


def time_left(seconds: float) -> str:
    """The time left, in words: `2 d 23 h left`, or `time is up`."""
    return f"{short_span(seconds)} left" if seconds > 0 else "time is up"


def short_span(seconds: float) -> str:
    """A length of time in its two largest units, or one: `2 d 23 h`, `5 h 12 min`, `3 days`.

    Days are rounded to the nearest hour, hours to the nearest minute: of three days, `3 days` are
    left after ten minutes. Below an hour, minutes are rounded down.
    """
    for size, unit, part, smaller in ((DAY, "day", HOUR, "h"), (HOUR, "hour", MINUTE, "min")):
        if seconds >= size - MINUTE / 2:
            whole, rest = divmod(int(seconds / part + 0.5), size // part)
            return f"{whole} {unit[0]} {rest} {smaller}" if rest else counted(whole, unit)
    return counted(int(seconds // MINUTE), "minute") if seconds >= MINUTE else "less than a minute"


def counted(number: int, what: str) -> str:
    """A number of things, in singular or plural: `1 game`, `2 games`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def near_moment(text: str, zone: tzinfo) -> str:
    """A moment within a week: `Wed 09:50`."""
    return f"{_at(text, zone):%a %H:%M}"


def far_moment(text: str, zone: tzinfo) -> str:
    """A moment within a year: `Wed 2 Dec, 09:50`."""
    at = _at(text, zone)
    return f"{at:%a} {at.day} {at:%b, %H:%M}"


def day(text: str, zone: tzinfo) -> str:
    """The date of a moment in this zone: `24 Nov 2026`."""
    at = _at(text, zone)
    return f"{at.day} {at:%b %Y}"


def clock_time(text: str, zone: tzinfo) -> str:
    """A moment within a day: `09:50`."""
    return f"{_at(text, zone):%H:%M}"


def _at(text: str, zone: tzinfo) -> datetime:
    return datetime.fromisoformat(text).astimezone(zone)


class EditionWords(NamedTuple):
    """An edition for people: its title, and its differences."""

    title: str
    about: str


EDITION_WORDS: Final = {
    "iello": EditionWords(
        "Modern rules",
        "The box of 2016, and the usual choice: play a card, claim what you can prove, draw.",
    ),
    "bga": EditionWords(
        "Rules of Board Game Arena",
        "Only Tactic cards differ: you may play the second Joker once the first has left the table,"
        " and a Traitor always moves a card to another Stone.",
    ),
    "reference-card": EditionWords(
        "Rules of the reference card",
        "Plays exactly like the modern rules; only the wording is shorter.",
    ),
    "scottentots": EditionWords(
        "First edition, 1999",
        "Claim before you play, so the other player has a turn to answer. No Tactic cards.",
    ),
    "community": EditionWords(
        "Claim at any time",
        "Claim before or after you play, until you draw. You may play the second Joker once the"
        " first has left the table.",
    ),
}
"""Each edition by its name in the rules."""
CLOCKS: Final = {1: "1 day", 3: "3 days", 7: "a week", 14: "two weeks"}
"""The days per turn that a page offers, with their labels."""


_ENDLESS: Final = "no time limit"
_UNCOUNTED: Final = {
    "weekends_off": "at weekends",
    "sleeping_hours": "at night",
    "vacations": "on vacation",
}
_TO_SET: Final = {"sleeping_hours": "nights", "vacations": "vacations"}
"""The options of `_UNCOUNTED` whose times each player sets."""
_RATED: Final = {True: "rated", False: "unrated"}
BOT_DECLINES: Final = "This game is rated, so the bot agrees to nothing: play on, or resign."
"""Why a bot of the server neither abandons a game nor pauses its clock."""


def edition_title(edition: str) -> str:
    """The title of an edition; for an unknown one, its name in the rules."""
    words = EDITION_WORDS.get(edition)
    return words.title if words else edition


def pace(
    clock: AgreedClock | None, when: Callable[[str], str] = moment, *, is_running: bool = False
) -> str:
    """Describe the time for a turn: `3 days for each turn`. `when` formats a fixed end.

    A running clock "stops at night". The clock of an offer "stops for nights you set": each player
    sets their own.
    """
    if clock is None:
        return _ENDLESS
    return "; ".join([_time(clock, when), *_conditions(clock, is_running)])


def without_deadline(clock: AgreedClock | None) -> str:
    """The reason why a turn of a game with this clock has no deadline now."""
    return _ENDLESS if clock is None else "the clock is paused"


def _time(clock: AgreedClock, when: Callable[[str], str]) -> str:
    if "until" in clock:
        return f"the game ends on {when(clock['until'])}"
    if "bank_days" in clock:
        more = clock.get("increment_hours")
        cap = clock.get("cap_days")
        return (
            f"{_days(clock['bank_days'])} for all turns of a player"
            + (f", and {more} hour{'s' if more > 1 else ''} more with each" if more else "")
            + (f", up to {_days(cap)}" if more and cap else "")
        )
    days = clock["days_per_move"]
    return f"{CLOCKS.get(days, _days(days))} for each turn"


def _days(days: int) -> str:
    return "1 day" if days == 1 else f"{days} days"


def _conditions(clock: AgreedClock, is_running: bool) -> Iterator[str]:
    agreed = {option: words for option, words in _UNCOUNTED.items() if clock.get(option)}
    to_set = [] if is_running else [words for option, words in _TO_SET.items() if option in agreed]
    stops = [words for option, words in agreed.items() if is_running or option not in _TO_SET]
    if to_set:
        stops.append(f"for {join_words(to_set)} you set")
    if stops:
        yield f"the clock stops {join_words(stops)}"
    if clock.get("time_out") != "claim":
        if "until" in clock:
            yield "whoever is to move then loses"
    else:
        yield "a win on time has to be claimed"


def terms(game: Mapping[str, Any], when: Callable[[str], str] = moment) -> list[str]:
    """The kind of game in a summary, an offer or a challenge, term by term."""
    rounds = game["rounds"]
    parts = [
        edition_title(game["edition"]),
        "with Tactic cards" if game["tactics"] else "",
        "Expert (claims before playing)" if game["expert"] else "",
        f"a match of {rounds} rounds" if rounds > 1 else "",
        _RATED[game["rated"]] if "rated" in game else "",
        pace(game["clock"], when) if "clock" in game else "",
    ]
    return [part for part in parts if part]


def described(game: Mapping[str, object], when: Callable[[str], str] = moment) -> str:
    """The kind of game in one line."""
    return ", ".join(terms(game, when))


def end_offered(*, to_bot: bool) -> str:
    """What follows an offer to abandon the game; a bot gets one in unrated games only."""
    if to_bot:
        return "The bot agrees at once: the game ends and nobody wins this round."
    return (
        "If the other player agrees, the game ends, nobody wins this round, and the game does not"
        " count for ratings."
    )


def first_player(first: str, maker: str) -> str:
    """Say who begins: `Ann plays first`. Empty if `first` is `random`.

    `maker` is the name of the player who made the offer.
    """
    by_maker = {"creator": f"{maker} plays first", "opponent": f"{maker} plays second"}
    return {**by_maker, "scotland": "whoever was near Scotland last plays first"}.get(first, "")


def join_words(items: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, end = [*items] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


USUAL: Final = {
    edition_title("iello"),
    *_conditions({"sleeping_hours": True, "vacations": True}, is_running=False),
}
"""The terms that pages do not mention: those of a game for which nothing else was chosen."""
