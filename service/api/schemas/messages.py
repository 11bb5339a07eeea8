"""Schemas of messages between the two players of a game."""

from typing import Annotated, TypedDict

from marshmallow import fields, validate

from engine import Seat
from service.api.schemas.base import Input
from service.api.schemas.fields import Cursor, WholeNumber
from service.api.schemas.inputs import limit
from service.api.schemas.outputs import NextCursor
from service.api.shapes import Keyword, Moment
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
    """A message to send."""

    text = fields.String(
        required=True, validate=validate.Length(1, LONGEST), metadata={"example": "Well played!"}
    )
    """At most 40 lines. Control characters are left out."""


class ReadMarkInput(Input):
    """How far the caller has read."""

    number = _number("The number of the last message that I have read.")


class MessageReportInput(Input):
    """A message for the operator to see."""

    number = _number("The number of the message.")
    reason = fields.String(load_default="", validate=validate.Length(max=moderation.LONGEST_REASON))
    """What is wrong with it, for the operator."""


class MessageShape(TypedDict):
    """A message between the two players of a game."""

    number: int
    """Messages of a game are numbered from 1."""
    by: Seat
    created_at: Moment
    via: Annotated[str, Keyword("x-extensible-enum", ("api", "web", "mail"))]
    text: str
    """Plain text, with line ends."""


class MessageRefusalShape(TypedDict):
    """Why the caller cannot write."""

    code: str
    detail: str


class MessageListShape(TypedDict):
    """A page of messages."""

    messages: list[MessageShape]
    """The newest first."""
    next: NextCursor
    unread: int
    """How many messages of the opponent's I have not read."""
    wanted: bool
    """Whether I take messages in this game."""
    refusal: MessageRefusalShape | None
    """Why I cannot write now; null if I can."""
