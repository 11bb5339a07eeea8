"""A board as small as a thumb, for lists of games: a few shapes, and no numbers.

Each card is a strip in its clan's colour, each Stone a dome that has moved to its owner. Each
colour is a single path, so that a list of fifty boards stays light. The page's stylesheet colours
the classes: `R` to `P` and `tactic` for cards, `free`, `above` and `below` for Stones.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Final

from engine import OTHER, Seat
from engine.cards import CLAN_CARDS
from engine.game import Stone

_COLUMN: Final = 14
_STRIP: Final = 5
"""The distance from one card to the next."""
_MIDDLE: Final = 33
"""The vertical position of free Stones."""
_NEAR: Final = 10
"""The distance from the middle to the first card on either side."""
_CROSSED: Final = 4
"""The distance that a claimed Stone has moved towards its owner."""
HEIGHT: Final = 2 * _MIDDLE
WIDTH: Final = 9 * _COLUMN + 2


@lru_cache(maxsize=512)  # a list is requested again and again, and Stones are values
def small_board(stones: tuple[Stone, ...], below: Seat) -> str:
    """The board as SVG markup, `below` on the near side. It has no text: show the score beside
    it."""
    paths = defaultdict[str, str](str)
    for column, stone in enumerate(stones):
        x = 1 + _COLUMN * column
        shift = 0 if stone.owner is None else _CROSSED if stone.owner == below else -_CROSSED
        whose = {None: "free", below: "below"}.get(stone.owner, "above")
        paths[whose] += f"M{x + 2} {_MIDDLE + 5 + shift}v-5a5 5 0 0 1 10 0v5z"
        for row, card in enumerate(stone.sides[below]):
            paths[_cloth(card)] += f"M{x + 2} {_MIDDLE + _NEAR + row * _STRIP}h10v4h-10z"
        for row, card in enumerate(stone.sides[OTHER[below]]):
            paths[_cloth(card)] += f"M{x + 2} {_MIDDLE - _NEAR - 4 - row * _STRIP}h10v4h-10z"
    drawn = "".join(f'<path class="{name}" d="{path}"/>' for name, path in paths.items())
    return (
        f'<svg class="small-board" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{drawn}</svg>'
    )


def _cloth(card: str) -> str:
    return card[0] if card in CLAN_CARDS else "tactic"
