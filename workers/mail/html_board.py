"""The board and the hand for the HTML part: tables of coloured cells, each with its letters.

Nine columns of equal width fit a telephone of 320 pixels; whatever is told by colour is told by a
letter, a number or a mark too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine import Seat
from engine.cards import BIT
from service.text.board import sides
from service.text.card_names import full_name
from workers.mail.palette import CLAIMED, CLANS, STONE, TACTIC

View = Mapping[str, Any]

BELOW: Final = "▼"
"""Marks a Stone claimed by the side that is shown below."""
ABOVE: Final = "▲"
_FIRST: Final = "*"


class BoardCell(NamedTuple):
    """What stands in a place, and how: the colours of ground and ink (none of an empty place), a
    name to hover over, and whether its text is long."""

    text: str = ""
    ground: str = ""
    ink: str = ""
    name: str = ""
    is_long: bool = False


def board_rows(view: View) -> list[list[BoardCell]]:
    """The rows of nine places, from the cards above that lie farthest from the Stones."""
    above, below = sides(view)
    stones = view["stones"]
    numbers = [_number(stone, above) for stone in stones]
    modes = _rows([[_card(mode) for mode in stone["modes"]] for stone in stones])
    upper = _rows([_side(stone, above) for stone in stones], least=1)
    lower = _rows([_side(stone, below) for stone in stones], least=1)
    return [*reversed(upper), numbers, *modes, *lower]


def hand_cells(cards: Iterable[str]) -> list[BoardCell]:
    """The cards of a hand."""
    return [_card(card) for card in cards]


def _number(stone: View, above: Seat) -> BoardCell:
    owner = stone["owner"]
    if owner is None:
        return BoardCell(str(stone["number"]), *STONE)
    mark = ABOVE if owner == above else BELOW
    return BoardCell(f"{stone['number']}{mark}", *CLAIMED[owner])


def _side(stone: View, seat: Seat) -> list[BoardCell]:
    cells = [_card(card) for card in stone[seat]]
    if cells and stone["completed_first"] == seat:
        cells[-1] = cells[-1]._replace(text=cells[-1].text + _FIRST)
    return cells or [BoardCell("·")]


def _card(card: str) -> BoardCell:
    if card in BIT:
        return BoardCell(card, *CLANS[card[0]], full_name(card))
    return BoardCell(card, *TACTIC, full_name(card), is_long=True)


def _rows(columns: Sequence[Sequence[BoardCell]], least: int = 0) -> list[list[BoardCell]]:
    height = max(least, *map(len, columns))
    return [[*_at(columns, row)] for row in range(height)]


def _at(columns: Sequence[Sequence[BoardCell]], row: int) -> Iterator[BoardCell]:
    return (column[row] if row < len(column) else BoardCell() for column in columns)
