"""Schemas of a player's channels and their deliveries."""

from typing import Any, ClassVar, Final

from marshmallow import fields, validate

from service.accounts.channels import CHANNEL_GROUPS, MAX_GAMES_OFF, OPTIONAL, TARGETS, TYPES
from service.accounts.channels.store import LONGEST_NAME
from service.api.schemas.base import Alternative, ChangeInput, Input, Output
from service.api.schemas.fields import Flag, Name, Pattern
from service.core.ids import GAME_ID

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


def _target(channel_type: str) -> fields.Nested:
    optional = OPTIONAL.get(channel_type, ())
    members: dict[str, fields.Field[Any]] = {
        name: fields.String(
            required=name not in optional,
            validate=Pattern(f"^(?:{form})$", "of the form that the documentation gives"),
            metadata={"description": _DESCRIPTIONS[channel_type, name]},
        )
        for name, form in TARGETS[channel_type].items()  # type: ignore[index]
    }
    schema = Input.from_dict(members, name=f"{channel_type.title()}TargetInput")
    return fields.Nested(schema, metadata={"description": _ABOUT[channel_type]})


_ABOUT: Final = {
    "webhook": "Messages to a program of yours, signed as Standard Webhooks describes.",
    "push": "Messages to a browser, from its `PushSubscription`.",
    "ntfy": "ntfy, the public server or your own.",
    "gotify": "A Gotify server.",
    "telegram": "A chat on Telegram.",
    "discord": "A channel on Discord.",
    "slack": "A channel on Slack.",
    "pushover": "Pushover.",
}

ChannelGroupsInput = Input.from_dict(
    {group: Flag() for group in CHANNEL_GROUPS}, name="ChannelGroupsInput"
)
ChannelGroupsSchema = Output.from_dict(
    {group: fields.Boolean(required=True) for group in CHANNEL_GROUPS}, name="ChannelGroupsSchema"
)
_GROUPS: Final = (
    "What it tells: `turn` that it is your turn, `reminder` that time is passing, `invitation`"
    " invitations and challenges, `over` that a game is over, `message` what the opponent"
    " proposes. Others stay as they are; a new channel tells everything."
)


class _ChannelChoices(Input):
    name = Name(metadata={"description": "A name for you."})
    groups = fields.Nested(ChannelGroupsInput, metadata={"description": _GROUPS})
    fallback = Flag(
        metadata={
            "description": "Used only where mail and all other channels have failed for good."
        }
    )
    games_off = fields.List(
        fields.String(validate=Pattern(f"^{GAME_ID}$", "the id of a game")),
        validate=validate.Length(max=MAX_GAMES_OFF),
        metadata={"description": "The games of which it tells nothing."},
    )


_NewChannelFields = _ChannelChoices.from_dict(
    {channel_type: _target(channel_type) for channel_type in TYPES}, name="NewChannelFields"
)


class ChannelInput(_NewChannelFields):  # type: ignore[misc, valid-type]
    alternatives: ClassVar = tuple(
        Alternative(f"{channel_type.title()}ChannelInput", (channel_type,))
        for channel_type in TYPES
    )


class ChannelChangeInput(_ChannelChoices, ChangeInput):
    on = Flag(metadata={"description": "Turn the channel on, whatever trouble it had, or off."})


class ChannelTroubleSchema(Output):
    first_at = fields.DateTime(required=True)
    why = fields.String(required=True)


class ChannelSchema(Output):
    id = fields.String(required=True)
    type = fields.String(required=True, validate=validate.OneOf(TYPES))
    name = fields.String(required=True, validate=validate.Length(1, LONGEST_NAME))
    leads_to = fields.String(
        required=True,
        metadata={"description": "Where it leads, without what is a secret."},
    )
    groups = fields.Nested(ChannelGroupsSchema, required=True)
    fallback = fields.Boolean(required=True)
    games_off = fields.List(fields.String(), required=True)
    state = fields.String(
        required=True,
        validate=validate.OneOf(["working", "failing", "off"]),
        metadata={
            "description": "`off`: it gets nothing: a message failed for a day, the other side"
            " closed it, or its player wants so."
        },
    )
    trouble = fields.Nested(ChannelTroubleSchema, required=True, allow_none=True)
    last_delivered_at = fields.DateTime(required=True, allow_none=True)
    created_at = fields.DateTime(required=True)


class CreatedChannelSchema(ChannelSchema):
    secret = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "What signs a webhook's messages, shown only once; null for others."
        },
    )


class ChannelListSchema(Output):
    channels = fields.List(fields.Nested(ChannelSchema), required=True)
    push_key = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The `applicationServerKey` with which a browser asks for push; null"
            " where this server sends none."
        },
    )
