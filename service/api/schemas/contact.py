"""Choices about contact with other players."""

from marshmallow import fields

from service.api.schemas.base import Input, Output
from service.api.schemas.fields import Flag


class ContactSettingsInput(Input):
    challenges = Flag(required=True)


class BlockedPlayerSchema(Output):
    id = fields.String(required=True)
    name = fields.String(
        required=True, allow_none=True, metadata={"description": "Null if the account is gone."}
    )
    blocked_at = fields.DateTime(required=True)


class ContactSettingsSchema(Output):
    challenges = fields.Boolean(
        required=True, metadata={"description": "Whether I take challenges and rematches."}
    )
    blocked = fields.List(
        fields.Nested(BlockedPlayerSchema),
        required=True,
        metadata={"description": "The players whom I have blocked, the latest first."},
    )
