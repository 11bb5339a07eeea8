"""No text lies over another or is cut, at any width, with the longest of names."""

from collections.abc import Iterable

import pytest

from tests.support.browser import Visit
from tests.support.gallery import Gallery, Shown
from tests.support.site import Site
from tests.web.browser.checks import ON_ALL_TABS, TEXT_FAULTS, walk

LONG = ("Donaudampfschifffahrtsgesellschaft", "Ada Rindfleischetikettierungsgesetz")
WIDTHS = (320, 360, 375, 768, 1280, 1920)


@pytest.fixture(scope="module")
def gallery(site: Site) -> Gallery:
    return Gallery(site, LONG)


def test_of_passers_by(gallery: Gallery, visit: Visit) -> None:
    check([shown for shown in gallery.of_passers_by() if not is_game(shown)], visit)


def test_of_a_game(gallery: Gallery, visit: Visit) -> None:
    check([*filter(is_game, gallery.of_passers_by()), *gallery.of_a_game()], visit)


def is_game(shown: Shown) -> bool:
    return shown.name.startswith("game-")


def test_of_players(gallery: Gallery, visit: Visit) -> None:
    check(gallery.of_players(), visit)


def test_the_walk_finds_texts_that_are_cut_or_lie_over_others(visit: Visit) -> None:
    page = visit("/sign-in", viewport={"width": 375, "height": 800}).page
    assert page.evaluate(TEXT_FAULTS) == []
    page.evaluate(
        """() => {
          const put = (text, style) => {
            const made = document.createElement("div");
            made.textContent = text;
            Object.assign(made.style, style);
            document.querySelector("main").append(made);
          };
          put("below", {height: "20px"});
          put("above", {marginTop: "-20px"});
          put("too long for it", {width: "40px", overflow: "hidden", whiteSpace: "nowrap"});
        }"""
    )
    assert sorted(page.evaluate(TEXT_FAULTS)) == [
        "cut: too long for it",
        "one over the other: below | above",
    ]


def check(pages: Iterable[Shown], visit: Visit) -> None:
    """Look at each page at each width."""
    found = []
    for shown, page in walk(pages, visit):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            faults = page.evaluate(ON_ALL_TABS)
            found += [f"{shown.name} at {width}: {fault}" for fault in faults]
    assert not found, "\n".join(found)
