"""Schemas of a player's channels and their deliveries."""

from typing import Annotated, Final, NotRequired, TypedDict

from marshmallow.validate import Length

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
from service.api.schemas.fields import Name
from service.core.ids import GAME_ID
from service.core.shapes import Alternative, Keyword, Pattern, Shown, Timestamp, flags, rules

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
