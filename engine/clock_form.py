"""The form of clocks in records: the agreed clock, and the clock's events."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict

from engine.cards import SEATS
from engine.clock_events import (
    CalendarChanged,
    ClockAdjusted,
    ClockMoved,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from engine.value_checks import (
    Check,
    Malformed,
    flag,
    list_of,
    matching,
    moment,
    object_of,
    one_of,
    or_null,
    pair_of,
    whole,
)

MOST_DAYS: Final = 366
MOST_DAYS_PER_MOVE: Final = 90
"""The slowest pace that players may choose."""
MOST_SECONDS: Final = MOST_DAYS * 86_400
MOST_VACATIONS: Final = 50
MOST_MINUTES_ASLEEP: Final = 10 * 60
REASONS: Final = ("outage", "untold", "vacation")
"""The reasons why an interval does not count: the server was silent; a player was not notified of a
turn; a vacation began automatically at the player's wish."""


class AgreedClock(TypedDict, total=False):
    """The clock that players agree on: `days_per_move`, `bank_days` or `until`, with options."""

    days_per_move: int
    bank_days: int
    """Days for a player's whole round."""
    increment_hours: int
    """Hours that each turn adds to the bank."""
    cap_days: int
    """The days up to which a bank fills."""
    until: str
    weekends_off: bool
    """Whether Saturdays and Sundays do not count."""
    sleeping_hours: bool
    """Whether sleeping hours do not count."""
    vacations: bool
    """Whether vacations do not count."""
    time_out: Literal["auto", "claim"]
    """What happens when time is out."""


_DAYS: Final = whole(1, MOST_DAYS)
_SEAT: Final = one_of(*SEATS)
_OPTIONS: Final[Mapping[str, Check]] = {
    "weekends_off": flag,
    "sleeping_hours": flag,
    "vacations": flag,
    "time_out": one_of("auto", "claim"),
}
_CLOCKS: Final[Mapping[str, Check]] = {
    "days_per_move": object_of({"days_per_move": _DAYS}, _OPTIONS),
    "bank_days": object_of(
        {"bank_days": _DAYS},
        {"increment_hours": whole(1, 24 * MOST_DAYS), "cap_days": _DAYS, **_OPTIONS},
    ),
    "until": object_of({"until": moment}, _OPTIONS),
}
"""The kinds of clock: each has one member of its own, and these checks of its members."""


def clock_terms(value: object, path: str) -> None:
    """Check the clock in the terms of a game. Raises `Malformed`."""
    kinds = [kind for kind in _CLOCKS if isinstance(value, dict) and kind in value]
    if len(kinds) != 1:
        raise Malformed(path, "not a clock")
    _CLOCKS[kinds[0]](value, path)


_ZONE: Final = matching(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", "not the name of a time zone")
_TIME: Final = matching(r"([01]\d|2[0-3]):[0-5]\d", "not a time of day, written 23:00")


def _zone(value: Any, path: str) -> None:
    _ZONE(value, path)
    if len(value) > 64:
        raise Malformed(path, "not the name of a time zone")


CLOCK_DATA: Final[Mapping[tuple[str, int], Check]] = {
    (CalendarChanged.TYPE, 1): object_of(
        {
            "zone": _zone,
            "sleep": or_null(pair_of(_TIME)),
            "vacations": list_of(pair_of(moment), 0, MOST_VACATIONS),
        },
        {"next_turn": flag},
    ),
    (TimeGiven.TYPE, 1): object_of({"seat": _SEAT, "seconds": whole(1, MOST_SECONDS)}),
    (ClockMoved.TYPE, 1): object_of({"seconds": whole(1, MOST_SECONDS)}),
    (ClockPaused.TYPE, 1): object_of({"until": or_null(moment)}),
    (ClockResumed.TYPE, 1): object_of({}),
    (ClockAdjusted.TYPE, 1): object_of(
        {"seat": or_null(_SEAT), "reason": one_of(*REASONS), "from": moment, "to": moment}
    ),
    (FlagHeld.TYPE, 1): object_of({"seat": _SEAT, "until": moment}),
}
"""The form of `data` of a clock event, by type and version."""
