"""What holds for every page, in all languages, at all widths, in both themes, with the worst of
names: it is one for everybody, and no text lies over another or is cut."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

import pytest
from flask import Flask
from playwright.sync_api import Page

from service.core.words import PSEUDO_CODE
from service.web.cookies import LANGUAGE
from tests.support.browser import Visit, at_rest
from tests.support.gallery import HOSTILE, Gallery, Shown
from tests.support.shares import IS_WHOLE
from tests.support.site import Site
from tests.support.translations import NEARLY_WHOLE
from tests.web.browser.checks import ON_ALL_TABS, PHONE, SCHEMES, TEXT_FAULTS, People, faults, walk

ELSEWHERE = {"static", "games", "games_list", "record", "confirm_sign_in", "mail_html"}
ELSEWHERE |= {"arrival", "begin_open_id", "finish_open_id", "switch_language"}
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
LANGUAGES: Final = ("en", *NEARLY_WHOLE, PSEUDO_CODE)
WIDTHS: Final = ((320, 768), (360, 1280), (375, 1920))
"""A phone's and another, by turns."""
ALWAYS: Final = {"en": {320, 1280}, "de": {320}}
MATTER: Final = {"game-my-turn", "game-waiting", "game-finished", "game-step", "game-first"}
MATTER |= {"home", "home-signed-in", "lobby", "new-game", "record"}
"""The pages that are always looked at in these languages at these widths."""
Parts = dict[str, list[Shown]]
PARTS: Final = ("of_passers_by", "of_players", "of_a_game")


class Look(NamedTuple):
    """How a page is looked at. `schemes`: those in which axe looks."""

    shown: Shown
    widths: Sequence[int]
    schemes: Sequence[str]


def looks(pages: Sequence[Shown], language: str) -> Iterator[Look]:
    """In this language: each page in all ways, or a fixed share, with each page in one language.

    The words that are longer than any are too long for the narrowest phone.
    """
    for place, shown in enumerate(pages):
        turn, at = divmod(place, len(LANGUAGES))
        widths = {*WIDTHS[turn % len(WIDTHS)]} if LANGUAGES[at] == language else set()
        widths |= ALWAYS.get(language, set()) if shown.name in MATTER else set()
        widths |= {*chain(*WIDTHS)} if IS_WHOLE else set()
        schemes = [*SCHEMES] if IS_WHOLE else axe_looks(shown, language, turn)
        if language == PSEUDO_CODE and 320 in widths:
            widths = widths - {320} | {360}
        if widths:
            yield Look(shown, sorted(widths), schemes)


def axe_looks(shown: Shown, language: str, turn: int) -> Sequence[str]:
    """The schemes of a fixed share: all, where a page matters and is English; else each scheme of
    every fourth page."""
    if shown.name in MATTER and language == "en":
        return [*SCHEMES]
    return [scheme for at, scheme in enumerate(SCHEMES) if turn % 4 == at]


@pytest.fixture(scope="module")
def gallery(site: Site) -> Gallery:
    return Gallery(site, HOSTILE)


@pytest.fixture(scope="module")
def parts(site: Site, gallery: Gallery) -> dict[str, Parts]:
    """By language. Where the words are longer than any, the names are not."""
    worst, plain = (
        {part: getattr(of, part)() for part in PARTS} for of in (gallery, Gallery(site))
    )
    return {language: plain if language == PSEUDO_CODE else worst for language in LANGUAGES}


@pytest.mark.parametrize("part", PARTS)
def test_are_ones_for_everybody(
    parts: dict[str, Parts], part: str, site: Site, visit: Visit
) -> None:
    people: People = {}
    found = []
    for language in LANGUAGES:
        looked_at = {look.shown: look for look in looks(parts[language][part], language)}
        cookie = {"name": LANGUAGE, "value": language, "url": site.url}
        for shown, page in walk(looked_at, visit, cookie, people):
            wrong = faults_at_a_look(page, looked_at[shown])
            found += [f"{shown.name} in {language}{fault}" for fault in wrong]
    assert not found, "\n".join(found)


def faults_at_a_look(page: Page, look: Look) -> Iterator[str]:
    """With axe on a phone, and of the texts at each width."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    yield from (f": {fault}" for fault in faults(page, look.schemes))
    page.emulate_media(reduced_motion="reduce")  # no card is on its way
    for width in look.widths:
        page.set_viewport_size({"width": width, "height": 800})
        at_rest(page)
        wide = page.evaluate("document.documentElement.scrollWidth")
        wrong = page.evaluate(ON_ALL_TABS) + [f"{wide} pixels wide"] * (wide > width)
        yield from (f" at {width}: {fault}" for fault in wrong)


def test_all_languages_widths_and_themes_are_looked_at(parts: dict[str, Parts]) -> None:
    names = {shown.name for part in PARTS for shown in parts["en"][part]}
    seen = [
        (language, look)
        for part in PARTS
        for language in LANGUAGES
        for look in looks(parts[language][part], language)
    ]
    assert {look.shown.name for _, look in seen} == names >= MATTER
    every = {(language, width) for language in LANGUAGES for width in chain(*WIDTHS)}
    every.remove((PSEUDO_CODE, 320))
    assert {(language, width) for language, look in seen for width in look.widths} == every
    dark = {(language, scheme) for language, look in seen for scheme in look.schemes}
    assert dark == {(language, scheme) for language in LANGUAGES for scheme in SCHEMES}


def test_those_of_the_operator_are_ones_for_everybody(gallery: Gallery, visit: Visit) -> None:
    page = visit(gallery.operator_link(), viewport=PHONE).page
    page.get_by_role("button", name="Open").click()
    found = []
    for shown in gallery.of_the_operator():
        answer = page.goto(shown.path)
        assert answer is not None
        assert answer.status == shown.status, shown
        found += [f"{shown.name}: {fault}" for fault in faults(page)]
    assert not found, "\n".join(found)


def test_none_is_left_out(gallery: Gallery, parts: dict[str, Parts], app: Flask) -> None:
    adapter = app.url_map.bind("localhost")
    pages = [*chain(*parts["en"].values()), *gallery.of_the_operator()]
    seen = {adapter.match(shown.path.partition("?")[0])[0] for shown in pages}
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("web.") and "GET" in (rule.methods or ()):
            assert rule.endpoint in seen or rule.endpoint.removeprefix("web.") in ELSEWHERE


def test_texts_that_are_cut_or_lie_over_others_are_found(visit: Visit) -> None:
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


class TestLongNames:
    """Names of several long words, on the narrowest of phones."""

    NAMES = ("Alexandrina Victoria Campbell", "Bartholomew Featherstonehaugh")
    BROKEN = """async names => {
      await document.fonts.ready;
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
    WAITING = """name => {
      for (const row of document.querySelectorAll(".entry")) {
        row.querySelector(".who").textContent = `Waiting for ${name}`;
        const when = "<b>noch 13 Tage</b> · <time>Mi., 23. Dez., 13:12</time>";
        row.querySelector(".when").innerHTML = when;
      }
    }"""
    """Who is waited for is drawn: here it is always the one with the longer name, for long."""

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
            at_rest(page)
            if shown.name == "player-known":
                page.evaluate(self.WAITING, self.NAMES[1])
            assert page.evaluate("document.documentElement.scrollWidth") == 320, shown
            found += [f"{shown.name}: {word}" for word in page.evaluate(self.BROKEN, self.NAMES)]
        assert found == []


def test_the_requests_to_try_fit_on_a_phone(visit: Visit) -> None:
    page = visit("/docs/console", viewport=PHONE).page
    page.get_by_role("button", name="get /v1/me", exact=False).first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


ROOM = """() => [...document.querySelectorAll(".top :is(nav, .new-mark)")].pop()
  .getBoundingClientRect().left - document.querySelector(".brand").getBoundingClientRect().right"""
"""Pixels between the name of the server and the number of games that wait, or the menu."""


@pytest.mark.parametrize("code", ["en", *NEARLY_WHOLE])
def test_the_head_takes_one_row_on_a_phone(site: Site, visit: Visit, code: str) -> None:
    cookie = {"name": LANGUAGE, "value": code, "url": site.url}
    busy, other = site.player("Isla"), site.player("Bo")
    for _ in range(10):  # two digits of games that wait
        site.game(busy, other)
    shown = [Shown("sign-in", "/sign-in"), Shown("help", "/help", busy)]
    for _, page in walk(shown, visit, cookie):
        for width in (320, 360, 375, 390):
            page.set_viewport_size({"width": width, "height": 700})
            head = "document.fonts.ready.then(() => document.querySelector('.top').offsetHeight)"
            assert page.evaluate(head) < 50, width
            assert page.evaluate(ROOM) >= 0, width
        assert page.locator(".top .new-mark").all_text_contents() == ["10"][: "/help" in page.url]
