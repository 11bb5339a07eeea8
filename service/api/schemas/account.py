"""Schemas of accounts and tokens."""

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, validate, validates_schema

from service.accounts.answer_addresses import MOST
from service.accounts.mail_preferences import KINDS
from service.accounts.tokens import SCOPES
from service.api.schemas.base import Input, Output
from service.api.schemas.calendars import CalendarSchema
from service.api.schemas.channels import ChannelShown
from service.api.schemas.fields import Cursor, EmailAddress, Flag, Name, NewName
from service.api.schemas.inputs import limit
from service.api.schemas.mail import MailSettings
from service.api.schemas.messages import MessageView
from service.api.schemas.opponents import ChallengeSchema
from service.api.schemas.orders import OrdersSchema
from service.api.schemas.outputs import StoredEventSchema, next_cursor

MailChoicesInput = Input.from_dict(
    {
        kind: Flag(metadata={"description": f"Whether a mail tells {what}."})
        for kind, what in KINDS.items()
    },
    name="MailChoicesInput",
)
MailChoices = Output.from_dict(
    {kind: fields.Boolean(required=True) for kind in KINDS}, name="MailChoices"
)


class AccountChange(Input):
    keywords: ClassVar = {"minProperties": 1}

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
        MailChoicesInput,
        metadata={"description": "The kinds of mail to turn on or off. Others stay as they are."},
    )

    @validates_schema
    def _not_empty(self, data: dict[str, Any], **kwargs: Any) -> None:
        if not data:
            raise ValidationError(f"Must have at least one of: {', '.join(self.fields)}.")


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


class AnswerAddressInput(Input):
    email = EmailAddress(required=True, metadata={"example": "ada@example.com"})


class AnswerAddressView(Output):
    id = fields.String(required=True)
    email = fields.String(required=True)
    added = fields.DateTime(required=True)
    verified = fields.Boolean(
        required=True,
        metadata={"description": "Whether it is confirmed, so that answers from there count."},
    )


class AnswerAddressList(Output):
    addresses = fields.List(
        fields.Nested(AnswerAddressView), required=True, validate=validate.Length(max=MOST)
    )


class EmailProblem(Output):
    email = fields.String(required=True)
    how = fields.String(
        required=True,
        validate=validate.OneOf(["refused", "returned"]),
        metadata={"description": "Whether its mail server refused a mail, or sent one back."},
    )
    why = fields.String(required=True, metadata={"description": "What the mail server said."})
    since = fields.DateTime(required=True)
    last = fields.DateTime(required=True)
    remedy = fields.String(required=True, metadata={"description": "What takes it away."})


class Me(Output):
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
        EmailProblem,
        required=True,
        allow_none=True,
        metadata={
            "description": "Why mail does not reach the confirmed address, as far as is known."
        },
    )
    created = fields.DateTime(required=True)
    mails = fields.Nested(
        MailChoices,
        required=True,
        metadata={"description": "The kinds of mail that are sent, once the address is confirmed."},
    )


class TokenView(Output):
    id = fields.String(required=True)
    name = fields.String(required=True)
    kind = fields.String(
        required=True,
        validate=validate.OneOf(["api", "session"]),
        metadata={"description": "A program's token, or a browser that is signed in."},
    )
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True)
    created = fields.DateTime(required=True)
    expires = fields.DateTime(
        required=True,
        allow_none=True,
        metadata={"description": "When a session expires; null for `api`."},
    )
    last_used = fields.DateTime(
        required=True,
        metadata={"description": "To the minute. While unused, when it was created."},
    )


class TokenMade(TokenView):
    token = fields.String(
        required=True, metadata={"description": "The bearer token, shown only once."}
    )


class TokensQuery(Input):
    cursor = Cursor(r"\S{1,40} [0-9a-f]{16}")
    limit = limit(default=100)


class TokenList(Output):
    tokens = fields.List(fields.Nested(TokenView), required=True)
    next = next_cursor()


class ExportedGame(Output):
    id = fields.String(required=True)
    record = fields.List(
        fields.Nested(StoredEventSchema),
        required=True,
        metadata={"description": "The record as the player may see it."},
    )
    orders = fields.Nested(OrdersSchema, required=True)
    messages = fields.List(
        fields.Nested(MessageView),
        required=True,
        metadata={"description": "What the two players have written to each other."},
    )
    note = fields.String(required=True, metadata={"description": "The player's own note."})


class Export(Output):
    exported = fields.DateTime(required=True)
    player = fields.Nested(Me, required=True)
    answer_addresses = fields.List(
        fields.Nested(AnswerAddressView),
        required=True,
        metadata={"description": "Further addresses that the player answers mails from."},
    )
    tokens = fields.List(fields.Nested(TokenView), required=True)
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
    mail = fields.Nested(MailSettings, required=True)
    messages_wanted = fields.Boolean(
        required=True,
        metadata={"description": "Whether the player takes messages from other players."},
    )
    calendar = fields.Nested(CalendarSchema, required=True)
    channels = fields.List(
        fields.Nested(ChannelShown),
        required=True,
        metadata={"description": "Channels, without their secrets."},
    )
    challenges = fields.List(
        fields.Nested(ChallengeSchema), required=True, metadata={"description": "Open challenges."}
    )
    games = fields.List(fields.Nested(ExportedGame), required=True)
