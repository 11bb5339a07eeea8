"""Functions for the templates that draw: cards, faces, and the parts of a game's page."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from flask import current_app
from markupsafe import Markup

from engine import View
from engine.cards import CLAN_CARDS, COLORS, STRENGTHS, TACTIC_CARDS
from service.accounts.faces import Face, drawing, face_of
from service.container import get_container
from service.core.cache import ThreadSafeCache, recently_used
from service.core.words import Words
from service.text import card_names
from service.text.card_names import tactic_words, unmarked
from service.web.blueprint import blueprint
from service.web.language import reader_words

_DRAWINGS: Final = 1 << 11
"""The most drawings of one kind that a process caches."""
_STONE: Final = re.compile(r"(?<=\b(?:Stone|Stein|borne)) (?=\d)")
"""Matches the space between a Stone and its number, at which no line may break."""
_parts: Final[ThreadSafeCache[tuple[object, ...], str]] = recently_used(2_000_000, len)
"""Parts of pages: some hundred boards with their logs, by characters."""

blueprint.add_app_template_filter(unmarked)


@blueprint.app_template_test("clan_card")
def is_clan_card(code: str) -> bool:
    """Whether this is a Clan card."""
    return code in CLAN_CARDS


@blueprint.app_template_filter()
def card_name(code: str) -> str:
    """Return the full name of a card: `Red 7`."""
    return card_names.card_name(reader_words(), code)


@blueprint.app_template_filter()
def unbroken(sentence: str) -> str:
    """Return the sentence with each number beside its Stone: no line breaks between them."""
    return type(sentence)(_STONE.sub("\N{NO-BREAK SPACE}", sentence))


@blueprint.app_template_filter("cards_named")
def _cards_named(sentence: str) -> list[tuple[str, str]]:
    return [(code, unbroken(part)) for code, part in cards_named(reader_words(), sentence)]


def cards_named(words: Words, sentence: str) -> list[tuple[str, str]]:
    """Return the sentence in parts: each is the code of a card and its name, or `""` and other
    words."""
    kind = type(sentence)  # markup stays markup, in which names are escaped already
    return [(code, kind(unmarked(part))) for code, part in card_names.parts(words, str(sentence))]


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
    cells: tuple[Cell, ...]


def unseen_rows(words: Words, view: View) -> tuple[Row, ...]:
    """Return all Clan cards, clan by clan, and mark those that do not lie face-up: in decks and
    hands, the reader's own too."""
    held = {card for hand in view.hands.values() for card in hand.cards or ()}
    face_up = set(shown_cards(view)) - held
    rows = []
    for clan in COLORS:
        cards = [(number, f"{clan}{number}") for number in STRENGTHS]
        cells = tuple(Cell(number, card not in face_up, card in held) for number, card in cards)
        rows.append(Row(clan, card_names.clan_name(words, clan), cells))
    return tuple(rows)


def hidden_tactics(view: View) -> tuple[str, ...]:
    """Return the Tactic cards that this view does not show; none in a game without them."""
    if not view.tactics:
        return ()
    shown = [*shown_cards(view), *(mode for stone in view.stones for mode in stone.modes)]
    return tuple((Counter(TACTIC_CARDS) - Counter(shown)).elements())


def shown_cards(view: View) -> Iterable[str]:
    """Yield the cards that this view shows, except Combat Modes on Stones."""
    for stone in view.stones:
        yield from (*stone.north, *stone.south)
    yield from view.discard
    for hand in view.hands.values():
        yield from hand.cards or ()


def _drawn(name: str) -> Callable[..., Markup]:
    """Return the macro of this name in `cards.html`, which draws the same only once.

    It depends on its arguments alone. A page draws some two hundred cards, flags and sentences.
    """

    # typed: markup and text may be equal, but only the text has to be escaped.
    @lru_cache(_DRAWINGS, typed=True)
    def draw(language: str, *args: object, **options: object) -> Markup:
        macro = getattr(current_app.jinja_env.get_template("cards.html").module, name)
        return Markup(macro(*args, **options))

    return lambda *args, **options: draw(reader_words().language, *args, **options)


for _name in ("card", "back", "boundary_stone", "flag", "chips", "unseen"):
    blueprint.add_app_template_global(_drawn(_name), _name)

_mark: Final = _drawn("mark")


@blueprint.app_template_global()
def counted_cards(clan: int, tactic: int) -> str:
    """Return the numbers of cards from each deck, in words."""
    return card_names.count_cards(reader_words(), clan, tactic)


@blueprint.app_template_global()
def tactic_text(code: str) -> str:
    """Return what a Tactic card does, in a sentence."""
    return tactic_words(reader_words(), code)


@blueprint.app_template_global()
def drawn_once(part: str, key: tuple[object, ...] | None, caller: Callable[[], str]) -> str:
    """Return a block of a template as it was drawn for the same `key` before; None draws it.

    `key` has all that the block depends on: it shows no form token, and nothing of an account or
    of now.
    """
    drawn = (part, reader_words().language, *(key or ()))
    return _parts.get_or_make(drawn, caller) if key else caller()


@blueprint.app_template_global("face_of")
def shown_face(player_id: str, chosen: str = "") -> Face:
    """Return a player's mark: `chosen`, or the one that came with the name, or that of the id."""
    return face_of(player_id, chosen or get_container().players.chosen_face(player_id))


@blueprint.app_template_global()
def face(player_id: str, chosen: str = "") -> Markup:
    """Draw the mark of a player."""
    return _mark(shown_face(player_id, chosen))


def mark_drawing(player_id: str) -> str:
    """Return the mark of a player as SVG, for a picture."""
    return drawing(shown_face(player_id))
