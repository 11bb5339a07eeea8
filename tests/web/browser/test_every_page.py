"""What holds for every page, at a phone's width, in both themes, with the worst of names."""

import pytest
from flask import Flask

from tests.support.browser import Visit
from tests.support.gallery import HOSTILE, Gallery, Shown
from tests.support.site import Site
from tests.web.browser.checks import PHONE, faults

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


def test_no_page_is_left_out(site: Site, pages: list[Shown], app: Flask) -> None:
    adapter = app.url_map.bind("localhost")
    seen = {adapter.match(shown.path.partition("?")[0])[0] for shown in pages}
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("web.") and "GET" in (rule.methods or ()):
            assert rule.endpoint in seen or rule.endpoint.removeprefix("web.") in ELSEWHERE
