"""Schemas about opponents: the lobby, challenges, guests, abandonment."""

from typing import Any

from marshmallow import fields, missing, validate

from engine import EDITIONS, SEATS
from engine.options import FIRST_PLAYERS
from service.api.schemas.base import Alternative, Output
from service.api.schemas.fields import PLAYER_ID, Name
from service.api.schemas.inputs import GameOptions
from service.api.schemas.outputs import (
    ClockSchema,
    GameSchema,
    PlayerSummarySchema,
    RegisteredPlayerSchema,
    next_cursor,
)
from service.games.challenges.model import STATUSES


class ChallengeInput(GameOptions):
    alternatives = (
        Alternative("ChallengeByIdInput", ("player",)),
        Alternative("ChallengeByNameInput", ("name",)),
    )

    player = fields.String(
        validate=PLAYER_ID,
        metadata={"description": "Whom to challenge, by id.", "example": "mfzwizltorzwi4tf"},
    )
    name = Name(metadata={"description": "Whom to challenge, by name, in any case."})


class CounterOfferInput(GameOptions):
    """The options in which the counter-offer differs from the challenge."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[object]) -> None:
        """Apply no defaults: an option that is left out stays as it was."""
        field_obj.load_default = missing


def _required(**options: Any) -> dict[str, Any]:
    return {"required": True, **options}


class GameTermsSchema(Output):
    """The options of a game that has not begun."""

    edition = fields.String(**_required(metadata={"x-extensible-enum": list(EDITIONS)}))
    tactics = fields.Boolean(**_required())
    expert = fields.Boolean(**_required())
    rounds = fields.Integer(**_required())
    first_player = fields.String(**_required(validate=validate.OneOf(FIRST_PLAYERS)))
    clock = fields.Nested(ClockSchema, **_required(allow_none=True))
    rated = fields.Boolean(**_required())


class OpenGameSchema(GameTermsSchema):
    id = fields.String(**_required())
    created_at = fields.DateTime(**_required())
    expires_at = fields.DateTime(
        **_required(metadata={"description": "How long it waits for a second player."})
    )
    creator = fields.Nested(PlayerSummarySchema, **_required())
    seat = fields.String(
        **_required(validate=validate.OneOf(SEATS), metadata={"description": "The free seat."})
    )


class LobbySchema(Output):
    games = fields.List(fields.Nested(OpenGameSchema), **_required())
    next = next_cursor()


class ChallengeSchema(GameTermsSchema):
    id = fields.String(
        **_required(metadata={"description": "Also the id of the game it leads to."})
    )
    status = fields.String(**_required(validate=validate.OneOf(STATUSES)))
    challenger = fields.Nested(PlayerSummarySchema, data_key="from", **_required())
    to = fields.Nested(PlayerSummarySchema, **_required())
    created_at = fields.DateTime(**_required())
    expires_at = fields.DateTime(**_required())
    seat = fields.String(
        **_required(
            validate=validate.OneOf(SEATS), metadata={"description": "Where the challenger sits."}
        )
    )
    private = fields.Boolean(**_required())
    commitment = fields.String(
        **_required(
            allow_none=True,
            metadata={
                "description": "SHA-256 of the game's secret. Null only in challenges that are"
                " older than this member."
            },
        )
    )
    salt = fields.String(
        **_required(
            allow_none=True,
            metadata={
                "description": "The challenger's share of the shuffle, fixed like the commitment."
            },
        )
    )
    counters = fields.String(
        **_required(
            allow_none=True,
            metadata={"description": "The challenge to which this one is the counter-offer."},
        )
    )
    counter_offer = fields.String(
        **_required(allow_none=True, metadata={"description": "The challenge that replaces it."})
    )
    game = fields.String(
        **_required(
            allow_none=True, metadata={"description": "The id of the game, once it is accepted."}
        )
    )


class ChallengeListSchema(Output):
    challenges = fields.List(fields.Nested(ChallengeSchema), **_required())
    next = next_cursor()


class GuestGameSchema(GameSchema):
    account = fields.Nested(
        RegisteredPlayerSchema,
        **_required(
            metadata={
                "description": "The guest's account. Add an address with `PATCH /v1/me` to keep it."
            }
        ),
    )
