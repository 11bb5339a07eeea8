"""A player's calendar and its account of vacation days: allowed changes and their cost.

Past vacations are stored while they count: they are the account's ledger. Ending a vacation early
shortens it, which refunds its other days.

A vacation can begin automatically when a player's time is nearly out.

st:{PLAYER}:calendar      JSON: sleep, vacations, changed; the zone is that of `:mail`
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Final, cast

from marshmallow import INCLUDE, Schema, ValidationError, fields, validate

from engine.clock_events import MOST_MINUTES_ASLEEP
from service.accounts.mail_preferences import MailPreferences
from service.core.errors import RequestRejected
from service.core.redis.client import Client, Lua
from service.core.redis.snapshot_keys import JsonText, PlayerData, text
from service.core.times import DAY, HOUR, MINUTE, unix
from service.core.words import N_
from service.eventlog import Notice, notice_id
from service.eventlog.outbox import Outbox
from service.games.clock.calendar import (
    FAR,
    Calendar,
    Interval,
    clipped,
    seconds_of_day,
    union,
    year_of,
)

LONGEST_SLEEP: Final = MOST_MINUTES_ASLEEP * MINUTE
FARTHEST: Final = 366 * DAY
"""The most seconds from now to the end of a vacation."""
MOST_VACATIONS: Final = 20
"""The most current and future vacations of a player."""
MOST_PAST_VACATIONS: Final = 100
"""The most past vacations stored: stored data must not grow for ever."""
CHANGES: Final = 4
MOST_CHANGES: Final = 40
CHANGES_WITHIN: Final = 7 * DAY
"""The period, in seconds, within which zone and sleeping hours may change only so often.

Otherwise somebody would always be asleep. The zone alone, and vacations, may change more often, but
each change adds to the logs of running games.
"""

Sleep = tuple[str, str]
"""The beginning and end of sleep as times of day, `23:00`."""


@dataclass(frozen=True, slots=True)
class PlayerCalendar:
    """A player's calendar.

    Vacations are intervals of unix seconds, in order. `changed` holds the moments of the last
    changes of zone or sleeping hours, `planned` those of vacations. `by_itself`: a vacation begins
    automatically when time would run out; `asked`: since when the player wants that.
    """

    zone: str = "UTC"
    sleep: Sleep | None = None
    vacations: tuple[Interval, ...] = ()
    changed: tuple[int, ...] = ()
    planned: tuple[int, ...] = ()
    by_itself: bool = False
    asked: int = 0

    def at(self, now: float) -> Calendar:
        """The calendar that clocks use from now on."""
        sleep = self.sleep and (seconds_of_day(self.sleep[0]), seconds_of_day(self.sleep[1]))
        return Calendar(self.zone, sleep, self.to_come(now))

    def to_come(self, now: float) -> tuple[Interval, ...]:
        return tuple(vacation for vacation in self.vacations if vacation[1] > now)


def moved(before: PlayerCalendar, zone: str, sleep: Sleep | None, now: float) -> PlayerCalendar:
    """The calendar with another zone or other sleeping hours.

    Raises `RequestRejected`: `sleep-too-long`, `calendar-changed-too-often`.
    """
    if (zone, sleep) == (before.zone, before.sleep):
        return before
    if sleep is not None and not can_sleep(sleep):
        hours = LONGEST_SLEEP // HOUR
        raise RequestRejected(
            "sleep-too-long", "Nights are %(hours)s hours at most.", {"hours": hours}
        )
    most = MOST_CHANGES if before.sleep is None else CHANGES
    changed = _one_more(before.changed, now, most, _ZONE_CHANGES)
    return replace(before, zone=zone, sleep=sleep, changed=changed)


def asking(before: PlayerCalendar, by_itself: bool, now: int) -> PlayerCalendar:
    """The calendar with automatic vacations switched on or off from now on."""
    if by_itself == before.by_itself:
        return before
    return replace(before, by_itself=by_itself, asked=now if by_itself else 0)


def can_sleep(sleep: Sleep) -> bool:
    """Whether the sleeping hours are short enough to be allowed."""
    return 0 < (seconds_of_day(sleep[1]) - seconds_of_day(sleep[0])) % DAY <= LONGEST_SLEEP


_ZONE_CHANGES: Final = N_(
    "Zone and sleeping hours change %(times)s times in %(days)s days at most."
)
_VACATION_CHANGES: Final = N_("Vacations change %(times)s times in %(days)s days at most.")


def _one_more(changed: Sequence[int], now: float, most: int, message: str) -> tuple[int, ...]:
    """Return the moments of the latest changes, and now.

    Raises `RequestRejected`, `calendar-changed-too-often`, if `most` lie within `CHANGES_WITHIN`.
    """
    recent = tuple(at for at in changed if at > now - CHANGES_WITHIN)
    if len(recent) >= most:
        raise RequestRejected(
            "calendar-changed-too-often", message, {"times": most, "days": CHANGES_WITHIN // DAY}
        )
    return (*recent, int(now))


def with_vacations(
    before: PlayerCalendar, wanted: Sequence[Interval], now: int, days: int
) -> PlayerCalendar:
    """The calendar with these future vacations in place of the present ones; `days` a year are
    allowed.

    A vacation in progress keeps its beginning, and ends now if it is not among those wanted. Past
    ones stay. Cancelling a vacation is always allowed. Raises `RequestRejected`: `bad-vacation`,
    `vacation-days-exceeded`, `calendar-changed-too-often`.
    """
    if len({one for one, _ in wanted}) < len(wanted):
        raise RequestRejected("bad-vacation", "Two vacations overlap.")
    over = [(one, other) for one, other in before.vacations if other <= now]
    counting = [(one, other) for one, other in over if other > now - 2 * FARTHEST]
    going_on = {one: other for one, other in before.vacations if one < now < other}
    future = {one: other for one, other in wanted if other > now}
    vacations = [(one, min(future.pop(one, now), FARTHEST + now)) for one in going_on]
    vacations += [(max(one, now), other) for one, other in future.items()]
    _check_vacations(vacations, now)
    planned = before.planned
    if not {*vacations} <= {*before.vacations, *((one, now) for one in going_on)}:
        planned = _one_more(planned, now, MOST_CHANGES, _VACATION_CHANGES)
        if len(counting) > MOST_PAST_VACATIONS:
            raise RequestRejected(
                "calendar-changed-too-often", "You have begun and ended too many vacations."
            )
    changed = replace(before, vacations=tuple(sorted([*counting, *vacations])), planned=planned)
    last = max([year_of(now), *(year_of(other) for _, other in vacations)])
    for year in range(year_of(now), last + 1):
        if spent(changed, year) > max(days * DAY, spent(before, year)):
            raise RequestRejected(
                "vacation-days-exceeded",
                "That is more than your %(days)s vacation days in %(year)s.",
                {"days": days, "year": year},
                year=year,
                seconds_left=days * DAY - spent(before, year),
            )
    return changed


def begun_by_itself(
    before: PlayerCalendar, at: int, now: float, days: int
) -> tuple[PlayerCalendar, Interval] | None:
    """Return the calendar with an automatic vacation from the moment `at`, and that vacation.

    `at` is the moment when time had nearly run out. The vacation lasts for as many days as `now`
    requires, or until the next vacation. If a vacation covers `at` and still goes on, it is
    returned instead. None if automatic vacations were not switched on at that moment, or no day is
    left.
    """
    for one, other in union(before.vacations):
        if one <= at < other and other > now:
            return before, (at, other)
    if not before.by_itself or at < before.asked:
        return None
    end = at + (int(now - at) // DAY + 1) * DAY
    end = min([end, *(one for one, _ in before.vacations if one > at)])
    changed = replace(before, vacations=tuple(sorted([*before.vacations, (at, end)])))
    goes_on = end > now or any(one == end and now < other for one, other in before.vacations)
    if not goes_on or any(
        spent(changed, year) > days * DAY for year in (year_of(at), year_of(end))
    ):
        return None
    return changed, (at, end)


def _check_vacations(vacations: Sequence[Interval], now: int) -> None:
    ordered = sorted(vacations)
    if any(one >= other for one, other in ordered):
        raise RequestRejected("bad-vacation", "A vacation ends after it begins.")
    if any(ordered[n][1] > ordered[n + 1][0] for n in range(len(ordered) - 1)):
        raise RequestRejected("bad-vacation", "Two vacations overlap.")
    if any(other > now + FARTHEST for _, other in ordered):
        raise RequestRejected("bad-vacation", "A vacation ends within a year from now.")


def spent(calendar: PlayerCalendar, year: int) -> int:
    """The seconds of vacation, past and planned, that lie in this year (UTC)."""
    start, end = (int(datetime(y, 1, 1, tzinfo=UTC).timestamp()) for y in (year, year + 1))
    return sum(other - one for one, other in clipped(calendar.vacations, start, end))


def years(calendar: PlayerCalendar, now: float) -> Iterator[int]:
    """This year, and the next if a vacation reaches into it."""
    yield year_of(now)
    if any(year_of(other) > year_of(now) for _, other in calendar.vacations):
        yield year_of(now) + 1


def calendar_text(calendar: PlayerCalendar) -> str:
    """A calendar as it is stored, without the zone, which is part of the mail preferences."""
    fields = asdict(calendar)
    del fields["zone"]
    return json.dumps(fields)


def read_calendar(text: str | None, zone: str) -> PlayerCalendar:
    """The calendar read from its stored text; an empty one without text."""
    fields = json.loads(text) if text else {}
    sleep = fields.get("sleep")
    return PlayerCalendar(
        zone=zone,
        sleep=None if sleep is None else (sleep[0], sleep[1]),
        vacations=tuple((one, other) for one, other in fields.get("vacations", ())),
        changed=tuple(fields.get("changed", ())),
        planned=tuple(fields.get("planned", ())),
        by_itself=fields.get("by_itself", False),
        asked=fields.get("asked", 0),
    )


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

    _replace = Lua(__file__, "replace_calendar")

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
