"""Schemas of accounts and tokens."""

from copy import copy

from marshmallow import fields, validate

from service.accounts.notice_kinds import CHOICES
from service.accounts.player import ARCHIVE_CHOICES
from service.accounts.privacy import PRESENCE_CHOICES
from service.accounts.tokens import SCOPES
from service.api.schemas.base import ChangeInput, Input, Output
from service.api.schemas.calendars import CalendarSchema
from service.api.schemas.channels import ChannelSchema
from service.api.schemas.fields import Cursor, EmailAddress, Flag, Name, NewName
from service.api.schemas.inputs import limit
from service.api.schemas.messages import MessageSchema
from service.api.schemas.opponents import ChallengeSchema
from service.api.schemas.orders import OrdersSchema
from service.api.schemas.outputs import (
    GameEventSchema,
    PlayerSummarySchema,
    RatingsSchema,
    next_cursor,
)
from service.api.schemas.settings import SettingsSchema

MailKindsInput = Input.from_dict(
    {
        kind: Flag(metadata={"description": f"Whether a mail tells {what}."})
        for kind, what in CHOICES.items()
    },
    name="MailKindsInput",
)
MailKindsSchema = Output.from_dict(
    {kind: fields.Boolean(required=True) for kind in CHOICES}, name="MailKindsSchema"
)


class AccountInput(ChangeInput):
    name = NewName(metadata={"example": "Ada Lovelace"})
    email = EmailAddress(
        allow_none=True,
        metadata={
            "description": "A new address, confirmed by the link sent to it; null removes the"
            " address.",
            "example": "ada@example.org",
        },
    )

    mails = fields.Nested(
        MailKindsInput,
        metadata={"description": "The kinds of mail to turn on or off. Others stay as they are."},
    )

    archive = fields.String(validate=validate.OneOf(list(ARCHIVE_CHOICES)))


class TokenInput(Input):
    name = Name(
        required=True,
        metadata={"description": "A name for you to recognize it by.", "example": "my bot"},
    )
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(1, len(SCOPES)),
        metadata={"description": "Only scopes that the caller's own token has."},
    )


class OwnBotInput(Input):
    name = NewName(required=True, metadata={"example": "Deep Stone"})


class SignInInput(Input):
    code = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        metadata={"description": "With or without its hyphens.", "example": "q7xk-m2vd-a5tz"},
    )
    name = Name(
        load_default="terminal",
        metadata={"description": "A name for you to recognize the token by."},
    )


class AnswerAddressSchema(Output):
    id = fields.String(required=True)
    email = fields.String(required=True)
    created_at = fields.DateTime(required=True)
    verified = fields.Boolean(
        required=True,
        metadata={"description": "Whether it is confirmed, so that answers from there count."},
    )


class EmailProblemSchema(Output):
    email = fields.String(required=True)
    how = fields.String(
        required=True,
        validate=validate.OneOf(["refused", "returned"]),
        metadata={"description": "Whether its mail server refused a mail, or sent one back."},
    )
    why = fields.String(required=True, metadata={"description": "What the mail server said."})
    first_at = fields.DateTime(required=True)
    last_at = fields.DateTime(required=True)
    remedy = fields.String(required=True, metadata={"description": "What takes it away."})


class AccountSchema(Output):
    id = fields.String(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True, allow_none=True)
    email_verified = fields.Boolean(
        required=True,
        metadata={"description": "Whether the address is confirmed, so that mail is sent to it."},
    )
    email_pending = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The address that will replace `email` once it is confirmed."},
    )
    email_problem = fields.Nested(
        EmailProblemSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "Why mail does not reach the confirmed address, as far as is known."
        },
    )
    created_at = fields.DateTime(required=True)
    mails = fields.Nested(
        MailKindsSchema,
        required=True,
        metadata={"description": "The kinds of mail that are sent, once the address is confirmed."},
    )
    archive = fields.String(required=True, validate=validate.OneOf(list(ARCHIVE_CHOICES)))


def _without_scope(name: str, field: fields.Field[object]) -> fields.Field[object]:
    """The field, which only the scope `account` shows unless it is public."""
    shown = copy(field)
    shown.required = name in ("id", "name", "created_at")
    return shown


_MeFields = Output.from_dict(
    {name: _without_scope(name, field) for name, field in AccountSchema().fields.items()},
    name="MeFields",
)


class MeSchema(_MeFields):  # type: ignore[misc, valid-type]
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True)


class PlayerSchema(Output):
    """The public data of a player: never an address."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True)
    owner = fields.Nested(
        PlayerSummarySchema,
        required=True,
        allow_none=True,
        metadata={"description": "Who registered this bot; null for a person or the server's."},
    )
    created_at = fields.DateTime(
        required=True,
        allow_none=True,
        metadata={"description": "When the player registered; null for a bot."},
    )


class OwnBotListSchema(Output):
    bots = fields.List(fields.Nested(PlayerSchema), required=True)


class TokenSchema(Output):
    id = fields.String(required=True)
    name = fields.String(required=True)
    kind = fields.String(
        required=True,
        validate=validate.OneOf(["api", "session"]),
        metadata={"description": "A program's token, or a browser that is signed in."},
    )
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True)
    created_at = fields.DateTime(required=True)
    expires_at = fields.DateTime(
        required=True,
        allow_none=True,
        metadata={"description": "When a session expires; null for `api`."},
    )
    last_used_at = fields.DateTime(
        required=True,
        metadata={"description": "To the minute. While unused, when it was created."},
    )


class CreatedTokenSchema(TokenSchema):
    token = fields.String(
        required=True, metadata={"description": "The bearer token, shown only once."}
    )


class TokensQuery(Input):
    cursor = Cursor(r"\S{1,40} [0-9a-f]{16}")
    limit = limit(default=100)


class TokenListSchema(Output):
    tokens = fields.List(fields.Nested(TokenSchema), required=True)
    next = next_cursor()


class ExportedGameSchema(Output):
    id = fields.String(required=True)
    record = fields.List(
        fields.Nested(GameEventSchema),
        required=True,
        metadata={"description": "The record as the player may see it."},
    )
    orders = fields.Nested(OrdersSchema, required=True)
    messages = fields.List(
        fields.Nested(MessageSchema),
        required=True,
        metadata={"description": "What the two players have written to each other."},
    )
    note = fields.String(required=True, metadata={"description": "The player's own note."})


class IdentitySchema(Output):
    issuer = fields.String(
        required=True,
        metadata={"description": "`trusted-header`: the host's sign-in; else an OpenID provider."},
    )
    subject = fields.String(required=True)
    label = fields.String(required=True)
    linked_at = fields.DateTime(required=True)


class AccountExportSchema(SettingsSchema):
    exported_at = fields.DateTime(required=True)
    player = fields.Nested(AccountSchema, required=True)
    face = fields.String(
        required=True,
        metadata={
            "description": "The mark that the player has chosen, such as `GR-stag`: its clan, its"
            " tartan and its figure; empty for the mark that follows from the id."
        },
    )
    answer_addresses = fields.List(
        fields.Nested(AnswerAddressSchema),
        required=True,
        metadata={"description": "Further addresses that the player answers mails from."},
    )
    identities = fields.List(
        fields.Nested(IdentitySchema),
        required=True,
        metadata={"description": "Sign-ins elsewhere that open the account."},
    )
    tokens = fields.List(fields.Nested(TokenSchema), required=True)
    muted = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The kinds of mail that the player has turned off."},
    )
    mail_signature = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Lines that are passed over in mails of the player's."},
    )
    presence = fields.String(
        required=True,
        validate=validate.OneOf(list(PRESENCE_CHOICES)),
        metadata={"description": "What opponents see of when the player was last here."},
    )
    calendar = fields.Nested(CalendarSchema, required=True)
    channels = fields.List(
        fields.Nested(ChannelSchema),
        required=True,
        metadata={"description": "Channels, without their secrets."},
    )
    challenges = fields.List(
        fields.Nested(ChallengeSchema), required=True, metadata={"description": "Open challenges."}
    )
    ratings = fields.Nested(RatingsSchema, required=True)
    bots = fields.List(fields.Nested(PlayerSchema), required=True)
    games = fields.List(fields.Nested(ExportedGameSchema), required=True)
