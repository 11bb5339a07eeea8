"""Schemas of offers: to pause the clock, to end a game without a result."""

from typing import ClassVar

from marshmallow import fields, validate

from engine import SEATS
from service.api.schemas.base import Alternative, Input, Output
from service.api.schemas.clocks import OpenPeriodSchema
from service.api.schemas.fields import Moment, WholeNumber
from service.games.agreements.offers import LAST_NUMBER
from service.games.change.side_state import ABANDONMENT, PAUSE
from service.games.projections.player_games import STATUSES

STATES = ("offered", "agreed", "declined", "withdrawn")


class OfferInput(Input):
    alternatives: ClassVar = (
        Alternative("PauseOfferInput", ("kind",), ("until",), {"kind": PAUSE}),
        Alternative("AbandonmentOfferInput", ("kind",), (), {"kind": ABANDONMENT}),
        Alternative("AgreementInput", ("kind", "number")),
    )

    kind = fields.String(
        validate=validate.OneOf([PAUSE, ABANDONMENT]),
        metadata={"description": "What is offered."},
    )
    until = Moment(
        load_default=None,
        allow_none=True,
        metadata={"description": "When the clock runs again. Without it: once either resumes it."},
    )
    number = WholeNumber(
        validate=validate.Range(1, LAST_NUMBER),
        metadata={"description": "The number of the opponent's offer that is agreed to."},
    )


class OfferSchema(Output):
    kind = fields.String(required=True, metadata={"x-extensible-enum": [ABANDONMENT, PAUSE]})
    state = fields.String(required=True, metadata={"x-extensible-enum": list(STATES)})
    by = fields.String(required=True, validate=validate.OneOf(SEATS))
    number = fields.Integer(required=True)
    until = fields.DateTime(required=True, allow_none=True)


class OfferListSchema(Output):
    version = fields.Integer(required=True)
    status = fields.String(
        required=True,
        validate=validate.OneOf(STATUSES),
        metadata={"description": "The status of the game: `finished` once both have agreed."},
    )
    paused = fields.Nested(
        OpenPeriodSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The pause that was agreed last, if it was not ended."},
    )
    offers = fields.List(
        fields.Nested(OfferSchema),
        required=True,
        metadata={"description": "The open offers, at most one of each kind."},
    )
