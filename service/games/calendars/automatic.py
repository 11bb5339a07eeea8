"""Vacations that begin by themselves, when a player's time is nearly out."""

from collections.abc import Callable
from typing import Final

from service.eventlog.outbox import Outbox
from service.games.calendars.model import begun_by_itself
from service.games.calendars.notices import calendar_notice
from service.games.calendars.store import CalendarStore
from service.games.clock.calendar import Calendar

_TRIES: Final = 5


class AutomaticVacations:
    """Begins them. A player has `days` of vacation each year; `now` gives unix seconds."""

    def __init__(
        self, store: CalendarStore, outbox: Outbox, days: int, now: Callable[[], float]
    ) -> None:
        self._store = store
        self._outbox = outbox
        self._days = days
        self._now = now

    def begin(self, player: str, at: int) -> tuple[int, Calendar] | None:
        """Let a vacation begin at this moment, when the player's time was nearly out, if they have
        asked for that and have a day left: since when it goes on, and the calendar that clocks go
        by from now on. May be repeated.

        A worker writes it into their other games.
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
