"""Standing orders as they are given and shown."""

from typing import Any

from marshmallow import fields, validate

from service.api.bodies import Input
from service.api.schemas.fields import Flag
from service.api.schemas.inputs import MAX_ACTIONS
from service.api.schemas.outputs import Output


def _actions(description: str, example: list[str], **options: Any) -> fields.List[str]:
    return fields.List(
        fields.String(validate=validate.Length(1, 40)),
        metadata={"description": description, "example": example},
        **options,
    )


class TurnOrderInput(Input):
    actions = _actions(
        "What to do when my turn comes, if all of it is legal then. Nothing can follow a Recruiter"
        " or a draw.",
        ["R7@3"],
        required=True,
        validate=validate.Length(1, MAX_ACTIONS),
    )
    when = _actions(
        "Only if the opponent's turn has held all of these actions.",
        ["G4@3"],
        load_default=list,
        validate=validate.Length(max=MAX_ACTIONS),
    )


class OrdersInput(Input):
    claim_proved = Flag(
        load_default=False,
        metadata={
            "description": "Claim whatever is proved: after my play, and at the start of my turn"
            " where the edition lets me."
        },
    )
    pass_when_stuck = Flag(
        load_default=False, metadata={"description": "Pass when no card can be played."}
    )
    turn = fields.Nested(TurnOrderInput, load_default=None, allow_none=True)


class TurnOrder(Output):
    actions = fields.List(fields.String(), required=True)
    when = fields.List(fields.String(), required=True)


class OrderResult(Output):
    outcome = fields.String(required=True, validate=validate.OneOf(["played", "cancelled"]))
    actions = fields.List(fields.String(), required=True)
    version = fields.Integer(
        required=True, metadata={"description": "That of the game when it was decided."}
    )
    code = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "Why it was cancelled: the code with which the turn would have been"
            " refused, or `not-as-foreseen`."
        },
    )
    detail = fields.String(required=True, allow_none=True)


class Orders(Output):
    version = fields.Integer(required=True, metadata={"description": "That of the game."})
    claim_proved = fields.Boolean(required=True)
    pass_when_stuck = fields.Boolean(required=True)
    turn = fields.Nested(TurnOrder, required=True, allow_none=True)
    last = fields.Nested(
        OrderResult,
        required=True,
        allow_none=True,
        metadata={"description": "What became of the latest conditional turn."},
    )
