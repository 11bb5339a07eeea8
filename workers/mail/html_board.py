"""Draws the board and the hand for the HTML part: tables of coloured cells, each with its letters.

Nine columns of equal width fit a phone of 320 pixels. Every colour is backed by a letter, a number
or a mark. The cells make up most of a mail, so each is rendered once per process, and without a
template, which would take as long for them as for everything else.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from markupsafe import Markup, escape

from engine import Seat, SeenStone, View
from engine.cards import BIT
from service.text.board import sides
from service.text.card_names import full_name
from service.text.drawing.cards import PANELS, TACTIC
from service.text.drawing.tartans import SETTS, stripes
from workers.mail.palette import CLAIMED, STONE

BELOW: Final = "▼"
"""Marks a Stone claimed by the side shown below."""
ABOVE: Final = "▲"
_FIRST: Final = "*"
_EMPTY: Final = "<td></td>"
_NO_CARD: Final = "<td>·</td>"
_IN_HAND: Final = (
    "display:inline-block;min-width:28px;margin-right:2px;border-radius:6px;"
    "text-align:center;vertical-align:middle;font-weight:700;line-height:38px"
)


def board_rows(view: View) -> Markup:
    """Return the table's rows, of nine places each, starting with the upper cards farthest from the
    Stones."""
    above, below = sides(view)
    stones = view.stones
    numbers = [_number(stone.number, stone.owner, above) for stone in stones]
    modes = _rows([[_card(mode) for mode in stone.modes] for stone in stones])
    upper = _rows([_side(stone, above) for stone in stones])
    lower = _rows([_side(stone, below) for stone in stones])
    rows = [*reversed(upper), numbers, *modes, *lower]
    return Markup("\n".join(f"<tr>{''.join(row)}</tr>" for row in rows))


def hand(cards: Iterable[str], links: Mapping[str, str]) -> Markup:
    """Return the cards of a hand, side by side, each as a link if `links` has a URL for it."""
    shown = (_link(card, links[card]) if card in links else _in_hand(card) for card in cards)
    return Markup("\n".join(shown))


def _link(card: str, link: str) -> Markup:
    style, name = _style_in_hand(card), full_name(card)
    return Markup(f'<a href="{escape(link)}" title="{name}" style="{style}">{card}</a>')


def _side(stone: SeenStone, seat: Seat) -> list[str]:
    cards = stone.side(seat)
    if not cards:
        return [_NO_CARD]
    mark = _FIRST if stone.completed_first == seat else ""
    return [*map(_card, cards[:-1]), _card(cards[-1], mark)]


def _rows(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    """Turn columns of cells into rows."""
    height = max(map(len, columns))
    return [
        [column[row] if row < len(column) else _EMPTY for column in columns]
        for row in range(height)
    ]


@cache
def _number(number: int, owner: Seat | None, above: Seat) -> str:
    ground, ink = STONE if owner is None else CLAIMED[owner]
    mark = "" if owner is None else ABOVE if owner == above else BELOW
    return f'<td bgcolor="{ground}" style="color:{ink}">{number}{mark}</td>'


@cache
def _card(card: str, mark: str = "") -> str:
    ground, ink = _colours(card)
    size = "" if card in BIT else ";font-size:10px"
    name = full_name(card)
    return f'<td bgcolor="{ground}" style="color:{ink}{size}" title="{name}">{card}{mark}</td>'


@cache
def _in_hand(card: str) -> str:
    return f'<span title="{full_name(card)}" style="{_style_in_hand(card)}">{card}</span>'


@cache
def _style_in_hand(card: str) -> str:
    ground, ink = _colours(card)
    size = "padding:0 5px" if card in BIT else "padding:0 2px;font-size:13px"
    return f"{_IN_HAND};{size};background:{ground}{_tartan(card)};color:{ink}"


def _colours(card: str) -> tuple[str, str]:
    """Return the background of a card, and the colour of its text."""
    return PANELS[card[0]] if card in BIT else TACTIC


def _tartan(card: str) -> str:
    """Return CSS for a border in the tartan of the card's clan; empty for a Tactic card."""
    if card not in BIT:
        return ""
    return f" {stripes(SETTS[card[0]])} bottom/100% 6px no-repeat"
