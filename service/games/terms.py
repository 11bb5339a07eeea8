"""The terms of a game besides its rules, from its first event."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from engine import Seat
from engine.clock_form import AgreedClock
from service.core.durations import DAY
from service.core.timestamps import timestamp, unix


@dataclass(frozen=True, slots=True, order=True)
class DealDay:
    """A day in UTC, with a deal of its own; `date` is `2026-11-23`."""

    date: str

    @classmethod
    def at(cls, moment: float) -> Self:
        """The day of this moment (unix seconds)."""
        return cls(timestamp(moment).partition("T")[0])

    @property
    def begins(self) -> int:
        """The first moment of this day (unix seconds)."""
        return unix(f"{self.date}T00:00:00Z")

    @property
    def ends(self) -> int:
        """The first moment of the next day (unix seconds)."""
        return self.begins + DAY

    def later(self, days: int) -> "DealDay":
        """The day so many days after this one."""
        return DealDay.at(self.begins + days * DAY)


@dataclass(frozen=True, slots=True)
class PracticeOf:
    """The origin of a practice game: the deal of the finished `game`, played on after its event
    `step`, in this `turn` of the round. `players` are the ids of those who played it."""

    game: str
    step: int
    turn: int
    players: Mapping[Seat, str]


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The terms agreed when the game was made.

    `invited` is the player for whom the free seat is reserved. `invitation_days` is how long the
    game waits for its second player, None: the usual time. `practice` is None for a real game.
    `daily` is the day whose deal the game has, None for all but deals of the day.
    """

    clock: AgreedClock | None = None
    invited: str | None = None
    invited_by_mail: bool = False
    listed: bool = False
    private: bool = False
    invitation_days: int | None = None
    practice: PracticeOf | None = None
    daily: DealDay | None = None


def read_game_terms(terms: Mapping[str, Any]) -> GameTerms:
    """The terms from their stored form; former versions left members out."""
    return GameTerms(
        clock=terms.get("clock"),
        invited=terms.get("invited"),
        invited_by_mail=bool(terms.get("invited_by_mail")),
        listed=bool(terms.get("listed")),
        private=bool(terms.get("private")),
        invitation_days=terms.get("invitation_days"),
        practice=PracticeOf(**terms["practice"]) if "practice" in terms else None,
        daily=DealDay(terms["daily"]) if "daily" in terms else None,
    )
