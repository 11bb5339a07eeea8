"""The shapes of answers about what the turns of a finished game were worth."""

from typing import Literal, TypedDict

from engine import Seat


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
