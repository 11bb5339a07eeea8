"""Schemas of offers: to pause the clock, to end a game without a result."""

from typing import Annotated, ClassVar, TypedDict

from marshmallow import fields, validate

from engine import Seat
from service.api import shapes
from service.api.schemas.base import Alternative, Input
from service.api.schemas.clocks import OpenPeriodShape
from service.api.schemas.fields import Moment, WholeNumber
from service.api.schemas.outputs import GameStatus
from service.api.shapes import Keyword
from service.games.agreements.offers import LAST_NUMBER
from service.games.change.draft import ABANDONMENT, PAUSE

STATES = ("offered", "agreed", "declined", "withdrawn")


class OfferInput(Input):
    """An offer, or the agreement to one."""

    alternatives: ClassVar = (
        Alternative("PauseOfferInput", ("kind",), ("until",), {"kind": PAUSE}),
        Alternative("AbandonmentOfferInput", ("kind",), (), {"kind": ABANDONMENT}),
        Alternative("AgreementInput", ("kind", "number")),
    )

    kind = fields.String(validate=validate.OneOf([PAUSE, ABANDONMENT]))
    """What is offered."""
    until = Moment(load_default=None, allow_none=True)
    """When the clock runs again. Without it: once either resumes it."""
    number = WholeNumber(validate=validate.Range(1, LAST_NUMBER))
    """The number of the opponent's offer that is agreed to."""


class OfferShape(TypedDict):
    """An offer in a game, as it was made, withdrawn or declined."""

    kind: Annotated[str, Keyword("x-extensible-enum", (ABANDONMENT, PAUSE))]
    """What is offered."""
    state: Annotated[str, Keyword("x-extensible-enum", tuple(STATES))]
    """What became of it."""
    by: Seat
    """The seat that made it."""
    number: int
    """The number to agree to it with."""
    until: shapes.Moment | None
    """The end of the pause; null where it has none."""


class OfferListShape(TypedDict):
    """The open offers of a game."""

    version: int
    status: GameStatus
    """The status of the game: `finished` once both have agreed."""
    paused: OpenPeriodShape | None
    """The pause that was agreed last, if it was not ended."""
    offers: list[OfferShape]
    """The open offers, at most one of each kind."""
