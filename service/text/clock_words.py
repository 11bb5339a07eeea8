"""What happened to a game's clock, in sentences."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine import Event
from engine.clock_events import (
    CalendarChanged,
    ClockAdjusted,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from service.core.durations import DAY, HOUR, MINUTE

Names = Mapping[str, str]

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


def utc(text: str) -> str:
    """A moment of the log in a sentence that everybody reads."""
    return f"{text[:10]} {text[11:16]} UTC"


def _calendar(event: CalendarChanged, names: Names) -> str:
    parts = [f"time zone {event.zone}"]
    if event.sleep is not None:
        parts.append(f"sleeping hours {event.sleep[0]} to {event.sleep[1]}")
    parts += (f"vacation {utc(first)} to {utc(last)}" for first, last in event.vacations)
    return f"{names[event.by]}'s calendar from here on: {', '.join(parts)}."


def _given(event: TimeGiven, names: Names) -> str:
    return f"{names[event.by]} gave {names[event.seat]} {duration(event.seconds)} more."


def _paused(event: ClockPaused, names: Names) -> str:
    until = f" until {utc(event.until)}" if event.until else ""
    return f"{names[event.by]} agreed: the clock is paused{until}."


def _resumed(event: ClockResumed, names: Names) -> str:
    who = names[event.by] if event.by else "The server"
    return f"{who} let the clock run again."


def _adjusted(event: ClockAdjusted, names: Names) -> str:
    span = f"{utc(event.since)} to {utc(event.until)}"
    if event.reason == "outage":
        return f"The server was away: {span} does not count."
    who = names[event.seat] if event.seat else "the player"
    if event.reason == "vacation":
        return f"{who}'s time was out, and a vacation began by itself: {span} does not count."
    return f"{who} had not been told of the turn: {span} does not count."


def _held(event: FlagHeld, names: Names) -> str:
    who = names[event.seat]
    return (
        f"{who}'s time is up, but {who} has not been told of the turn: "
        f"nothing ends before {utc(event.until)}."
    )


CLOCK_SENTENCES: Final[dict[type[Event], Callable[[Any, Names], str]]] = {
    CalendarChanged: _calendar,
    TimeGiven: _given,
    ClockPaused: _paused,
    ClockResumed: _resumed,
    ClockAdjusted: _adjusted,
    FlagHeld: _held,
}
