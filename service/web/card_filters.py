"""Functions about cards for the templates."""

from collections.abc import Iterable
from typing import NamedTuple

from engine import View
from engine.cards import CLAN_CARDS, COLORS, STRENGTHS
from service.text.card_names import BY_NAME, CLANS, NAMED, full_name, unmarked
from service.web.blueprint import blueprint

blueprint.add_app_template_filter(full_name, "card_name")
blueprint.add_app_template_filter(unmarked)


@blueprint.app_template_test("clan_card")
def is_clan_card(code: str) -> bool:
    """Whether this is a Clan card."""
    return code in CLAN_CARDS


@blueprint.app_template_filter()
def cards_named(sentence: str) -> list[tuple[str, str]]:
    """Return the sentence in parts: each is the code of a card and its name, or `""` and other
    words."""
    kind = type(sentence)  # markup stays markup, in which names are escaped already
    parts = NAMED.split(sentence)
    return [(BY_NAME.get(part, ""), kind(unmarked(part))) for part in parts if part]


class Cell(NamedTuple):
    """A Clan card in a row. `unseen`: the reader has not seen it."""

    strength: int
    unseen: bool


class Row(NamedTuple):
    """The nine cards of a clan."""

    clan: str
    name: str
    cells: list[Cell]

    @property
    def left(self) -> int:
        """Return the number of these cards that the reader has not seen."""
        return sum(cell.unseen for cell in self.cells)


def unseen_rows(view: View) -> list[Row]:
    """Return all Clan cards, clan by clan, and mark the unseen ones: in the decks, or in hands that
    the reader cannot see."""
    seen = set(shown_cards(view))
    return [
        Row(
            clan, CLANS[clan], [Cell(number, f"{clan}{number}" not in seen) for number in STRENGTHS]
        )
        for clan in COLORS
    ]


def shown_cards(view: View) -> Iterable[str]:
    """Yield the cards that this view shows, except Combat Modes on Stones."""
    for stone in view.stones:
        yield from (*stone.north, *stone.south)
    yield from view.discard
    for hand in view.hands.values():
        yield from hand.cards or ()
