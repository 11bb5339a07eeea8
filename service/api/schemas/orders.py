"""Schemas of standing orders."""

from typing import Any, Literal, TypedDict

from marshmallow import fields, validate

from service.api.schemas.base import Input
from service.api.schemas.fields import Flag
from service.api.schemas.inputs import MAX_ACTIONS


def _actions(description: str, example: list[str], **options: Any) -> fields.List[str]:
    return fields.List(
        fields.String(validate=validate.Length(1, 40)),
        metadata={"description": description, "example": example},
        **options,
    )


class TurnOrderInput(Input):
    """A turn to play later."""

    actions = _actions(
        "The turn to play if all of it is legal when my turn comes. Nothing can follow a Recruiter"
        " or a draw.",
        ["R7@3"],
        required=True,
        validate=validate.Length(1, MAX_ACTIONS),
    )
    when = _actions(
        "Play it only if the opponent's turn contained all these actions.",
        ["G4@3"],
        load_default=list,
        validate=validate.Length(max=MAX_ACTIONS),
    )


class OrdersInput(Input):
    """The standing orders."""

    claim_proved = Flag(load_default=False)
    """Claim every Stone that can be proved: after my play, and at the start of my turn if the
    edition allows it."""
    pass_when_stuck = Flag(load_default=False)
    """Pass if no card can be played."""
    turn = fields.Nested(TurnOrderInput, load_default=None, allow_none=True)
    """The turn to play as soon as it is the caller's; null for none."""


class TurnOrderShape(TypedDict):
    """A turn to be played."""

    actions: list[str]
    when: list[str]
    """Played only if the opponent's turn held all these actions."""


class OrderResultShape(TypedDict):
    """What became of a turn that was ordered."""

    outcome: Literal["played", "cancelled"]
    actions: list[str]
    version: int
    """The version of the game when this was decided."""
    code: str | None
    """Why it was cancelled: the code of the problem with the turn, or `not-as-foreseen` if the
    condition was not met."""
    detail: str | None


class OrdersShape(TypedDict):
    """The standing orders."""

    version: int
    """The version of the game."""
    claim_proved: bool
    """Claim every Stone that can be proved."""
    pass_when_stuck: bool
    turn: TurnOrderShape | None
    """The turn to play as soon as it is the caller's; null for none."""
    last: OrderResultShape | None
    """The outcome of the latest conditional turn."""
