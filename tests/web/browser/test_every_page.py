"""What holds for every page, at a phone's width, in both themes, with the worst of names."""

from collections.abc import Iterable

import pytest
from flask import Flask

from tests.support.browser import Visit, Watched
from tests.support.gallery import HOSTILE, Gallery, Shown
from tests.support.site import Site
from tests.web.browser.checks import PHONE, faults

ELSEWHERE = {"static", "games", "games_list", "record", "confirm_sign_in", "mail_html"}
ELSEWHERE |= {"arrival", "begin_open_id", "finish_open_id"}
ELSEWHERE |= {"news", "game_news", "calendar", "atom", "push_worker"}
ELSEWHERE |= {
    "find_operator_game",
    "manifest",
    "icon",
    "preview",
    "preview_invitation",
    "picture_end",
}
"""What is no page, or part of one, takes a link that is sent by mail, or a sign-in elsewhere."""


@pytest.fixture(scope="module")
def gallery(site: Site) -> Gallery:
    return Gallery(site, HOSTILE)


# A class each: those who share out the tests give a class to one process.
class TestPages:
    def test_of_passers_by_are_ones_for_everybody(self, gallery: Gallery, visit: Visit) -> None:
        check(gallery.of_passers_by(), visit)

    def test_none_is_left_out(self, site: Site, app: Flask) -> None:
        adapter = app.url_map.bind("localhost")
        gallery = Gallery(site, HOSTILE)
        pages = [*gallery.pages(), *gallery.of_the_operator()]
        seen = {adapter.match(shown.path.partition("?")[0])[0] for shown in pages}
        for rule in app.url_map.iter_rules():
            if rule.endpoint.startswith("web.") and "GET" in (rule.methods or ()):
                assert rule.endpoint in seen or rule.endpoint.removeprefix("web.") in ELSEWHERE


class TestPagesOfPlayers:
    def test_are_ones_for_everybody(self, gallery: Gallery, visit: Visit) -> None:
        check(gallery.of_players(), visit)


class TestPagesOfAGame:
    def test_are_ones_for_everybody(self, gallery: Gallery, visit: Visit) -> None:
        check(gallery.of_a_game(), visit)


class TestPagesOfTheOperator:
    def test_are_ones_for_everybody(self, gallery: Gallery, visit: Visit) -> None:
        page = visit(gallery.operator_link(), viewport=PHONE).page
        page.get_by_role("button", name="Open").click()
        found = []
        for shown in gallery.of_the_operator():
            answer = page.goto(shown.path)
            assert answer is not None
            assert answer.status == shown.status, shown
            found += [f"{shown.name}: {fault}" for fault in faults(page)]
        assert not found, "\n".join(found)


def check(pages: Iterable[Shown], visit: Visit) -> None:
    """Each person looks at theirs, one after the other."""
    people: dict[str | None, Watched] = {}
    found = []
    for shown in pages:
        if shown.player not in people:
            people[shown.player] = visit("about:blank", shown.player, viewport=PHONE)
        watched = people[shown.player]
        watched.allowed = {304, shown.status}
        answer = watched.page.goto(shown.path)
        assert answer is not None
        assert answer.status == shown.status, shown
        found += [f"{shown.name}: {fault}" for fault in faults(watched.page)]
    assert not found, "\n".join(found)
