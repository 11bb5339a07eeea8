"""The pictures of cards: one sprite for the pages, and pictures that stand by themselves."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from engine.cards import CLAN_CARDS, COLORS, STRENGTHS, TACTIC_CARDS, full_name
from service.core.words import ENGLISH, PSEUDO_CODE, Languages
from service.text.card_names import card_name
from service.text.drawing.cards import (
    HOUSE,
    SETTS,
    Sett,
    picture,
    sprite,
    stripes,
    tactic_sprite,
    weave,
)

SYMBOL = "{http://www.w3.org/2000/svg}symbol"


def test_the_sprite_has_all_that_pages_use() -> None:
    found = {symbol.get("id") for symbol in ElementTree.fromstring(sprite()).iter(SYMBOL)}

    assert {f"card-{clan}" for clan in COLORS} <= found
    assert {f"c{strength}" for strength in STRENGTHS} <= found
    assert {f"chip-{clan}" for clan in COLORS} <= found
    assert {*COLORS, "back-clan", "back-tactic", "flag-above", "path"} <= found
    assert not found.intersection(TACTIC_CARDS)


@pytest.mark.parametrize("card", [*CLAN_CARDS, *dict.fromkeys(TACTIC_CARDS)])
def test_a_picture_stands_by_itself(card: str) -> None:
    drawn = ElementTree.fromstring(picture(ENGLISH, card))

    assert drawn.get("aria-label") == card_name(ENGLISH, card)
    assert "var(--panel" not in picture(ENGLISH, card)
    words = "".join(drawn.itertext())
    assert card not in words
    if card in TACTIC_CARDS:
        assert re.sub(r"\W", "", words) == re.sub(r"\W", "", full_name(card))


def _form(sett: Sett) -> list[tuple[int, float]]:
    """The sett without its colours: which threads are alike, and how broad each stripe is."""
    colours = list(dict.fromkeys(thread.colour for thread in sett))
    whole = sum(thread.width for thread in sett)
    return [(colours.index(colour), count / whole) for colour, count in sett]


def test_tartans_differ_in_form_and_not_only_in_colour() -> None:
    for one, other in combinations((*SETTS.values(), HOUSE["clan"]), 2):
        assert _form(one) != _form(other)


@pytest.mark.parametrize("clan", COLORS)
def test_a_tartan_repeats_forth_and_back_in_both_directions(clan: str) -> None:
    sett = SETTS[clan]
    repeat = 2 * sum(thread.width for thread in sett) - sett[0].width - sett[-1].width

    cloth = ElementTree.fromstring(f"<g>{weave(sett, 46, 14)}</g>")
    dashes = [path.get("stroke-dasharray") for path in cloth.iter("path")]
    lengths = [sum(map(float, dash.split())) / 0.6 for dash in dashes if dash]

    assert lengths == pytest.approx([repeat] * len(lengths))
    colours = {thread.colour for thread in sett}
    assert len(lengths) == 2 * (len(colours) - 1)
    assert f"{repeat}px)" in stripes(sett)


def test_tactic_cards_have_their_names_in_each_language() -> None:
    words = Languages().words(PSEUDO_CODE)

    drawn = ElementTree.fromstring(tactic_sprite(words))

    plates = {symbol.get("id"): "".join(symbol.itertext()) for symbol in drawn}
    assert plates.keys() == {*TACTIC_CARDS, *(f"card-{code}" for code in TACTIC_CARDS)}
    for code in TACTIC_CARDS:
        assert re.sub(r"\s", "", plates[f"card-{code}"]) == re.sub(
            r"\s", "", card_name(words, code)
        )
