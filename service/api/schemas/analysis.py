"""Answers about what the turns of a finished game were worth."""

from marshmallow import fields, validate

from engine import SEATS
from service.api.schemas.base import Output


class EstimateSchema(Output):
    value = fields.Float(required=True)
    error = fields.Float(required=True)


def _estimate(description: str, *, allow_none: bool = True) -> fields.Nested:
    return fields.Nested(
        EstimateSchema,
        required=True,
        allow_none=allow_none,
        metadata={"description": description},
    )


class AnalysedTurnSchema(Output):
    seq = fields.Integer(required=True)
    round = fields.Integer(required=True)
    seat = fields.String(required=True, validate=validate.OneOf(SEATS))
    played = fields.String(required=True)
    chance = _estimate("After the play.", allow_none=False)
    best = fields.List(fields.String(), required=True)
    loss = _estimate("The chance after `best` less that after `played`.")
    drawn = fields.String(required=True, allow_none=True)
    drawn_at = fields.Integer(required=True, allow_none=True)
    luck = _estimate("The chance with `drawn` less the mean over all draws.")
    missed = fields.List(fields.Integer(), required=True)


class AnalysedPlayerSchema(Output):
    loss = _estimate("The mean of a turn; null while none is compared.")
    luck = _estimate("The sum of the draws; null while none is weighed.")


class AnalysisSchema(Output):
    status = fields.String(
        required=True, validate=validate.OneOf(("none", "queued", "running", "done"))
    )
    weighed = fields.Integer(required=True)
    of = fields.Integer(required=True, allow_none=True)
    ahead = fields.Integer(required=True, allow_none=True)
    north = fields.Nested(AnalysedPlayerSchema, required=True)
    south = fields.Nested(AnalysedPlayerSchema, required=True)
    turns = fields.List(fields.Nested(AnalysedTurnSchema), required=True)
