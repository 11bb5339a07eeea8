"""A player's settings: mail, messages, contact, a calendar, and those of one game."""

from typing import Annotated, TypedDict

from marshmallow import ValidationError
from marshmallow.validate import Length

from service.accounts import local_time
from service.accounts.mail_preferences import Delivery, Reminders
from service.accounts.notice_kinds import GROUPS
from service.api.schemas.fields import Moment
from service.core.durations import DAY
from service.core.shapes import (
    Default,
    Example,
    Keyword,
    Pattern,
    Reads,
    Shown,
    Timestamp,
    flags,
    rules,
)
from service.games.calendar_store import (
    MOST_VACATIONS,
    Sleep,
)
from service.games.clock.view import DailyHoursShape, PeriodShape
from service.games.conversation_store import LONGEST_NOTE

_ClockTime = Annotated[
    str,
    Pattern("^([01][0-9]|2[0-3]):[0-5][0-9]$", "a time of day: hours and minutes, 07:30"),
]
NOTE = "She keeps the blue nine."
VACATION = {"from": "2026-12-20T23:00:00Z", "to": "2026-12-27T23:00:00Z"}
_HOW = (
    "`at_once`; `until_visit`: one mail, then none until the player's next visit or request;"
    " `digest`: once a day, all in one mail; `off`: never."
)


def _time_zone(name: str) -> str:
    if name not in local_time.zone_names():
        raise ValidationError("Must be the name of a time zone, such as Europe/Berlin.")
    return name


_TimeZone = Annotated[
    str,
    Reads(_time_zone, keywords=(Keyword("pattern", "^[A-Za-z][A-Za-z0-9_+/-]*$"),)),
    Length(1, 64),
    Example("Europe/Berlin"),
]


def _not_empty(hours: "QuietHoursInput") -> None:
    if hours["begin"] == hours["end"]:
        raise ValidationError("Must be another time than begin.", "end")


@rules(check=_not_empty)
class QuietHoursInput(TypedDict):
    """Hours in which no mail shall come."""

    begin: Annotated[_ClockTime, Example("22:00")]
    end: Annotated[_ClockTime, Example("07:00")]
    """It may be on the next day."""


class QuietHoursShape(TypedDict):
    """Hours in which no mail comes."""

    begin: Annotated[str, Shown("22:00")]
    end: Annotated[str, Shown("07:00")]


MailGroupsInput = flags("MailGroupsInput", GROUPS)
MailGroups = flags("MailGroups", GROUPS)


@rules(change=True)
class MailSettingsInput(TypedDict, total=False):
    """Changes to how mail comes; what is left out stays."""

    delivery: Annotated[Delivery, f"How mail comes: {_HOW}"]
    digest_at: Annotated[_ClockTime, Example("08:00")]
    """When the daily digest comes."""
    time_zone: _TimeZone
    """The time zone of `digest_at` and `quiet`, from the IANA database."""
    quiet: QuietHoursInput | None
    """Mail that falls due in these hours comes when they end, unless the player's time to move ends
    before that. null: there are none."""
    reminders: Reminders
    """Which reminders come; turn off the group `reminder` for none."""
    groups: Annotated[dict[str, bool], MailGroupsInput]
    """The groups of mails to turn on or off. Others stay as they are."""


class MailSettingsShape(TypedDict):
    """How mail comes."""

    delivery: Annotated[Delivery, Shown("digest")]
    """How mail comes."""
    digest_at: Annotated[str, Shown("08:00")]
    """When the daily digest comes, as `08:00`."""
    time_zone: Annotated[str, Shown("Europe/Berlin")]
    quiet: Annotated[QuietHoursShape | None, Shown({"begin": "22:00", "end": "07:00"})]
    """Hours without mail; null for none."""
    reminders: Reminders
    """Which reminders come; turn off the group `reminder` for none."""
    groups: Annotated[dict[str, bool], MailGroups]
    """Which mails come. `mails` in `/me` divides them further."""
    games: Annotated[dict[str, Delivery], Shown({"onrw65dumvxhs5dporxw": "off"})]
    """How mail about single games comes, by their ids."""


class ContactSettingsInput(TypedDict):
    """Whether challenges may come."""

    challenges: bool
    """Whether I take challenges and rematches."""


class BlockedPlayerShape(TypedDict):
    """A player whom the caller has blocked."""

    id: Annotated[str, Shown("nb2xi5dfnvqw4zdi")]
    name: Annotated[str | None, Shown("Bo")]
    """Null if the account is gone."""
    blocked_at: Timestamp
    """When."""


class ContactSettingsShape(TypedDict):
    """Who may ask the caller."""

    challenges: bool
    """Whether I take challenges and rematches."""
    blocked: list[BlockedPlayerShape]
    """The players whom I have blocked, the latest first."""


@rules(change=True, example={"mail": {"delivery": "digest"}, "messages_wanted": True})
class SettingsInput(TypedDict, total=False):
    """Changes to settings; what is left out stays."""

    mail: MailSettingsInput
    """Changes to how mail comes."""
    messages_wanted: bool
    """Whether I take messages."""
    contact: ContactSettingsInput
    """Whether challenges come."""


class SettingsShape(TypedDict):
    """What the caller chooses."""

    mail: MailSettingsShape
    """How mail comes."""
    messages_wanted: bool
    """Whether the player takes messages from other players."""
    contact: ContactSettingsShape


@rules(change=True, example={"delivery": "off", "note": NOTE})
class GameSettingsInput(TypedDict, total=False):
    """Changes to a game's settings; what is left out stays."""

    delivery: Annotated[
        Delivery | None, f"How mail about this game comes; null: like all mail. {_HOW}"
    ]
    messages_wanted: bool
    """Whether I take messages in this game."""
    note: Annotated[str, Length(max=LONGEST_NOTE)]
    """It replaces the note; an empty one deletes it."""


class GameSettingsShape(TypedDict):
    """What the caller chooses for one game."""

    delivery: Annotated[Delivery | None, Shown("off")]
    """What was chosen for this game; null: nothing."""
    effective: Annotated[Delivery, Shown("off")]
    """How mail about this game comes therefore."""
    messages_wanted: bool
    """Whether I take messages in this game."""
    note: Annotated[str, Shown(NOTE)]
    """The caller's own note on the game."""


SleepInput = TypedDict("SleepInput", {"from": _ClockTime, "to": _ClockTime})
"""The hours of the night that do not count."""
VacationInput = TypedDict("VacationInput", {"from": Moment, "to": Moment})
"""A vacation."""


@rules(example={"zone": "Europe/Berlin", "vacations": [VACATION]})
class CalendarInput(TypedDict):
    """The whole calendar."""

    zone: _TimeZone
    """The time zone, also that of mail."""
    sleep: Annotated[SleepInput | None, Default(None)]
    """Ten hours at most, past midnight or not."""
    vacations: Annotated[list[VacationInput], Default(list), Length(max=MOST_VACATIONS)]
    """The vacations that are not over; what is not named ends now."""
    by_itself: Annotated[bool, Default(False)]
    """Where your time is out, let a day of vacation begin by itself, as long as there are any."""


class VacationAllowanceShape(TypedDict):
    """A year's vacation days, in seconds."""

    year: Annotated[int, Shown(2026)]
    seconds: Annotated[int, Shown(30 * DAY)]
    """Seconds in the year, all told."""
    spent: Annotated[int, Shown(7 * DAY)]
    """Seconds used or planned."""


class CalendarShape(TypedDict):
    """When the caller's time does not count."""

    zone: Annotated[str, Shown("Europe/Berlin")]
    sleep: Annotated[DailyHoursShape | None, Shown({"from": "23:00", "to": "07:00"})]
    vacations: Annotated[list[PeriodShape], Shown((VACATION,))]
    by_itself: Annotated[bool, Shown(False)]
    vacation_account: list[VacationAllowanceShape]
    """The allowance of each year."""


def sleep_wanted(body: CalendarInput) -> Sleep | None:
    """The sleeping hours of a `CalendarInput`."""
    sleep = body["sleep"]
    return None if sleep is None else (sleep["from"], sleep["to"])
