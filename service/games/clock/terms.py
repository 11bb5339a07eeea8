"""The clock as the players agreed on it: the member `clock` of a game's terms."""

from dataclasses import dataclass

from engine.clock_form import AgreedClock
from service.core.durations import DAY, HOUR
from service.core.timestamps import unix
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
