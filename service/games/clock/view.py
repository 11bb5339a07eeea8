"""The view of a game's clock, without its terms and the deadline."""

from collections.abc import Iterable, Iterator
from typing import Final

import engine
from service.core.durations import DAY
from service.core.timestamps import timestamp
from service.games.clock.calendar import Calendar
from service.games.clock.state import ClockState, Pause, change_calendar
from service.games.stored_game import StoredGame

MOST_PAUSES: Final = 20
_LOOKED_AHEAD: Final = 90 * DAY


def clock_state(stored: StoredGame) -> dict[str, object] | None:
    """The public state of a running clock; None without one.

    It depends on the version alone: nothing in it counts down.
    """
    clock = stored.clock
    if clock is None or clock.turn is None:
        return None
    paused, banks = clock.paused(), {seat: clock.side(seat).bank for seat in engine.SEATS}
    return {
        "turn_seconds": clock.allowed(),
        "banks": None if clock.terms.bank is None else banks,
        "paused": None if paused is None else _span(paused.start, paused.end),
        "pauses": [*_pauses(clock)][:MOST_PAUSES],
        "calendars": {seat: _calendar(clock, seat) for seat in engine.SEATS},
    }


def _pauses(clock: ClockState) -> Iterator[dict[str, object]]:
    """The pauses of this turn up to its end, without weekly ones."""
    since = clock.turn_since or 0
    until = clock.deadline() or since + _LOOKED_AHEAD
    pauses = sorted(clock.single_pauses(since, until), key=lambda pause: pause.start)
    for pause in _joined(pauses):
        yield {"reason": pause.reason, "seat": pause.seat, **_span(pause.start, pause.end)}


def _joined(pauses: Iterable[Pause]) -> list[Pause]:
    """These pauses in order, the parts of one vacation joined."""
    joined: list[Pause] = []
    for pause in pauses:
        last = joined[-1] if joined else None
        if last is not None and last[2:] == pause[2:] and last.end == pause.start:
            joined[-1] = last._replace(end=pause.end)
        else:
            joined.append(pause)
    return joined


def _span(start: int, end: int | None) -> dict[str, str | None]:
    return {"from": timestamp(start), "to": None if end is None else timestamp(end)}


def _calendar(clock: ClockState, seat: engine.Seat) -> dict[str, object] | None:
    calendar = clock.calendar(seat)
    if not clock.terms.has_calendar or calendar == Calendar():
        return None
    command = change_calendar(seat, calendar)
    return {
        "zone": command.zone,
        "sleep": None if command.sleep is None else dict(zip(_FROM_TO, command.sleep, strict=True)),
        "vacations": [dict(zip(_FROM_TO, vacation, strict=True)) for vacation in command.vacations],
    }


_FROM_TO: Final = ("from", "to")
