"""Events of a game's clock, in sentences."""

from collections.abc import Callable, Mapping
from datetime import tzinfo
from typing import Any, Final, Protocol

from engine import Event
from engine.clock_events import (
    CalendarChanged,
    ClockAdjusted,
    ClockMoved,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from service.core.durations import DAY, HOUR, MINUTE
from service.text.moments import end_moment, short_moment

Names = Mapping[str, str]


class MomentWords(Protocol):
    """Puts a moment of the log into words; `is_end`: as the end of a span."""

    def __call__(self, text: str, /, *, is_end: bool = False) -> str: ...


_UNITS: Final = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (1, "second"))


def duration(seconds: int) -> str:
    """A length of time: `2 days and 3 hours`."""
    parts, left = list[str](), seconds
    for length, unit in _UNITS:
        count, left = divmod(left, length)
        if count:
            parts.append(f"{count} {unit}{'s' if count > 1 else ''}")
    *others, last = parts or ["no time"]
    return f"{', '.join(others)} and {last}" if others else last


def words_in(zone: tzinfo) -> MomentWords:
    """Return a function that puts moments into words, in this zone."""

    def words(text: str, /, *, is_end: bool = False) -> str:
        return (end_moment if is_end else short_moment)(text, zone)

    return words


def _within(name: str) -> str:
    """A name inside a sentence: `You` becomes lower case."""
    return "you" if name == "You" else name


def _whose(name: str) -> str:
    return "Your" if name == "You" else f"{name}'s"


def _calendar(event: CalendarChanged, names: Names, when: MomentWords) -> str:
    """A sentence about the parts of a calendar that count in a game; the zone is left out if
    nothing depends on it."""
    parts = [f"vacation from {when(first)} to {when(last)}" for first, last in event.vacations]
    if event.sleep is not None:
        parts.insert(0, "sleeping hours {} to {}".format(*event.sleep))
    if event.sleep is not None or event.zone != "UTC":
        parts.append(f"time zone {event.zone}")
    held = ", ".join(parts) or "no sleeping hours and no vacation"
    return f"{_whose(names[event.by])} calendar in this game: {held}."


def _given(event: TimeGiven, names: Names, when: MomentWords) -> str:
    return f"{names[event.by]} gave {_within(names[event.seat])} {duration(event.seconds)} more."


def _moved(event: ClockMoved, names: Names, when: MomentWords) -> str:
    return f"In this sandbox {_within(names[event.by])} let {duration(event.seconds)} pass."


def _paused(event: ClockPaused, names: Names, when: MomentWords) -> str:
    until = f" until {when(event.until, is_end=True)}" if event.until else ""
    return f"{names[event.by]} agreed: the clock is paused{until}."


def _resumed(event: ClockResumed, names: Names, when: MomentWords) -> str:
    who = names[event.by] if event.by else "The server"
    return f"{who} resumed the clock."


def _adjusted(event: ClockAdjusted, names: Names, when: MomentWords) -> str:
    span = f"{when(event.since)} to {when(event.until)}"
    if event.reason == "outage":
        return f"The server was away: {span} does not count."
    who = names[event.seat] if event.seat else "the player"
    if event.reason == "vacation":
        return f"{_whose(who)} time was out, and a vacation began by itself: {span} does not count."
    return f"{who} had not been told of the turn: {span} does not count."


def _held(event: FlagHeld, names: Names, when: MomentWords) -> str:
    who = names[event.seat]
    has = "you have" if who == "You" else f"{who} has"
    return (
        f"{_whose(who)} time is up, but {has} not been told of the turn: "
        f"nothing ends before {when(event.until)}."
    )


CLOCK_SENTENCES: Final[dict[type[Event], Callable[[Any, Names, MomentWords], str]]] = {
    CalendarChanged: _calendar,
    TimeGiven: _given,
    ClockMoved: _moved,
    ClockPaused: _paused,
    ClockResumed: _resumed,
    ClockAdjusted: _adjusted,
    FlagHeld: _held,
}
