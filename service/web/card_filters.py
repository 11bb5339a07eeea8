"""Functions about cards for the templates."""

from collections.abc import Iterable
from typing import NamedTuple

from engine import View
from engine.cards import CLAN_CARDS, CLANS, COLORS, STRENGTHS, full_name
from service.text.card_names import BY_NAME, NAMED, unmarked
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
    """A Clan card in a row. `unseen`: it does not lie face-up, as claims count it (ruling 15).
    `held`: it is in a hand that the reader sees."""

    strength: int
    unseen: bool
    held: bool


class Row(NamedTuple):
    """The nine cards of a clan."""

    clan: str
    name: str
    cells: list[Cell]


def unseen_rows(view: View) -> list[Row]:
    """Return all Clan cards, clan by clan, and mark those that do not lie face-up: in decks and
    hands, the reader's own too."""
    held = {card for hand in view.hands.values() for card in hand.cards or ()}
    face_up = set(shown_cards(view)) - held
    rows = []
    for clan in COLORS:
        cards = [(number, f"{clan}{number}") for number in STRENGTHS]
        cells = [Cell(number, card not in face_up, card in held) for number, card in cards]
        rows.append(Row(clan, CLANS[clan], cells))
    return rows


def shown_cards(view: View) -> Iterable[str]:
    """Yield the cards that this view shows, except Combat Modes on Stones."""
    for stone in view.stones:
        yield from (*stone.north, *stone.south)
    yield from view.discard
    for hand in view.hands.values():
        yield from hand.cards or ()
