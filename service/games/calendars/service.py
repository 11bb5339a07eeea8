"""Players' calendars: kept with the account, and written into all running games that heed them.

st:{PLAYER}:calendar      JSON: sleep, vacations, changed (`model`); the zone is that of `:mail`
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from marshmallow import INCLUDE, Schema, fields, validate

import engine
from service.accounts.mail_preferences import MailPreferences
from service.core.durations import DAY, MINUTE
from service.core.errors import RequestRejected
from service.core.ids import PLAYER_ID
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import JsonText, SnapshotKey, text
from service.core.settings import Settings
from service.eventlog import Notice, notice_id
from service.eventlog.outbox import Outbox
from service.games.calendars.model import (
    PlayerCalendar,
    Sleep,
    begun_by_itself,
    calendar_text,
    moved,
    read_calendar,
    with_vacations,
)
from service.games.clock.calendar import Calendar
from service.games.clock.intervals import Interval
from service.games.clock.state import ClockState, change_calendar
from service.games.clock.terms import allowed
from service.games.repository import StoredGame

CALENDAR: Final = "calendar"
"""The kind of notice to write a player's calendar into their games."""
VACATION_ENDS: Final = "vacation-ends"
"""The kind of mail that a vacation ends in a day."""
_TRIES: Final = 5
_MOMENT: Final = fields.Integer(strict=True, validate=validate.Range(0, 2**33))
_TIME: Final = text("([01][0-9]|2[0-3]):[0-5][0-9]")


class _Form(Schema):
    class Meta:
        unknown = INCLUDE

    sleep = fields.Tuple((_TIME, _TIME), required=True, allow_none=True)
    vacations = fields.List(fields.Tuple((_MOMENT, _MOMENT)), required=True)
    changed = fields.List(_MOMENT, required=True)
    planned = fields.List(_MOMENT)
    by_itself = fields.Boolean(truthy={True}, falsy={False})


LASTING_KEYS: Final = (
    SnapshotKey(
        scan="st:{*}:calendar",
        name=rf"st:\{{{PLAYER_ID}\}}:calendar",
        type="string",
        content=JsonText(fields.Nested(_Form)),
    ),
)
"""Keys that a backup holds."""

GamesOf = Callable[[str], Iterator[StoredGame]]
"""The running games of a player, by id."""
Write = Callable[[StoredGame, Sequence[engine.Command]], StoredGame | None]


class CalendarStore:
    """The calendars as they are kept."""

    def __init__(self, redis: Client, settings: Settings, now: Callable[[], float]) -> None:
        self._redis = redis
        self._preferences = MailPreferences(redis, settings.secret_key, settings.base_url)
        self._now = now
        script = Path(__file__).with_name("replace.lua").read_text()
        self._replace = redis.register_script(script)

    def read(self, player: str) -> PlayerCalendar:
        """The calendar of a player; an empty one where they have none."""
        stored = cast(str | None, self._redis.get(_key(player)))
        return read_calendar(stored, self._preferences.choice(player).time_zone)

    def replace(self, player: str, before: PlayerCalendar, after: PlayerCalendar) -> bool:
        """Keep a calendar in the place of another; False where that is not there any more."""
        known = cast(str | None, self._redis.get(_key(player))) or ""
        if read_calendar(known, before.zone) != before:
            return False
        if not self._replace(keys=[_key(player)], args=[known, calendar_text(after)]):
            return False
        if after.zone != before.zone:
            self._preferences.set_choice(player, {"time_zone": after.zone})
        return True

    def forget(self, player: str) -> None:
        """Delete a player's calendar."""
        self._redis.unlink(_key(player))

    def of_players(self, players: Sequence[str]) -> Mapping[str, Calendar]:
        """What the clocks of a game between these players go by."""
        return {player: self.read(player).at(self._now()) for player in players}


class Calendars:
    """The use cases. A player has `days` of vacation each year; `now` gives unix seconds."""

    def __init__(
        self,
        store: CalendarStore,
        outbox: Outbox,
        games_of: GamesOf,
        write: Write,
        days: int,
        now: Callable[[], float],
    ) -> None:
        self.days = days
        self._store = store
        self._outbox = outbox
        self._games_of = games_of
        self._write = write
        self._now = now

    def of(self, player: str) -> PlayerCalendar:
        """A player's calendar."""
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
        """Replace the calendar, here and in all running games; `by_itself` None: as it was.

        May be repeated.

        Raises `RequestRejected` as `model.moved` and `model.with_vacations` do.
        """

        def changed(known: PlayerCalendar, now: int) -> PlayerCalendar:
            asked = known.by_itself if by_itself is None else by_itself
            known = replace(moved(known, zone, sleep, now), by_itself=asked)
            return with_vacations(known, vacations, now, self.days)

        return self._change(player, changed)

    def change_zone(self, player: str, zone: str) -> PlayerCalendar:
        """Let the calendar follow another zone. Raises `RequestRejected` as `model.moved` does."""
        return self._change(player, lambda known, now: moved(known, zone, known.sleep, now))

    def begin_by_itself(self, player: str, at: int) -> tuple[int, Calendar] | None:
        """Let a vacation begin at this moment, when the player's time was nearly out, if they have
        asked for that and have a day left: since when it goes on, and the calendar that clocks go
        by from now on. May be repeated.

        A worker writes it into their other games.
        """
        for _ in range(_TRIES):
            before, now = self.of(player), int(self._now())
            begun = begun_by_itself(before, at, now, self.days)
            if begun is None:
                return None
            after, (since, _) = begun
            if after == before:
                return since, after.at(now)
            self._outbox.add(_notice(player, now, now))
            if self._store.replace(player, before, after):
                return since, after.at(now)
        return None

    def apply(self, player: str) -> None:
        """Write the calendar into the player's running games that do not go by it yet."""
        calendar = self.of(player).at(self._now())
        for stored in self._games_of(player):
            self._apply(stored, player, calendar)

    def forget(self, player: str) -> None:
        """Delete a player's calendar."""
        self._store.forget(player)

    def _change(
        self, player: str, changed: Callable[[PlayerCalendar, int], PlayerCalendar]
    ) -> PlayerCalendar:
        for _ in range(_TRIES):
            before, now = self.of(player), int(self._now())
            after = changed(before, now)
            if after == before:
                return after
            # First of all: should this process die, the worker writes it into the games.
            self._outbox.add(_notice(player, now, now + MINUTE))
            if self._store.replace(player, before, after):
                self._announce(player, after, now)
                self.apply(player)
                return after
        raise RequestRejected("stale-version", "The calendar was changed just now.", version=0)

    def _announce(self, player: str, calendar: PlayerCalendar, now: int) -> None:
        for _, end in calendar.to_come(now):
            if end - DAY > now:  # one notice for a day: however often a calendar is changed
                notice = notice_id(player, end // DAY, player, "mail", VACATION_ENDS)
                self._outbox.add(Notice(notice, end - DAY))

    def _apply(self, stored: StoredGame, player: str, calendar: Calendar) -> None:
        seat, clock = stored.seat_of(player), stored.clock
        if seat is None or clock is None:
            return
        wanted = allowed(clock.terms, calendar)
        if clock.terms.has_calendar and wanted != _in_force(clock, seat, self._now()):
            self._write(stored, [change_calendar(seat, wanted)])


def _in_force(clock: ClockState, seat: engine.Seat, now: float) -> Calendar:
    known = clock.calendar(seat)
    to_come = tuple(vacation for vacation in known.vacations if vacation[1] > now)
    return Calendar(known.zone, known.sleep, to_come)


def _notice(player: str, now: int, due: float) -> Notice:
    """The notice to write the calendar, changed now, into all games."""
    return Notice(notice_id(player, now // MINUTE, player, "log", CALENDAR), due)


def _key(player: str) -> str:
    return f"st:{{{player}}}:calendar"
