"""Players' calendars as stored, with the account; their notices, and vacations that begin
automatically when a player's time is nearly out.

st:{PLAYER}:calendar      JSON: sleep, vacations, changed (`model`); the zone is that of `:mail`
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from marshmallow import INCLUDE, Schema, ValidationError, fields, validate

from service.accounts.mail_preferences import MailPreferences
from service.core.durations import MINUTE
from service.core.redis.client import Client
from service.core.redis.lua import Lua
from service.core.redis.snapshot_keys import JsonText, PlayerData, text
from service.core.timestamps import unix
from service.eventlog import Notice, notice_id
from service.eventlog.outbox import Outbox
from service.games.calendars.model import (
    PlayerCalendar,
    Sleep,
    begun_by_itself,
    calendar_text,
    can_sleep,
    read_calendar,
)
from service.games.clock.calendar import FAR, Calendar, Interval

_MOMENT: Final = fields.Integer(
    strict=True, validate=validate.Range(unix("2000-01-01T00:00:00Z"), FAR, max_inclusive=False)
)
_TIME: Final = text("([01][0-9]|2[0-3]):[0-5][0-9]")


def _check_sleep(sleep: Sleep) -> None:
    if not can_sleep(sleep):
        raise ValidationError("No player can sleep so long.")


def _check_vacation(vacation: Interval) -> None:
    if vacation[0] >= vacation[1]:
        raise ValidationError("A vacation ends after it begins.")


class _Form(Schema):
    class Meta:
        unknown = INCLUDE

    sleep = fields.Tuple((_TIME, _TIME), required=True, allow_none=True, validate=_check_sleep)
    vacations = fields.List(
        fields.Tuple((_MOMENT, _MOMENT), validate=_check_vacation),
        required=True,
        validate=validate.Length(max=1000),
    )
    changed = fields.List(_MOMENT, required=True)
    planned = fields.List(_MOMENT)
    by_itself = fields.Boolean(truthy={True}, falsy={False})
    asked = fields.Integer(strict=True, validate=validate.Range(0, FAR, max_inclusive=False))


STORED_CALENDAR: Final = PlayerData(
    "calendar", "string", JsonText(fields.Nested(_Form)), exported="calendar"
)


@dataclass(eq=False, repr=False)
class CalendarStore:
    """The stored calendars of all players."""

    _replace = Lua(__file__, "replace")

    _redis: Client
    _preferences: MailPreferences
    _now: Callable[[], float]

    def read(self, player: str) -> PlayerCalendar:
        """A player's calendar; an empty one if none is stored."""
        stored = cast(str | None, self._redis.get(STORED_CALENDAR.key(player)))
        return read_calendar(stored, self._preferences.choice(player).time_zone)

    def replace(self, player: str, before: PlayerCalendar, after: PlayerCalendar) -> bool:
        """Store `after` in place of `before`. Return False if another calendar is stored
        meanwhile."""
        stored = cast(str | None, self._redis.get(STORED_CALENDAR.key(player))) or ""
        if read_calendar(stored, before.zone) != before:
            return False
        if not self._replace(
            keys=[STORED_CALENDAR.key(player)], args=[stored, calendar_text(after)]
        ):
            return False
        if after.zone != before.zone:
            self._preferences.set_choice(player, {"time_zone": after.zone})
        return True

    def of_players(self, players: Sequence[str]) -> Mapping[str, Calendar]:
        """The calendars that the clocks of a game between these players use."""
        return {player: self.read(player).at(self._now()) for player in players}


CALENDAR: Final = "calendar"
"""The kind of notice to write a player's calendar into their games."""
VACATION_ENDS: Final = "vacation-ends"
"""The kind of mail that a vacation ends in a day."""


def calendar_notice(player: str, now: int, due: float) -> Notice:
    """The notice to write the calendar, changed now, into all games."""
    return Notice(notice_id(player, now // MINUTE, player, "log", CALENDAR), due)


_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class AutomaticVacations:
    """Begins automatic vacations. A player has `days` of vacation a year; `now` gives unix
    seconds."""

    _store: CalendarStore
    _outbox: Outbox
    _vacation_days: int
    _now: Callable[[], float]

    def begin(self, player: str, at: int) -> tuple[int, Calendar] | None:
        """Begin a vacation at the moment `at`, when the player's time had nearly run out.

        Returns the beginning of the current vacation, and the calendar that clocks use from now on;
        None if the player has not switched automatic vacations on, or has no day left. May be
        repeated. A worker writes the calendar into the player's other games.
        """
        for _ in range(_TRIES):
            before, now = self._store.read(player), int(self._now())
            begun = begun_by_itself(before, at, now, self._vacation_days)
            if begun is None:
                return None
            after, (since, _) = begun
            if after == before:
                return since, after.at(now)
            self._outbox.add(calendar_notice(player, now, now))
            if self._store.replace(player, before, after):
                return since, after.at(now)
        return None
