"""Players' calendars, written into all their running games whose clocks use calendars."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.core.errors import RequestRejected
from service.core.times import DAY, MINUTE
from service.eventlog import Notice, notice_id
from service.eventlog.outbox import Outbox
from service.games.calendar_store import (
    VACATION_ENDS,
    CalendarStore,
    PlayerCalendar,
    Sleep,
    asking,
    calendar_notice,
    moved,
    with_vacations,
)
from service.games.clock.calendar import Calendar, Interval
from service.games.clock.state import allowed, change_calendar
from service.games.reading.lists import GameLists
from service.games.stored_game import StoredGame
from service.games.writer import ChangeWriter

_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Calendars:
    """The use cases of calendars. A player has `vacation_days` of vacation a year; `now` gives unix
    seconds."""

    _store: CalendarStore
    _outbox: Outbox
    _lists: GameLists
    _writer: ChangeWriter
    vacation_days: int
    _now: Callable[[], float]

    def of(self, player: str) -> PlayerCalendar:
        return self._store.read(player)

    def change(
        self,
        player: str,
        zone: str,
        sleep: Sleep | None,
        vacations: Sequence[Interval],
        *,
        by_itself: bool | None = None,
    ) -> PlayerCalendar:
        """Replace the calendar, here and in all running games.

        `by_itself` None leaves automatic vacations as they are. Vacations count at once, zone and
        sleeping hours from the player's next turn on. May be repeated. Raises `RequestRejected` as
        `calendars.moved` and `calendars.with_vacations` do.
        """

        def changed(before: PlayerCalendar, now: int) -> PlayerCalendar:
            asked = before.by_itself if by_itself is None else by_itself
            before = asking(moved(before, zone, sleep, now), asked, now)
            return with_vacations(before, vacations, now, self.vacation_days)

        return self._change(player, changed)

    def change_zone(self, player: str, zone: str) -> PlayerCalendar:
        """Move the calendar to another zone. Raises `RequestRejected` as `calendars.moved` does."""
        return self._change(player, lambda before, now: moved(before, zone, before.sleep, now))

    def apply(self, player: str) -> None:
        """Write the calendar into the player's running games that do not use it yet."""
        calendar = self.of(player).at(self._now())
        for stored in self._lists.running(player):
            self._apply(stored, player, calendar)

    def _change(
        self, player: str, changed: Callable[[PlayerCalendar, int], PlayerCalendar]
    ) -> PlayerCalendar:
        for _ in range(_TRIES):
            before, now = self.of(player), int(self._now())
            after = changed(before, now)
            if after == before:
                return after
            # The notice comes first: should this process die, the worker writes the calendar into
            # the games.
            self._outbox.add(calendar_notice(player, now, now + MINUTE))
            if self._store.replace(player, before, after):
                for _, end in after.to_come(now):
                    if end - DAY > now:  # one notice a day, however often a calendar changes
                        notice = notice_id(player, end // DAY, player, "mail", VACATION_ENDS)
                        self._outbox.add(Notice(notice, end - DAY))
                self.apply(player)
                return after
        raise RequestRejected("stale-version", "The calendar was changed just now.", version=0)

    def _apply(self, stored: StoredGame, player: str, calendar: Calendar) -> None:
        seat, clock = stored.seat_of(player), stored.clock
        if seat is None or clock is None:
            return
        wanted = allowed(clock.terms, calendar)
        current, now = clock.latest_calendar(seat), self._now()
        coming = tuple(vacation for vacation in current.vacations if vacation[1] > now)
        if clock.terms.has_calendar and wanted != replace(current, vacations=coming):
            self._writer.write_all(stored, [change_calendar(seat, wanted, next_turn=True)])
