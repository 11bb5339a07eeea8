"""The clock that players agree on, and the events of a game's clock: their classes, and their form
in records. The rules ignore them: the host counts the time.

Moments are RFC 3339 in UTC, `2026-11-21T12:00:00Z`, as `at` is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, Self, TypedDict

from engine.cards import SEATS, Seat
from engine.stored_form import AnybodysEvent, Json, PlayersEvent, ServersEvent, player_of
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

Interval = tuple[str, str]
"""The beginning and the end of an interval."""


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


@dataclass(frozen=True, slots=True)
class CalendarChanged(PlayersEvent):
    """A player changed their calendar, which says when their time does not count from this event
    on.

    `zone` is a name of the tz database, `Europe/Berlin`; `sleep` two times of its day, `("23:00",
    "07:00")`, or None. With `next_turn`, zone and sleeping hours apply from the player's next turn
    on, but vacations at once.
    """

    TYPE: ClassVar[str] = "calendar_changed"

    zone: str
    sleep: tuple[str, str] | None
    vacations: tuple[Interval, ...]
    next_turn: bool = False

    def to_data(self) -> dict[str, object]:
        return {
            "zone": self.zone,
            "sleep": None if self.sleep is None else list(self.sleep),
            "vacations": [list(vacation) for vacation in self.vacations],
            # Missing in logs of versions whose calendars always applied at once.
            **({"next_turn": True} if self.next_turn else {}),
        }

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        sleep = data["sleep"] and _pair(data["sleep"])
        vacations = tuple(map(_pair, data["vacations"]))
        return cls(player_of(cls.TYPE, by), **{**data, "sleep": sleep, "vacations": vacations})


def _pair(texts: list[str]) -> Interval:
    first, last = texts
    return first, last


@dataclass(frozen=True, slots=True)
class TimeGiven(PlayersEvent):
    """A player gave the opponent, who sits in `seat`, this much time."""

    TYPE: ClassVar[str] = "time_given"

    seat: Seat
    seconds: int


@dataclass(frozen=True, slots=True)
class ClockMoved(PlayersEvent):
    """In a sandbox, a player moved the clock as if the turn had begun this much earlier."""

    TYPE: ClassVar[str] = "clock_moved"

    seconds: int


@dataclass(frozen=True, slots=True)
class ClockPaused(PlayersEvent):
    """A player agreed to pause the clock, until this moment, or until it is resumed."""

    TYPE: ClassVar[str] = "clock_paused"

    until: str | None


@dataclass(frozen=True, slots=True)
class ClockResumed(AnybodysEvent):
    """The paused clock runs again."""

    TYPE: ClassVar[str] = "clock_resumed"


@dataclass(frozen=True, slots=True)
class ClockAdjusted(ServersEvent):
    """The time from `since` until `until` does not count, for `seat` or, if None, for both.

    `reason` is one of `REASONS`.
    """

    TYPE: ClassVar[str] = "clock_adjusted"

    seat: Seat | None
    reason: str
    since: str
    until: str

    def to_data(self) -> dict[str, object]:
        return {"seat": self.seat, "reason": self.reason, "from": self.since, "to": self.until}

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        rest = dict(data)
        return cls(since=rest.pop("from"), until=rest.pop("to"), **rest)


@dataclass(frozen=True, slots=True)
class FlagHeld(ServersEvent):
    """The time of the player to move, in `seat`, is up, but nobody notified them of their turn.

    Nothing ends before `until` unless they are notified.
    """

    TYPE: ClassVar[str] = "flag_held"

    seat: Seat
    until: str


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
