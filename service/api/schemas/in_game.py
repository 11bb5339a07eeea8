"""Of a game beside its turns: messages, offers, standing orders, what turns were worth."""

from typing import Annotated, Literal, NotRequired, TypedDict

from marshmallow.validate import Length, OneOf, Range

from engine import Seat
from service.api.schemas.clocks import OpenPeriodShape
from service.api.schemas.fields import Moment, cursor
from service.api.schemas.inputs import MAX_ACTIONS, Actions, Limit
from service.api.schemas.outputs import GameStatus
from service.api.schemas.players import NextCursor
from service.api.shapes import Alternative, Default, Example, Keyword, Timestamp, rules
from service.games.agreements.offers import LAST_NUMBER
from service.games.change.draft import ABANDONMENT, PAUSE
from service.games.conversation import moderation
from service.games.conversation.store import LONGEST

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

    number: _Number
    """The number of the last message that I have read."""


class MessageReportInput(TypedDict):
    """A message for the operator to see."""

    number: _Number
    """The number of the message."""
    reason: Annotated[str, Default(""), Length(max=moderation.LONGEST_REASON)]
    """What is wrong with it, for the operator."""


class MessageShape(TypedDict):
    """A message between the two players of a game."""

    number: int
    """Messages of a game are numbered from 1."""
    by: Seat
    created_at: Timestamp
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


STATES = ("offered", "agreed", "declined", "withdrawn")


@rules(
    Alternative("PauseOfferInput", ("kind",), ("until",), {"kind": PAUSE}),
    Alternative("AbandonmentOfferInput", ("kind",), (), {"kind": ABANDONMENT}),
    Alternative("AgreementInput", ("kind", "number")),
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

    kind: Annotated[str, Keyword("x-extensible-enum", (ABANDONMENT, PAUSE))]
    """What is offered."""
    state: Annotated[str, Keyword("x-extensible-enum", tuple(STATES))]
    """What became of it."""
    by: Seat
    """The seat that made it."""
    number: int
    """The number to agree to it with."""
    until: Timestamp | None
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


class TurnOrderInput(TypedDict):
    """A turn to play later."""

    actions: Annotated[Actions, Length(1, MAX_ACTIONS), Example(["R7@3"])]
    """The turn to play if all of it is legal when my turn comes. Nothing can follow a Recruiter or
    a draw."""
    when: Annotated[Actions, Default(list), Length(max=MAX_ACTIONS), Example(["G4@3"])]
    """Play it only if the opponent's turn contained all these actions."""


class OrdersInput(TypedDict):
    """The standing orders."""

    claim_proved: Annotated[bool, Default(False)]
    """Claim every Stone that can be proved: after my play, and at the start of my turn if the
    edition allows it."""
    pass_when_stuck: Annotated[bool, Default(False)]
    """Pass if no card can be played."""
    turn: Annotated[TurnOrderInput | None, Default(None)]
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


class EstimateShape(TypedDict):
    """A chance of winning the round, 0 to 1, or a difference of two."""

    value: float
    """The estimate."""
    error: float
    """Weighed again, 95 % lie within two; 0 if exact."""


class AnalysedTurnShape(TypedDict):
    """A turn, by what its player could see."""

    seq: int
    """The number of the play's event."""
    round: int
    seat: Seat
    played: str
    """The play, as action text."""
    chance: EstimateShape
    """After the play."""
    best: list[str]
    """The best found, with all as good."""
    loss: EstimateShape | None
    """The chance after `best` less that after `played`."""
    drawn: str | None
    """The Clan card drawn."""
    drawn_at: int | None
    """Its event."""
    luck: EstimateShape | None
    """The chance with `drawn` less the mean over all draws."""
    missed: list[int]
    """Stones that could have been claimed."""


class AnalysedPlayerShape(TypedDict):
    """What a player gave away and drew."""

    loss: EstimateShape | None
    """The mean of a turn; null while none is compared."""
    luck: EstimateShape | None
    """The sum of the draws; null while none is weighed."""


class AnalysisShape(TypedDict):
    """What turns and draws were worth."""

    status: Literal["none", "queued", "running", "done"]
    """How far it has come."""
    weighed: int
    """How many are weighed."""
    of: int | None
    """How many turns there are, once counted."""
    ahead: int | None
    """How many come before it."""
    north: AnalysedPlayerShape
    south: AnalysedPlayerShape
    turns: list[AnalysedTurnShape]
    """Those weighed, in their order."""
