"""Vacations that begin automatically when a player's time is nearly out."""

from collections.abc import Callable
from typing import Final

from service.eventlog.outbox import Outbox
from service.games.calendars.model import begun_by_itself
from service.games.calendars.notices import calendar_notice
from service.games.calendars.store import CalendarStore
from service.games.clock.calendar import Calendar

_TRIES: Final = 5


class AutomaticVacations:
    """Begins automatic vacations. A player has `days` of vacation a year; `now` gives unix
    seconds."""

    def __init__(
        self, store: CalendarStore, outbox: Outbox, days: int, now: Callable[[], float]
    ) -> None:
        self._store = store
        self._outbox = outbox
        self._days = days
        self._now = now

    def begin(self, player: str, at: int) -> tuple[int, Calendar] | None:
        """Begin a vacation at the moment `at`, when the player's time had nearly run out.

        Returns the beginning of the current vacation, and the calendar that clocks use from now on;
        None if the player has not switched automatic vacations on, or has no day left. May be
        repeated. A worker writes the calendar into the player's other games.
        """
        for _ in range(_TRIES):
            before, now = self._store.read(player), int(self._now())
            begun = begun_by_itself(before, at, now, self._days)
            if begun is None:
                return None
            after, (since, _) = begun
            if after == before:
                return since, after.at(now)
            self._outbox.add(calendar_notice(player, now, now))
            if self._store.replace(player, before, after):
                return since, after.at(now)
        return None
