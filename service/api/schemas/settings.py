"""A player's settings: mail, messages, contact, a calendar, those of one game, and channels."""

from typing import Annotated, Final, NotRequired, TypedDict

from marshmallow import ValidationError
from marshmallow.validate import Length

from service.accounts import mail_preferences
from service.accounts.channels import (
    CHANNEL_GROUPS,
    MAX_GAMES_OFF,
    OPTIONAL,
    TARGETS,
    TYPES,
    ChannelType,
    State,
)
from service.accounts.channels.store import LONGEST_NAME
from service.accounts.mail_preferences import Delivery, Reminders
from service.accounts.notice_kinds import GROUPS
from service.api.schemas.fields import Moment, Name
from service.core.ids import GAME_ID
from service.core.shapes import (
    Alternative,
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
from service.core.times import DAY
from service.games.calendar_store import MOST_VACATIONS, Sleep
from service.games.clock.view import DailyHoursShape, PeriodShape
from service.games.conversation_store import LONGEST_NOTE

_ClockTime = Annotated[
    str, Pattern("^([01][0-9]|2[0-3]):[0-5][0-9]$", "a time of day: hours and minutes, 07:30")
]
NOTE = "She keeps the blue nine."
VACATION = {"from": "2026-12-20T23:00:00Z", "to": "2026-12-27T23:00:00Z"}
_HOW = (
    "`at_once`; `until_visit`: one mail, then none until the player's next visit or request;"
    " `digest`: once a day, all in one mail; `off`: never."
)


def _time_zone(name: str) -> str:
    if name not in mail_preferences.zone_names():
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


_DESCRIPTIONS: Final = {
    ("webhook", "url"): "Where signed messages are posted, by https.",
    ("push", "endpoint"): "As the browser's `PushSubscription` has it, by https.",
    ("push", "p256dh"): "The browser's public key, base64url.",
    ("push", "auth"): "The browser's secret, base64url.",
    ("ntfy", "url"): "The server, such as `https://ntfy.sh`.",
    ("ntfy", "topic"): "Whoever knows it can read along: choose one that nobody guesses.",
    ("ntfy", "token"): "An access token, where the server wants one.",
    ("gotify", "url"): "The server.",
    ("gotify", "token"): "The token of an application.",
    ("telegram", "token"): "The token of your bot, from @BotFather.",
    ("telegram", "chat"): "The chat's id, or its public name with an @.",
    ("discord", "url"): "The address of a webhook, as Discord shows it.",
    ("slack", "url"): "The address of an incoming webhook, as Slack shows it.",
    ("pushover", "user"): "Your user key.",
    ("pushover", "token"): "The token of your application.",
}


def _target(channel_type: ChannelType) -> type:
    """The shape of where a channel leads."""
    optional, members = OPTIONAL.get(channel_type, ()), {}
    for name, form in TARGETS[channel_type].items():
        check = Pattern(f"^(?:{form})$", "of the form that the documentation gives")
        member = Annotated[str, check, _DESCRIPTIONS[channel_type, name]]
        members[name] = NotRequired[member] if name in optional else member
    name = f"{channel_type.title()}TargetInput"
    return TypedDict(name, members)  # type: ignore[operator,no-any-return]


ChannelGroupsInput = flags("ChannelGroupsInput", CHANNEL_GROUPS)
ChannelGroups = flags("ChannelGroups", CHANNEL_GROUPS)


class _ChannelChoices(TypedDict, total=False):
    name: Name
    """A name for you."""
    groups: Annotated[dict[str, bool], ChannelGroupsInput]
    """What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation`
    invitations and challenges, `over` that a game is over, `message` what the opponent proposes.
    Others stay as they are; a new channel tells everything."""
    fallback: bool
    """Used only where mail and all other channels have failed for good."""
    games_off: Annotated[
        list[Annotated[str, Pattern(f"^{GAME_ID}$", "the id of a game")]], Length(max=MAX_GAMES_OFF)
    ]
    """The games of which it tells nothing."""


@rules(
    *(Alternative(f"{each.title()}ChannelInput", (each,)) for each in TYPES),
    example={"name": "my program", "webhook": {"url": "https://hooks.example.org/scottenbury"}},
)
class ChannelInput(_ChannelChoices, total=False):
    """A channel to add; its type is the member that it has."""

    webhook: Annotated[dict[str, str], _target("webhook")]
    """Messages to a program of yours, signed as Standard Webhooks describes."""
    push: Annotated[dict[str, str], _target("push")]
    """Messages to a browser, from its `PushSubscription`."""
    ntfy: Annotated[dict[str, str], _target("ntfy")]
    """ntfy, the public server or your own."""
    gotify: Annotated[dict[str, str], _target("gotify")]
    """A Gotify server."""
    telegram: Annotated[dict[str, str], _target("telegram")]
    """A chat on Telegram."""
    discord: Annotated[dict[str, str], _target("discord")]
    """A channel on Discord."""
    slack: Annotated[dict[str, str], _target("slack")]
    """A channel on Slack."""
    pushover: Annotated[dict[str, str], _target("pushover")]
    """Pushover."""


@rules(change=True, example={"groups": {"over": False}, "fallback": True})
class ChannelChangeInput(_ChannelChoices, total=False):
    """Changes to a channel; what is left out stays."""

    on: bool
    """Turn the channel on, whatever trouble it had, or off."""


class ChannelTroubleShape(TypedDict):
    """What is wrong with a channel."""

    first_at: Timestamp
    why: Annotated[str, Shown("it has not taken a test yet")]


class ChannelShape(TypedDict):
    """A way of being told besides mail."""

    id: Annotated[str, Shown("ab2cd3ef")]
    type: ChannelType
    name: Annotated[
        str, Keyword("minLength", 1), Keyword("maxLength", LONGEST_NAME), Shown("my program")
    ]
    """What its owner calls it."""
    leads_to: Annotated[str, Shown("hooks.example.org")]
    """Where it leads, without what is a secret."""
    groups: Annotated[dict[str, bool], ChannelGroups]
    fallback: Annotated[bool, Shown(False)]
    games_off: Annotated[list[str], Shown(())]
    state: Annotated[State, Shown("working")]
    """`off`: it gets nothing: a message failed for a day, the other side closed it, or its player
    wants so."""
    trouble: ChannelTroubleShape | None
    """What is wrong with it; null if nothing is."""
    last_delivered_at: Timestamp | None
    """When a message last arrived; null if none has."""
    created_at: Timestamp


class CreatedChannelShape(ChannelShape):
    """A new channel, with its secret."""

    secret: Annotated[str | None, Shown("whsec_Z2l2ZW4gb25jZSBhbmQgbmV2ZXIgc2hvd24gYWdhaW4=")]
    """What signs a webhook's messages, shown only once; null for others."""


class ChannelListShape(TypedDict):
    """All channels of the caller."""

    channels: list[ChannelShape]
    push_key: str | None
    """The `applicationServerKey` with which a browser asks for push; null where this server sends
    none."""
