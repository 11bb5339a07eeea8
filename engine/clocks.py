"""A clock's commands and events, converted into each other without reading the clock.

The rules know no time. They only check that these events occur in a game being played, and hold
sensible values.
"""

from engine.cards import OTHER
from engine.clock_events import (
    MOST_MINUTES_ASLEEP,
    MOST_SECONDS,
    REASONS,
    CalendarChanged,
    ClockAdjusted,
    ClockMoved,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from engine.commands import (
    AdjustClock,
    ChangeCalendar,
    ClockCommand,
    GiveTime,
    HoldFlag,
    MoveClock,
    PauseClock,
    ResumeClock,
)
from engine.errors import illegal
from engine.events import ClockEvent, Event
from engine.game import Game


def clock_event(game: Game, command: ClockCommand) -> ClockEvent:
    """The event of `command` in a game being played. Raises `RuleBroken`."""
    match command:
        case ChangeCalendar(seat, zone, sleep, vacations, next_turn):
            _check_calendar(command)
            return CalendarChanged(seat, zone, sleep, vacations, next_turn)
        case GiveTime(seat, seconds):
            _check_seconds("time-given", seconds)
            return TimeGiven(seat, OTHER[seat], seconds)
        case MoveClock(seat, seconds):
            _check_seconds("clock-moved", seconds)
            return ClockMoved(seat, seconds)
        case PauseClock(seat, until):
            return ClockPaused(seat, until)
        case ResumeClock(seat):
            return ClockResumed(seat)
        case AdjustClock(seat, reason, since, until):
            _check_adjustment(command)
            return ClockAdjusted(seat, reason, since, until)
        case HoldFlag(seat, until):
            if seat != game.turn:
                raise illegal("flag-held", "Only the time of the player to move can be up.")
            return FlagHeld(seat, until)


def clock_command(event: Event) -> ClockCommand | None:
    """The command of this clock event; None for every other event."""
    match event:
        case CalendarChanged(by, zone, sleep, vacations, next_turn):
            return ChangeCalendar(by, zone, sleep, vacations, next_turn)
        case TimeGiven(by, _, seconds):
            return GiveTime(by, seconds)
        case ClockMoved(by, seconds):
            return MoveClock(by, seconds)
        case ClockPaused(by, until):
            return PauseClock(by, until)
        case ClockResumed(by):
            return ResumeClock(by)
        case ClockAdjusted(seat, reason, since, until):
            return AdjustClock(seat, reason, since, until)
        case FlagHeld(seat, until):
            return HoldFlag(seat, until)
    return None


def _check_seconds(refusal: str, seconds: int) -> None:
    if not 1 <= seconds <= MOST_SECONDS:
        raise illegal(refusal, "It is at least a second, and no more than a year.")


def _check_calendar(command: ChangeCalendar) -> None:
    # Moments have one form, so their texts sort like the moments.
    if command.sleep is not None and not 0 < _minutes(*command.sleep) <= MOST_MINUTES_ASLEEP:
        raise illegal(
            "calendar", "Sleeping hours are %(most)s at most.", most=MOST_MINUTES_ASLEEP // 60
        )
    if any(first >= last for first, last in command.vacations):
        raise illegal("calendar", "A vacation ends after it begins.")


def _minutes(falls_asleep: str, wakes: str) -> int:
    begin, end = (int(text[:2]) * 60 + int(text[3:]) for text in (falls_asleep, wakes))
    return (end - begin) % (24 * 60)


def _check_adjustment(command: AdjustClock) -> None:
    if command.reason not in REASONS:
        raise illegal(
            "clock-adjusted", "The reason is one of %(reasons)s.", reasons=", ".join(REASONS)
        )
    if command.since >= command.until:
        raise illegal("clock-adjusted", "An interval ends after it begins.")
