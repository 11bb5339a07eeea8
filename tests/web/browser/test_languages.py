"""What pages need in every language: room for longer words, and the same for everybody."""

from collections.abc import Callable, Iterable, Iterator

import pytest
from playwright.sync_api import Page

from service.core.words import PSEUDO_CODE
from service.web.cookies import LANGUAGE
from tests.support.browser import Visit
from tests.support.gallery import Gallery, Shown
from tests.support.shares import share
from tests.support.site import Site
from tests.support.translations import NEARLY_WHOLE
from tests.web.browser.checks import ON_ALL_TABS, faults, walk

WIDTHS = (360, 768, 1280)
Walk = Callable[[Iterable[Shown], str], Iterator[tuple[Shown, Page]]]
PARTS = ("of_passers_by", "of_players", "of_a_game")


@pytest.fixture(scope="module")
def parts(site: Site) -> dict[str, list[Shown]]:
    gallery = Gallery(site)
    return {part: getattr(gallery, part)() for part in PARTS}


@pytest.fixture(params=PARTS)
def pages(request: pytest.FixtureRequest, parts: dict[str, list[Shown]]) -> list[Shown]:
    return parts[request.param]


@pytest.fixture
def walk_in(visit: Visit, site: Site) -> Walk:
    """Shows pages to their readers in a language."""
    return lambda pages, code: walk(
        pages, visit, {"name": LANGUAGE, "value": code, "url": site.url}
    )


def test_longer_words_have_room(pages: list[Shown], walk_in: Walk) -> None:
    found = []
    for shown, page in walk_in(pages, PSEUDO_CODE):
        page.emulate_media(reduced_motion="reduce")  # no card is on its way
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth")
            wrong = page.evaluate(ON_ALL_TABS) + [f"{wide} pixels wide"] * (wide > width)
            found += [f"{shown.name} at {width}: {fault}" for fault in wrong]
    assert not found, "\n".join(found)


# No colour differs by language.
@pytest.mark.parametrize(("first", "code"), [*enumerate(NEARLY_WHOLE)], ids=NEARLY_WHOLE)
def test_each_language_is_one_for_everybody(
    pages: list[Shown], first: int, code: str, walk_in: Walk
) -> None:
    found = [
        f"{shown.name}: {fault}"
        for shown, page in walk_in(share(pages[first:]), code)
        for fault in faults(page, ["light"])
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("code", ["en", *NEARLY_WHOLE])
@pytest.mark.parametrize("width", [320, 360, 375, 390])
def test_the_head_of_a_page_takes_one_row_on_a_phone(walk_in: Walk, code: str, width: int) -> None:
    for _, page in walk_in([Shown("sign-in", "/sign-in")], code):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.querySelector('.top').offsetHeight") < 50
