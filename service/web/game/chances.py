"""The winning chances in a finished game, as coordinates of a drawing.

The drawing is 100 wide and 100 high. Its top means that the player `below` (the reader, or the
player shown in the reader's place) has won; its bottom means that the other player has.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from engine import OTHER, Seat
from service.bots.analysis import CERTAIN, WeighedTurn
from service.games.analysis import KeyMoment

_MARGIN: Final = 4.0
"""The free space at the left and right."""
_LEAST_HEIGHT: Final = 1.7
"""The pixels of one unit of height on a phone."""
_MARK_WIDTH, _MARK_HEIGHT = 8, 12
"""The units that a mark takes there."""
_LIFTS: Final = (0, -23, 23, -46, 46)
_MOST_TICKS: Final = 6
_TICKS_EVERY: Final = (1, 2, 5, 10, 20, 50, 100, 200)


class ChanceLine(NamedTuple):
    """A player's chances in one round, as that player saw them. `points` are those of a line,
    `band` those of the area of its uncertainty."""

    seat: Seat
    points: str
    band: str


class ChanceMark(NamedTuple):
    """The position of a turn that mattered, with its `number` in the list of such turns.

    `lift`: how many pixels below it the mark is drawn; less than 0 means above it.
    """

    number: int
    x: float
    y: float
    lift: int


class ChanceTick(NamedTuple):
    """The x coordinate of a turn, by its `number` in its round."""

    number: int
    x: float


class ChanceChart(NamedTuple):
    """The whole drawing. `rounds`: the x coordinates at which the rounds after the first begin;
    `ticks`: the turns that are numbered below it."""

    lines: Sequence[ChanceLine]
    marks: Sequence[ChanceMark]
    rounds: Sequence[float]
    ticks: Sequence[ChanceTick]


def chart_of(turns: Sequence[WeighedTurn], most: Sequence[KeyMoment], below: Seat) -> ChanceChart:
    """Return the drawing of these turns, with marks at those that mattered `most`."""
    step = (100 - 2 * _MARGIN) / max(1, len(turns) - 1)
    places = {turn.seq: _MARGIN + number * step for number, turn in enumerate(turns)}
    begun = {turn.round: places[turn.seq] for turn in reversed(turns)}
    marks: list[ChanceMark] = []
    for turn in (each.turn for each in most):
        marks.append(_mark(places[turn.seq], _height(turn.chance.value, turn.seat, below), marks))
    lines = [
        _line([turn for turn in turns if (turn.round, turn.seat) == part], part[1], below, places)
        for part in [(played, seat) for played in sorted(begun) for seat in (OTHER[below], below)]
    ]
    rounds = [x - step / 2 for played, x in begun.items() if played > 1]
    every = next(each for each in _TICKS_EVERY if len(turns) // each <= _MOST_TICKS)
    ticks = [
        ChanceTick(number, places[turn.seq])
        for number, turn in numbered(turns)
        if number % every == 0
    ]
    return ChanceChart(lines, marks, rounds, ticks)


def _mark(x: float, y: float, others: Sequence[ChanceMark]) -> ChanceMark:
    """Return the next mark, drawn clear of the others in the smallest drawing."""

    def is_clear(lift: int) -> bool:
        height = y + lift / _LEAST_HEIGHT
        near = (each for each in others if abs(each.x - x) < _MARK_WIDTH)
        apart = (abs(each.y + each.lift / _LEAST_HEIGHT - height) > _MARK_HEIGHT for each in near)
        return height >= 0 and all(apart)

    lift = next(filter(is_clear, _LIFTS), 0)
    return ChanceMark(len(others) + 1, x, y, lift)


def numbered(turns: Iterable[WeighedTurn]) -> Iterator[tuple[int, WeighedTurn]]:
    """Yield each turn with its number in its round, from 1."""
    for _, of_round in groupby(turns, lambda turn: turn.round):
        yield from enumerate(of_round, 1)


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
