"""Of a game beside its turns: messages, offers, standing orders, what turns were worth."""

from typing import Annotated, Literal, NotRequired, TypedDict

from marshmallow.validate import Length, OneOf, Range

from engine import Seat
from engine.game import Status
from service.api.schemas.fields import Moment, cursor
from service.api.schemas.inputs import MAX_ACTIONS, Actions, Limit
from service.api.schemas.outputs import NextCursor
from service.core.shapes import Alternative, Default, Example, Keyword, Shown, Timestamp, rules
from service.games import moderation
from service.games.agreements import LAST_NUMBER
from service.games.clock.view import OpenPeriodShape
from service.games.conversation_store import LONGEST
from service.games.drafts import ABANDONMENT, PAUSE
from service.games.shapes import TURN

_Number = Annotated[int, Range(1, 2**31 - 1)]


class MessagesQuery(TypedDict):
    cursor: NotRequired[Annotated[str, cursor("[1-9][0-9]{0,8}")]]
    limit: Limit


class MessageInput(TypedDict):
    """A message to send."""

    text: Annotated[str, Length(1, LONGEST), Example("Well played!")]
    """At most 40 lines. Control characters are left out."""


class ReadMarkInput(TypedDict):
    """How far the caller has read."""

    number: Annotated[_Number, Shown(7)]
    """The number of the last message that I have read."""


class MessageReportInput(TypedDict):
    """A message for the operator to see."""

    number: Annotated[_Number, Shown(7)]
    """The number of the message."""
    reason: Annotated[str, Default(""), Length(max=moderation.LONGEST_REASON), Shown("an insult")]
    """What is wrong with it, for the operator."""


class MessageShape(TypedDict):
    """A message between the two players of a game."""

    number: Annotated[int, Shown(7)]
    """Messages of a game are numbered from 1."""
    by: Annotated[Seat, Shown("south")]
    created_at: Timestamp
    via: Annotated[str, Keyword("x-extensible-enum", ("api", "web", "mail")), Shown("web")]
    text: Annotated[str, Shown("Well played!")]
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


STATES = ("offered", "agreed", "declined", "withdrawn")


@rules(
    Alternative("PauseOfferInput", ("kind",), ("until",), {"kind": PAUSE}),
    Alternative("AbandonmentOfferInput", ("kind",), (), {"kind": ABANDONMENT}),
    Alternative("AgreementInput", ("kind", "number")),
    example={"kind": PAUSE, "until": "2026-12-27T12:00:00Z"},
)
class OfferInput(TypedDict, total=False):
    """An offer, or the agreement to one."""

    kind: Annotated[str, OneOf([PAUSE, ABANDONMENT])]
    """What is offered."""
    until: Annotated[Moment | None, Default(None)]
    """When the clock runs again. Without it: once either resumes it."""
    number: Annotated[int, Range(1, LAST_NUMBER)]
    """The number of the opponent's offer that is agreed to."""


class OfferShape(TypedDict):
    """An offer in a game, as it was made, withdrawn or declined."""

    kind: Annotated[str, Keyword("x-extensible-enum", (ABANDONMENT, PAUSE)), Shown(PAUSE)]
    """What is offered."""
    state: Annotated[str, Keyword("x-extensible-enum", tuple(STATES))]
    """What became of it."""
    by: Seat
    """The seat that made it."""
    number: Annotated[int, Shown(29_905_920)]
    """The number to agree to it with."""
    until: Annotated[Timestamp | None, Shown("2026-12-27T12:00:00Z")]
    """The end of the pause; null where it has none."""


class OfferListShape(TypedDict):
    """The open offers of a game."""

    version: int
    status: Annotated[Status, Shown("active")]
    """The status of the game: `finished` once both have agreed."""
    paused: OpenPeriodShape | None
    """The pause that was agreed last, if it was not ended."""
    offers: list[OfferShape]
    """The open offers, at most one of each kind."""


class TurnOrderInput(TypedDict):
    """A turn to play later."""

    actions: Annotated[Actions, Length(1, MAX_ACTIONS), Example(["R7@3"])]
    """The turn to play if all of it is legal when my turn comes. Nothing can follow a Recruiter or
    a draw."""
    when: Annotated[Actions, Default(list), Length(max=MAX_ACTIONS), Example(["G4@3"])]
    """Play it only if the opponent's turn contained all these actions."""


@rules(example={"claim_proved": True, "pass_when_stuck": False, "turn": TURN})
class OrdersInput(TypedDict):
    """The standing orders."""

    claim_proved: Annotated[bool, Default(False)]
    """Claim every Stone that can be proved: after my play, and at the start of my turn if the
    edition allows it."""
    pass_when_stuck: Annotated[bool, Default(False)]
    """Pass if no card can be played."""
    turn: Annotated[TurnOrderInput | None, Default(None)]
    """The turn to play as soon as it is the caller's; null for none."""


class EstimateShape(TypedDict):
    """A chance of winning the round, 0 to 1, or a difference of two."""

    value: Annotated[float, Shown(0.48)]
    """The estimate."""
    error: Annotated[float, Shown(0.045)]
    """Weighed again, 95 % lie within two; 0 if exact."""


class AnalysedTurnShape(TypedDict):
    """A turn, by what its player could see."""

    seq: Annotated[int, Shown(4)]
    """The number of the play's event."""
    round: int
    seat: Seat
    played: Annotated[str, Shown("R4@1")]
    """The play, as action text."""
    chance: EstimateShape
    """After the play."""
    best: Annotated[list[str], Shown(("R4@5",))]
    """The best found, with all as good."""
    loss: Annotated[EstimateShape | None, Shown({"value": 0.06, "error": 0.025})]
    """The chance after `best` less that after `played`."""
    drawn: Annotated[str | None, Shown("G9")]
    """The Clan card drawn."""
    drawn_at: Annotated[int | None, Shown(5)]
    """Its event."""
    luck: Annotated[EstimateShape | None, Shown({"value": 0.02, "error": 0.01})]
    """The chance with `drawn` less the mean over all draws."""
    missed: Annotated[list[int], Shown(())]
    """Stones that could have been claimed."""


class AnalysedPlayerShape(TypedDict):
    """What a player gave away and drew."""

    loss: EstimateShape | None
    """The mean of a turn; null while none is compared."""
    luck: EstimateShape | None
    """The sum of the draws; null while none is weighed."""


class AnalysisShape(TypedDict):
    """What turns and draws were worth."""

    status: Annotated[Literal["none", "queued", "running", "done"], Shown("running")]
    """How far it has come."""
    weighed: int
    """How many are weighed."""
    of: Annotated[int | None, Shown(44)]
    """How many turns there are, once counted."""
    ahead: int | None
    """How many come before it."""
    north: AnalysedPlayerShape
    south: AnalysedPlayerShape
    turns: list[AnalysedTurnShape]
    """Those weighed, in their order."""
