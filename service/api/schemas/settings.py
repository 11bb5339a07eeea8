"""A player's settings: mail, messages, contact, a calendar, and those of one game."""

from typing import Annotated, Any, TypedDict

from marshmallow import ValidationError, fields, validate, validates_schema

from service.accounts import local_time
from service.accounts.mail_preferences import DELIVERIES, REMINDERS, Delivery, Reminders
from service.accounts.notice_kinds import GROUPS
from service.api.schemas.clocks import DailyHoursShape, PeriodShape
from service.api.schemas.fields import ChangeInput, Flag, Input, Moment, Pattern
from service.api.shapes import Timestamp, flags
from service.games.calendars.calendars import (
    MOST_VACATIONS,
    Sleep,
)
from service.games.conversation import private_notes

_CLOCK_TIME = Pattern("^([01][0-9]|2[0-3]):[0-5][0-9]$", "a time of day: hours and minutes, 07:30")
_HOW = (
    "`at_once`; `until_visit`: one mail, then none until the player's next visit or request;"
    " `digest`: once a day, all in one mail; `off`: never."
)


def _clock_time(**options: Any) -> fields.String:
    return fields.String(validate=_CLOCK_TIME, **options)


class TimeZone(fields.String):
    """The name of a time zone that this server knows."""

    def __init__(self, **options: Any) -> None:
        metadata = {"pattern": "^[A-Za-z][A-Za-z0-9_+/-]*$", **options.pop("metadata", {})}
        super().__init__(validate=validate.Length(1, 64), metadata=metadata, **options)

    def _deserialize(self, value: object, *args: object, **options: object) -> str:
        name = super()._deserialize(value, *args, **options)
        if name not in local_time.zone_names():
            raise ValidationError("Must be the name of a time zone, such as Europe/Berlin.")
        return name


def _delivery(**options: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(DELIVERIES), **options)


def _reminders(**options: Any) -> fields.String:
    described = {"description": "Which reminders come; turn off the group `reminder` for none."}
    return fields.String(validate=validate.OneOf(list(REMINDERS)), metadata=described, **options)


class QuietHoursInput(Input):
    """Hours in which no mail shall come."""

    begin = _clock_time(required=True, metadata={"example": "22:00"})
    end = _clock_time(required=True, metadata={"example": "07:00"})
    """It may be on the next day."""

    @validates_schema
    def _not_empty(self, data: dict[str, object], **options: object) -> None:
        if data["begin"] == data["end"]:
            raise ValidationError("Must be another time than begin.", "end")


class QuietHoursShape(TypedDict):
    """Hours in which no mail comes."""

    begin: str
    end: str


MailGroupsInput = Input.from_dict(
    {group: Flag() for group in GROUPS},
    name="MailGroupsInput",
)
MailGroups = flags("MailGroups", GROUPS)


class MailSettingsInput(ChangeInput):
    """Changes to how mail comes; what is left out stays."""

    delivery = _delivery(metadata={"description": f"How mail comes: {_HOW}"})
    digest_at = _clock_time(metadata={"example": "08:00"})
    """When the daily digest comes."""
    time_zone = TimeZone(metadata={"example": "Europe/Berlin"})
    """The time zone of `digest_at` and `quiet`, from the IANA database."""
    quiet = fields.Nested(QuietHoursInput, allow_none=True)
    """Mail that falls due in these hours comes when they end, unless the player's time to move ends
    before that. null: there are none."""
    reminders = _reminders()
    groups = fields.Nested(MailGroupsInput)
    """The groups of mails to turn on or off. Others stay as they are."""


class MailSettingsShape(TypedDict):
    """How mail comes."""

    delivery: Delivery
    """How mail comes."""
    digest_at: str
    """When the daily digest comes, as `08:00`."""
    time_zone: str
    quiet: QuietHoursShape | None
    """Hours without mail; null for none."""
    reminders: Reminders
    """Which reminders come; turn off the group `reminder` for none."""
    groups: Annotated[dict[str, bool], MailGroups]
    """Which mails come. `mails` in `/me` divides them further."""
    games: dict[str, Delivery]
    """How mail about single games comes, by their ids."""


class ContactSettingsInput(Input):
    """Whether challenges may come."""

    challenges = Flag(required=True)
    """Whether I take challenges and rematches."""


class BlockedPlayerShape(TypedDict):
    """A player whom the caller has blocked."""

    id: str
    name: str | None
    """Null if the account is gone."""
    blocked_at: Timestamp
    """When."""


class ContactSettingsShape(TypedDict):
    """Who may ask the caller."""

    challenges: bool
    """Whether I take challenges and rematches."""
    blocked: list[BlockedPlayerShape]
    """The players whom I have blocked, the latest first."""


class SettingsInput(ChangeInput):
    """Changes to settings; what is left out stays."""

    mail = fields.Nested(MailSettingsInput)
    """Changes to how mail comes."""
    messages_wanted = Flag()
    """Whether I take messages."""
    contact = fields.Nested(ContactSettingsInput)
    """Whether challenges come."""


class SettingsShape(TypedDict):
    """What the caller chooses."""

    mail: MailSettingsShape
    """How mail comes."""
    messages_wanted: bool
    """Whether the player takes messages from other players."""
    contact: ContactSettingsShape


class GameSettingsInput(ChangeInput):
    """Changes to a game's settings; what is left out stays."""

    delivery = _delivery(
        allow_none=True,
        metadata={"description": f"How mail about this game comes; null: like all mail. {_HOW}"},
    )
    messages_wanted = Flag()
    """Whether I take messages in this game."""
    note = fields.String(validate=validate.Length(max=private_notes.LONGEST))
    """It replaces the note; an empty one deletes it."""


class GameSettingsShape(TypedDict):
    """What the caller chooses for one game."""

    delivery: Delivery | None
    """What was chosen for this game; null: nothing."""
    effective: Delivery
    """How mail about this game comes therefore."""
    messages_wanted: bool
    """Whether I take messages in this game."""
    note: str
    """The caller's own note on the game."""


class SleepInput(Input):
    """The hours of the night that do not count."""

    begin = fields.String(required=True, data_key="from", validate=_CLOCK_TIME)
    end = fields.String(required=True, data_key="to", validate=_CLOCK_TIME)


class VacationInput(Input):
    """A vacation."""

    begin = Moment(required=True, data_key="from")
    end = Moment(required=True, data_key="to")


class CalendarInput(Input):
    """The whole calendar."""

    zone = TimeZone(required=True, metadata={"example": "Europe/Berlin"})
    """The time zone, also that of mail."""
    sleep = fields.Nested(SleepInput, load_default=None, allow_none=True)
    """Ten hours at most, past midnight or not."""
    vacations = fields.List(
        fields.Nested(VacationInput),
        load_default=list,
        validate=validate.Length(max=MOST_VACATIONS),
    )
    """The vacations that are not over; what is not named ends now."""
    by_itself = Flag(load_default=False)
    """Where your time is out, let a day of vacation begin by itself, as long as there are any."""


class VacationAllowanceShape(TypedDict):
    """A year's vacation days, in seconds."""

    year: int
    seconds: int
    """Seconds in the year, all told."""
    spent: int
    """Seconds used or planned."""


class CalendarShape(TypedDict):
    """When the caller's time does not count."""

    zone: str
    sleep: DailyHoursShape | None
    vacations: list[PeriodShape]
    by_itself: bool
    vacation_account: list[VacationAllowanceShape]
    """The allowance of each year."""


def sleep_wanted(body: dict[str, Any]) -> Sleep | None:
    """The sleeping hours of a `CalendarInput`."""
    sleep = body["sleep"]
    return None if sleep is None else (sleep["begin"], sleep["end"])
