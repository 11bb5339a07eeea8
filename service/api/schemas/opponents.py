"""What finding an opponent takes and answers: the lobby, challenges, guests, abandonment."""

from typing import Any

from marshmallow import fields, missing, validate

from engine import EDITIONS, SEATS
from engine.options import FIRST_PLAYERS
from service.api.bodies import Alternative
from service.api.schemas.fields import PLAYER_ID, Name
from service.api.schemas.inputs import GameOptions
from service.api.schemas.outputs import Clock, GameView, Output, Registered, Seated, next_cursor
from service.games.challenges.model import STATUSES
from service.games.projections.player_games import STATUSES as GAME_STATUSES


class ChallengeInput(GameOptions):
    alternatives = (
        Alternative("ChallengeById", ("player",)),
        Alternative("ChallengeByName", ("name",)),
    )

    player = fields.String(
        validate=PLAYER_ID,
        metadata={"description": "Whom to challenge, by id.", "example": "mfzwizltorzwi4tf"},
    )
    name = Name(metadata={"description": "Whom to challenge, by name, in any case."})


class CounterOfferInput(GameOptions):
    """How the game that the caller would rather play differs from the one asked for."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """What is left out is as it was."""
        field_obj.load_default = missing


def _told(**options: Any) -> dict[str, Any]:
    return {"required": True, **options}


class Options(Output):
    """What a game will be like."""

    edition = fields.String(**_told(validate=validate.OneOf(list(EDITIONS))))
    tactics = fields.Boolean(**_told())
    expert = fields.Boolean(**_told())
    rounds = fields.Integer(**_told())
    first_player = fields.String(**_told(validate=validate.OneOf(FIRST_PLAYERS)))
    clock = fields.Nested(Clock, **_told(allow_none=True))


class OpenGame(Options):
    id = fields.String(**_told())
    created = fields.DateTime(**_told())
    expires = fields.DateTime(
        **_told(metadata={"description": "Until when it waits for a second player."})
    )
    creator = fields.Nested(Seated, **_told())
    seat = fields.String(
        **_told(validate=validate.OneOf(SEATS), metadata={"description": "The free one."})
    )


class Lobby(Output):
    games = fields.List(fields.Nested(OpenGame), **_told())
    next = next_cursor()


class Challenge(Options):
    id = fields.String(**_told(metadata={"description": "Also that of the game it leads to."}))
    status = fields.String(**_told(validate=validate.OneOf(STATUSES)))
    challenger = fields.Nested(Seated, data_key="from", **_told())
    to = fields.Nested(Seated, **_told())
    created = fields.DateTime(**_told())
    expires = fields.DateTime(**_told())
    seat = fields.String(
        **_told(
            validate=validate.OneOf(SEATS), metadata={"description": "Where the challenger sits."}
        )
    )
    private = fields.Boolean(**_told())
    commitment = fields.String(
        **_told(
            allow_none=True,
            metadata={
                "description": "SHA-256 of its game's secret. Null only in a challenge that is"
                " older than this member."
            },
        )
    )
    salt = fields.String(
        **_told(
            allow_none=True,
            metadata={
                "description": "The challenger's share of the shuffle, fixed like the commitment."
            },
        )
    )
    counters = fields.String(
        **_told(
            allow_none=True,
            metadata={"description": "The challenge that this one is the counter-offer to."},
        )
    )
    counter_offer = fields.String(
        **_told(allow_none=True, metadata={"description": "The challenge made instead of it."})
    )
    game = fields.String(
        **_told(allow_none=True, metadata={"description": "The game, once it is accepted."})
    )


class ChallengeList(Output):
    challenges = fields.List(fields.Nested(Challenge), **_told())
    next = next_cursor()


class GuestSeated(GameView):
    account = fields.Nested(
        Registered,
        **_told(metadata={"description": "The guest's account. Keep it with `PATCH /v1/me`."}),
    )


class Abandonment(Output):
    version = fields.Integer(**_told())
    status = fields.String(
        **_told(
            validate=validate.OneOf(GAME_STATUSES),
            metadata={"description": "That of the game: `finished` once both have agreed."},
        )
    )
    offered_by = fields.String(
        **_told(
            allow_none=True,
            validate=validate.OneOf(SEATS),
            metadata={"description": "The seat from which it is offered; null: from neither."},
        )
    )
