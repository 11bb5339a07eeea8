"""What holds for every page, at a phone's width, in both themes, with the worst of names."""

from collections.abc import Iterable

import pytest
from flask import Flask

from tests.support.browser import Visit
from tests.support.gallery import HOSTILE, Gallery, Shown
from tests.support.site import Site
from tests.web.browser.checks import PHONE, faults, walk

ELSEWHERE = {"static", "games", "games_list", "record", "confirm_sign_in", "mail_html"}
ELSEWHERE |= {"arrival", "begin_open_id", "finish_open_id"}
ELSEWHERE |= {"news", "game_news", "calendar", "atom", "push_worker"}
ELSEWHERE |= {"season_calendar", "season_feed"}
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
    found = [
        f"{shown.name}: {fault}" for shown, page in walk(pages, visit) for fault in faults(page)
    ]
    assert not found, "\n".join(found)


class TestLongNames:
    """Names of several long words, on the narrowest of phones."""

    NAMES = ("Alexandrina Victoria Campbell", "Bartholomew Featherstonehaugh")
    BROKEN = """names => {
      const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
      const broken = [];
      while (texts.nextNode()) for (const word of names.flatMap(name => name.split(" "))) {
        const at = texts.currentNode.data.indexOf(word);
        if (at < 0 || texts.currentNode.parentElement.offsetWidth < 2) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + word.length);
        if (new Set([...range.getClientRects()].map(box => box.top)).size > 1) broken.push(word);
      }
      return broken;
    }"""

    def test_are_broken_between_words_alone(self, site: Site, visit: Visit) -> None:
        gallery = Gallery(site, self.NAMES)
        names = {"new-game", "mailbox", "lobby", "player-known", "home-signed-in"}
        names |= {"challenge-received", "daily-yesterday", "finished-games"}
        pages = [shown for shown in gallery.pages() if shown.name in names]
        assert len(pages) == len(names)
        narrow = {"width": 320, "height": 640}
        people = {
            player: visit("about:blank", player, viewport=narrow).page
            for player in {shown.player for shown in pages}
        }
        found = []
        for shown in pages:
            page = people[shown.player]
            page.goto(shown.path)
            assert page.evaluate("document.documentElement.scrollWidth") == 320, shown
            found += [f"{shown.name}: {word}" for word in page.evaluate(self.BROKEN, self.NAMES)]
        assert found == []


def test_the_requests_to_try_fit_on_a_phone(visit: Visit) -> None:
    page = visit("/docs/console", viewport=PHONE).page
    page.get_by_role("button", name="get /v1/me", exact=False).first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
