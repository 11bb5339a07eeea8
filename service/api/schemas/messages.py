"""Schemas of messages between the two players of a game."""

from marshmallow import fields, validate

from engine import SEATS
from service.api.schemas.base import Input, Output
from service.api.schemas.fields import Cursor, WholeNumber
from service.api.schemas.inputs import limit
from service.api.schemas.outputs import next_cursor
from service.games.conversation import moderation
from service.games.conversation.store import LONGEST

MOST_NUMBER = 2**31 - 1


def _number(description: str) -> WholeNumber:
    return WholeNumber(
        required=True,
        validate=validate.Range(1, MOST_NUMBER),
        metadata={"description": description},
    )


class MessagesQuery(Input):
    cursor = Cursor("[1-9][0-9]{0,8}")
    limit = limit()


class MessageInput(Input):
    text = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST),
        metadata={
            "description": "At most 40 lines. Control characters are left out.",
            "example": "Well played!",
        },
    )


class ReadMarkInput(Input):
    number = _number("The number of the last message that I have read.")


class MessageReportInput(Input):
    number = _number("The number of the message.")
    reason = fields.String(
        load_default="",
        validate=validate.Length(max=moderation.LONGEST_REASON),
        metadata={"description": "What is wrong with it, for the operator."},
    )


class MessageSchema(Output):
    number = fields.Integer(
        required=True, metadata={"description": "Messages of a game are numbered from 1."}
    )
    by = fields.String(required=True, validate=validate.OneOf(SEATS))
    created_at = fields.DateTime(required=True)
    via = fields.String(required=True, metadata={"x-extensible-enum": ["api", "web", "mail"]})
    text = fields.String(required=True, metadata={"description": "Plain text, with line ends."})


class MessageRefusalSchema(Output):
    code = fields.String(required=True)
    detail = fields.String(required=True)


class MessageListSchema(Output):
    messages = fields.List(
        fields.Nested(MessageSchema), required=True, metadata={"description": "The newest first."}
    )
    next = next_cursor()
    unread = fields.Integer(
        required=True,
        metadata={"description": "How many messages of the opponent's I have not read."},
    )
    wanted = fields.Boolean(
        required=True, metadata={"description": "Whether I take messages in this game."}
    )
    refusal = fields.Nested(
        MessageRefusalSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Why I cannot write now; null if I can."},
    )
