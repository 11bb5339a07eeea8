"""The events of a game's clock. The rules ignore them: the host counts the time.

Moments are RFC 3339 in UTC, `2026-11-21T12:00:00Z`, as `at` is.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from engine.cards import Seat
from engine.stored_form import AnybodysEvent, Json, PlayersEvent, ServersEvent, player_of

Interval = tuple[str, str]
"""The beginning and the end of an interval."""


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

    `reason` is one of `engine.clock_form.REASONS`.
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
