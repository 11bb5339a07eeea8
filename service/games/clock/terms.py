"""The clock as the players agreed on it: the member `clock` of a game's terms. Also the
clocks that a new game and a rematch may have."""

from dataclasses import dataclass
from typing import Final

from engine.clock_form import AgreedClock
from service.core.durations import DAY, HOUR
from service.core.errors import RequestRejected
from service.core.timestamps import timestamp, unix
from service.games.clock.calendar import Calendar


@dataclass(frozen=True, slots=True)
class Terms:
    """One of the three kinds of clock, with its options. All in seconds.

    `per_move`: time for each move. `bank`: time for a player's whole round; each move adds
    `increment`, up to `cap`. `until`: the game's end, a unix moment. `claimed`: when time is up the
    opponent claims the win, or gives more.
    """

    per_move: int | None = None
    bank: int | None = None
    increment: int = 0
    cap: int | None = None
    until: int | None = None
    weekends_off: bool = False
    sleeping_hours: bool = False
    vacations: bool = False
    claimed: bool = False

    @property
    def has_calendar(self) -> bool:
        """Whether a player's calendar matters."""
        return self.until is None and (self.weekends_off or self.sleeping_hours or self.vacations)

    @property
    def is_plain(self) -> bool:
        """Whether the clock is days for each move, without options."""
        return self.per_move is not None and not self.has_calendar


def read_terms(clock: AgreedClock) -> Terms:
    """The terms of a clock, as `engine.clock_form` describes it."""
    days, bank, until = clock.get("days_per_move"), clock.get("bank_days"), clock.get("until")
    cap = clock.get("cap_days")
    return Terms(
        per_move=None if days is None else days * DAY,
        bank=None if bank is None else bank * DAY,
        increment=clock.get("increment_hours", 0) * HOUR,
        cap=None if cap is None else cap * DAY,
        until=None if until is None else unix(until),
        weekends_off=clock.get("weekends_off", False),
        sleeping_hours=clock.get("sleeping_hours", False),
        vacations=clock.get("vacations", False),
        claimed=clock.get("time_out") == "claim",
    )


def allowed(terms: Terms, calendar: Calendar) -> Calendar:
    """The parts of a player's calendar that this clock uses; the opponent sees nothing more."""
    return Calendar(
        zone=calendar.zone if terms.weekends_off or terms.sleeping_hours else "UTC",
        sleep=calendar.sleep if terms.sleeping_hours else None,
        vacations=calendar.vacations if terms.vacations else (),
    )


NEAREST_END: Final = 2 * DAY
FARTHEST_END: Final = 366 * DAY
"""The most seconds from now to a fixed end of a game."""
LAST_TO_SIT_DOWN: Final = DAY
"""The free seat can be taken until this many seconds before a fixed end."""


def check_clock(clock: AgreedClock | None, rounds: int, now: float) -> None:
    """Raise `RequestRejected`, `bad-clock`, if no game with this clock can begin now."""
    if clock is None or "until" not in clock:
        return
    if rounds > 1:
        raise _bad("Only a game of one round can have a fixed end.")
    ahead = unix(clock["until"]) - now
    if not NEAREST_END <= ahead <= FARTHEST_END:
        nearest, farthest = NEAREST_END // DAY, FARTHEST_END // DAY
        raise _bad(f"A game's fixed end is {nearest} to {farthest} days from now.")


def reserved_until(clock: AgreedClock | None, ends: int) -> int:
    """The last moment at which a seat or challenge reserved until `ends` can be taken, given this
    clock."""
    if clock is None or "until" not in clock:
        return ends
    return min(ends, unix(clock["until"]) - LAST_TO_SIT_DOWN)


def clock_again(clock: AgreedClock | None, made: str, now: float) -> AgreedClock | None:
    """The clock of a rematch. A fixed end stays as far from the making of the game as before."""
    if clock is None or "until" not in clock:
        return clock
    ahead = min(max(unix(clock["until"]) - unix(made), NEAREST_END), FARTHEST_END)
    return {**clock, "until": timestamp(now + ahead)}


def _bad(detail: str) -> RequestRejected:
    return RequestRejected("bad-clock", detail)
