"""The line of winning chances of a finished game, as coordinates of a drawing.

The drawing is a hundred wide and a hundred high. At its top the player `below`, the reader or who
sits in the reader's place, has won, and at its bottom the other.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from engine import OTHER, Seat
from service.bots.analysis import WeighedTurn
from service.games.analysis.summary import CERTAIN, Telling

_MARGIN: Final = 4.0
"""Free room at the left and right."""


class ChanceLine(NamedTuple):
    """A player's chances in one round, as that player saw them: the points of a line, and of the
    band of its uncertainty."""

    seat: Seat
    points: str
    band: str


class ChanceMark(NamedTuple):
    """Where a turn that mattered stands, by its number in the list of them; `is_above` the mark of
    the same turn's play."""

    number: int
    x: float
    y: float
    is_above: bool


class ChanceChart(NamedTuple):
    """All of the drawing. `rounds` is where the rounds after the first begin."""

    lines: Sequence[ChanceLine]
    marks: Sequence[ChanceMark]
    rounds: Sequence[float]


def chart_of(turns: Sequence[WeighedTurn], most: Sequence[Telling], below: Seat) -> ChanceChart:
    """The drawing of these turns, on which those that mattered `most` are marked."""
    step = (100 - 2 * _MARGIN) / max(1, len(turns) - 1)
    places = {turn.seq: _MARGIN + number * step for number, turn in enumerate(turns)}
    begun = {turn.round: places[turn.seq] for turn in reversed(turns)}
    marks = [
        ChanceMark(number, places[seq], _height(each.turn.chance.value, each.turn.seat, below), up)
        for number, each in enumerate(most, 1)
        for seq in (each.turn.seq,)
        for up in (seq in [other.turn.seq for other in most[: number - 1]],)
    ]
    lines = [
        _line([turn for turn in turns if (turn.round, turn.seat) == part], part[1], below, places)
        for part in [(played, seat) for played in sorted(begun) for seat in (OTHER[below], below)]
    ]
    return ChanceChart(lines, marks, [x - step / 2 for played, x in begun.items() if played > 1])


def _line(
    turns: Sequence[WeighedTurn], seat: Seat, below: Seat, places: Mapping[int, float]
) -> ChanceLine:
    def points(errors: float) -> list[str]:
        chances = [turn.chance.value + errors * turn.chance.error for turn in turns]
        heights = [_height(min(1.0, max(0.0, chance)), seat, below) for chance in chances]
        return [f"{places[turn.seq]:.1f},{y:.1f}" for turn, y in zip(turns, heights, strict=True)]

    band = [*points(CERTAIN), *reversed(points(-CERTAIN))]
    return ChanceLine(seat, " ".join(points(0)), " ".join(band))


def _height(chance: float, seat: Seat, below: Seat) -> float:
    return 100 * (1 - chance if seat == below else chance)
