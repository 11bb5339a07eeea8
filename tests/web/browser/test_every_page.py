"""What holds for every page, at a phone's width, in both themes, with the worst of names."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Page

from tests.support.browser import Visit
from tests.support.gallery import HOSTILE, Gallery, Shown
from tests.support.site import Site

PHONE = {"width": 360, "height": 740}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ELSEWHERE = {"static", "games_list", "record", "confirm_sign_in", "mail_html"}
ELSEWHERE |= {"news", "game_news", "calendar", "atom", "push_worker"}
"""What is no page, or part of one, or takes a link that is sent by mail."""


@pytest.fixture(scope="module")
def pages(site: Site) -> list[Shown]:
    return Gallery(site, HOSTILE).pages()


def test_every_page_is_one_for_everybody(pages: list[Shown], visit: Visit) -> None:
    found = []
    for shown in pages:
        watched = visit("about:blank", shown.player, viewport=PHONE)
        watched.allowed.add(shown.status)
        answer = watched.page.goto(shown.path)
        assert answer is not None
        assert answer.status == shown.status, shown
        found += [f"{shown.name}: {fault}" for fault in faults(watched.page)]
        watched.page.context.close()
    assert not found, "\n".join(found)


def faults(page: Page) -> Iterator[str]:
    """What is wrong with this page for somebody."""
    # Only colours differ in the dark.
    for scheme, rules in (("light", RULES), ("dark", ["color-contrast"])):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(
            page, options={"runOnly": rules, "resultTypes": ["violations"], "preload": False}
        )
        for violation in found.response["violations"]:
            for node in violation["nodes"]:
                yield f"{scheme}: {violation['id']}: {node['html'][:200]}"
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > PHONE["width"]:
        yield f"{wide} pixels wide"
    if page.get_by_role("heading", level=1).count() != 1:
        yield "not one heading"
    if not page.title().endswith("Scottenbury"):
        yield f"the title {page.title()}"


def test_no_page_is_left_out(site: Site, pages: list[Shown], app: Flask) -> None:
    adapter = app.url_map.bind("localhost")
    seen = {adapter.match(shown.path.partition("?")[0])[0] for shown in pages}
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("web.") and "GET" in (rule.methods or ()):
            assert rule.endpoint in seen or rule.endpoint.removeprefix("web.") in ELSEWHERE
