"""A browser whose default text is larger: every page follows it, and nothing is cut or covered."""

from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visit, at_rest, bounds
from tests.support.games import RED_RUN, arranged, played
from tests.support.shares import share
from tests.support.site import Site
from tests.support.translations import NEARLY_WHOLE
from tests.web.browser.checks import ON_ALL_TABS, TEXT_FAULTS
from tests.web.browser.table import before_the_win, choose_language, enlarge, send_button

SIZES: Final = ((375, 667), (375, 812), (320, 568), (1280, 800))
CODES: Final = ("en", *share(NEARLY_WHOLE))
"""The languages that are tried: German has the longest words."""
CLOCK: Final = {"days_per_move": 7}
"""With a deadline that is named by its date."""
READ: Final = (
    *(".now .state", ".now .since", ".player.above > b", ".player.below > b", ".deadline"),
    *(".prompt", ".ends button", ".ends .button", ".offer", ".facts", ".tab"),
    *(".story li", ".formations summary", ".steps > button", ".end h2", ".end p", ".end .button"),
)
"""What is read at a table; the cards and Stones keep the size of the board."""
TEXT: Final = """parts => parts.flatMap(part => [...document.querySelectorAll(part)].slice(0, 1)
  .map(found => [part, parseFloat(getComputedStyle(found).fontSize)]))"""
TOO_SMALL: Final = """() => [...document.querySelectorAll(".step, .tab, .ends *, .end .button")]
  .filter(part => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1)
  .map(part => part.innerText)"""
"""Which buttons are narrower than their words."""
COVERED: Final = """() => {
  const box = part => document.querySelector(part)?.getBoundingClientRect();
  const row = box(".player.below"), below = box(".end") ?? box(".dock");
  const cards = [...document.querySelectorAll(".side.below .card")].map(
    card => card.getBoundingClientRect().bottom - 10);
  const isBeside = below.left >= row.right;
  return Math.max(0, ...cards) > row.top || !isBeside && row.bottom > below.top + 1;
}"""
"""Whether one's own row lies over cards, or below what asks for a move."""


@pytest.fixture(scope="module")
def scenes(site: Site) -> dict[str, tuple[str, str]]:
    """Paths, and who looks: own turn, with a claim on offer, the other's turn, the end, a step."""
    people: Any = {"north": site.player("Isla MacRae"), "south": site.player("Fergus")}
    hands: Any = {"north": ("R7", "R8", "R9", "O7", "O8", "O9"), "south": RED_RUN["south"]}
    game = arranged(site.container, people, hands, game_id="textsize".ljust(20, "z"), clock=CLOCK)
    played(site.container, game, people, "R7@1", "G1@2", "R8@1", "G3@3")
    path, players = before_the_win(site, "textsize")
    played(site.container, path.rpartition("/")[2], players, "Y9@3 !3")
    return {
        "own": (f"/games/{game}?chosen=R1", people["north"]),
        "claim": (f"/games/{game}?turn=R9@1", people["north"]),
        "theirs": (f"/games/{game}", people["south"]),
        "end": (path, players["north"]),
        "step": (f"{path}?at=16", players["north"]),
    }


@pytest.mark.parametrize("scene", ["own", "claim", "theirs", "end", "step"])
def test_a_table_follows_a_browser_s_larger_text(
    scenes: dict[str, tuple[str, str]], visit: Visit, scene: str
) -> None:
    path, player = scenes[scene]
    page = visit("about:blank", player).page
    page.emulate_media(reduced_motion="reduce")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for pixels in (16, 24):
            enlarge(page, pixels)
            page.goto(path)
            at_rest(page)
            grown = dict(page.evaluate(TEXT, READ))
            if pixels == 16:
                before = grown
        assert grown
        assert all(grown[part] > before.get(part, 0) for part in grown), (width, before, grown)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert not page.evaluate(TOO_SMALL), width
        assert not page.evaluate(COVERED), width
        assert page.evaluate(ON_ALL_TABS) == [], width


LARGE: Final = """() => {
  const boxes = part => [...document.querySelectorAll(part)].map(
    each => each.getBoundingClientRect());
  const least = part => Math.min(...boxes(part).map(box => box.width));
  return {card: least(".side .card"), stone: least(".stone"), hand: least(".hand .card"),
    below: innerHeight - Math.max(...boxes(".hand .card, .ends *").map(box => box.bottom)),
    beside: innerWidth - document.documentElement.scrollWidth};
}"""
"""How wide cards and Stones are, and the room below and beside them."""


@pytest.mark.parametrize("size", share([(1280, 800), (1366, 768), (1920, 1080)]))
def test_cards_and_stones_stay_as_large_on_a_desk_with_larger_text(
    scenes: dict[str, tuple[str, str]], visit: Visit, size: tuple[int, int]
) -> None:
    width, height = size
    for path, player in (scenes["own"], scenes["claim"], scenes["theirs"]):
        page = visit("about:blank", player, viewport={"width": width, "height": height}).page
        page.emulate_media(reduced_motion="reduce")
        seen = []
        for pixels in (16, 20, 22, 24):
            enlarge(page, pixels)
            page.goto(path)
            at_rest(page)
            seen.append(page.evaluate(LARGE))
        for large in seen:
            assert all(large[part] >= seen[0][part] - 1 for part in ("card", "stone", "hand")), seen
            assert large["below"] >= 0, seen
            assert large["beside"] == 0, seen


OVER_THE_HAND: Final = """() => {
  const {top, bottom} = document.querySelector(".hand").getBoundingClientRect();
  return [...document.querySelectorAll(".hand .card-in-hand")].flatMap(card => {
    const {left, width} = card.getBoundingClientRect();
    return [top + 6, bottom - 6].filter(y => y < innerHeight).map(
      y => document.elementFromPoint(left + width / 2, y)).filter(over => !card.contains(over));
  }).map(({outerHTML}) => outerHTML.slice(0, 120));
}"""


@pytest.mark.parametrize("size", share([(320, 568), (360, 640), (375, 667), (375, 812)]))
def test_nothing_lies_over_the_hand_on_a_phone_with_larger_text(
    scenes: dict[str, tuple[str, str]], visit: Visit, size: tuple[int, int]
) -> None:
    width, height = size
    path, player = scenes["own"]
    page = visit("about:blank", player, viewport={"width": width, "height": height}).page
    page.emulate_media(reduced_motion="reduce")
    for pixels in (16, 20, 22, 24, 32):
        enlarge(page, pixels)
        page.goto(path)
        at_rest(page)
        expect(page.get_by_role("button", name="Put back")).to_be_visible()
        assert page.evaluate(OVER_THE_HAND) == [], pixels


@pytest.mark.parametrize("size", [(320, 568), (375, 667)])
def test_a_turn_that_can_be_sent_brings_send_in_sight_on_a_phone_with_larger_text(
    scenes: dict[str, tuple[str, str]], visit: Visit, size: tuple[int, int]
) -> None:
    width, height = size
    path, player = scenes["claim"]
    page = visit("about:blank", player, viewport={"width": width, "height": height}).page
    page.emulate_media(reduced_motion="reduce")
    for pixels in (16, 20, 22, 24, 32):
        enlarge(page, pixels)
        page.goto(path)
        at_rest(page)
        send = send_button(page)
        expect(send).to_be_in_viewport(ratio=0.99)
        send.click(trial=True)  # and nothing lies over it


@pytest.mark.parametrize("pixels", [24, 32])
def test_a_card_that_is_placed_brings_send_in_sight_on_a_phone_with_larger_text(
    scenes: dict[str, tuple[str, str]], visit: Visit, pixels: int
) -> None:
    path, player = scenes["own"]
    page = visit("about:blank", player, viewport={"width": 320, "height": 568}).page
    enlarge(page, pixels)
    page.goto(path)
    at_rest(page)
    page.get_by_role("button", name="Play on Stone 5").click()
    expect(send_button(page)).to_be_in_viewport(ratio=0.99)


def test_a_card_that_is_chosen_brings_the_stones_in_sight_on_a_phone_with_the_largest_text(
    scenes: dict[str, tuple[str, str]], visit: Visit
) -> None:
    path, player = scenes["own"]
    page = visit("about:blank", player, viewport={"width": 320, "height": 568}).page
    page.emulate_media(reduced_motion="reduce")
    enlarge(page, 32)
    page.goto(path)
    at_rest(page)
    page.get_by_role("button", name="Put back").click()
    last = page.locator(".hand button").last
    last.evaluate("card => card.scrollIntoView({block: 'start'})")
    expect(page.locator(".stone").first).not_to_be_in_viewport()
    last.click()
    for stone in page.locator(".stone").all():
        expect(stone).to_be_in_viewport(ratio=1)


HUGE: Final = """() => {
  const boxes = part => [...document.querySelectorAll(part)].map(
    each => each.getBoundingClientRect());
  const [ends] = boxes(".dock .ends"), places = [...document.querySelectorAll(".place")];
  return {
    covered: boxes(".hand .card").some(card => card.top < ends.bottom && ends.top < card.bottom),
    cut: boxes("#menu-count")[0].left < 0 || places.some(
      place => place.scrollWidth > place.clientWidth),
  };
}"""
"""Whether the buttons lie over the hand, and whether a mark or label is cut."""


@pytest.mark.parametrize("code", CODES)
def test_text_of_twice_the_size_covers_no_hand_and_cuts_nothing(
    scenes: dict[str, tuple[str, str]], site: Site, visit: Visit, code: str
) -> None:
    path, player = scenes["own"]
    page = visit("about:blank", player, viewport={"width": 375, "height": 812}).page
    choose_language(page, site, code)
    seen = []
    for pixels in (16, 24, 32):
        enlarge(page, pixels)
        page.goto(path)
        at_rest(page)
        seen.append(page.evaluate(HUGE))
    assert not any(large["covered"] or large["cut"] for large in seen), seen


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("width", [320, 375])
def test_the_menu_has_one_row_above_a_table_in_the_largest_text(
    scenes: dict[str, tuple[str, str]], site: Site, visit: Visit, width: int, code: str
) -> None:
    path, player = scenes["own"]
    page = visit("about:blank", player, viewport={"width": width, "height": 812}).page
    choose_language(page, site, code)
    enlarge(page, 32)
    page.goto(path)
    at_rest(page)
    links = [bounds(link) for link in page.locator(".top nav a").all()]
    assert len({link["y"] for link in links}) == 1, links
    count = bounds(page.locator("#menu-count"))
    assert 0 <= count["y"] < links[0]["y"] + links[0]["height"] / 3
    assert count["y"] + count["height"] < links[0]["y"] + links[0]["height"] / 2
    assert bounds(page.locator(".top"))["height"] <= 70


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("size", [(320, 568), (375, 812)])
def test_the_steps_have_one_low_row_below_a_board_in_larger_text(
    scenes: dict[str, tuple[str, str]], site: Site, visit: Visit, size: tuple[int, int], code: str
) -> None:
    width, height = size
    path, player = scenes["step"]
    page = visit("about:blank", player, viewport={"width": width, "height": height}).page
    choose_language(page, site, code)
    for pixels in (24, 32):
        enlarge(page, pixels)
        page.goto(path)
        at_rest(page)
        steps = [bounds(step) for step in page.locator(".steps > *").all()]
        assert len({step["y"] for step in steps}) == 1, (pixels, steps)
        assert all(step["height"] >= 44 for step in steps)
        assert height - steps[0]["y"] < height / 8, (pixels, steps)
        assert steps[0]["x"] >= 0
        assert steps[-1]["x"] + steps[-1]["width"] <= width
        board = bounds(page.locator(".board"))
        assert board["y"] + board["height"] <= steps[0]["y"], (pixels, board)
        assert page.evaluate(TOO_SMALL) == []
        range_below = page.locator("#replay input[type=range]")
        range_below.scroll_into_view_if_needed()
        assert bounds(range_below)["y"] < steps[0]["y"]


WORDS_BROKEN: Final = """heading => {
  const text = heading.firstChild, range = document.createRange(), broken = [];
  for (const word of text.data.matchAll(/\\S+/g)) {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    if (range.getClientRects().length > 1) broken.push(word[0]);
  }
  return broken;
}"""


@pytest.mark.parametrize("code", CODES)
def test_a_result_breaks_between_its_words_in_the_largest_text(
    scenes: dict[str, tuple[str, str]], site: Site, visit: Visit, code: str
) -> None:
    path, player = scenes["end"]
    page = visit("about:blank", player).page
    choose_language(page, site, code)
    enlarge(page, 32)
    for width in (320, 375):
        page.set_viewport_size({"width": width, "height": 812})
        page.goto(path)
        at_rest(page)
        assert page.locator("#end-title").evaluate(WORDS_BROKEN) == [], width


CUT: Final = """part => {
  const {right, bottom} = part.closest(".deadline").getBoundingClientRect();
  const box = part.getBoundingClientRect();
  return part.scrollWidth > part.clientWidth + 1 || box.right > right + 1 || box.bottom > bottom + 1
    || box.right > innerWidth;
}"""


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("scene", ["own", "theirs"])
def test_a_deadline_is_whole_in_the_largest_text(
    scenes: dict[str, tuple[str, str]], site: Site, visit: Visit, scene: str, code: str
) -> None:
    path, player = scenes[scene]
    page = visit("about:blank", player).page
    choose_language(page, site, code)
    for width, pixels in ((320, 24), (320, 32), (375, 32)):
        page.set_viewport_size({"width": width, "height": 568})
        enlarge(page, pixels)
        page.goto(path)
        at_rest(page)
        assert not page.locator(".deadline .when").first.evaluate(CUT), (width, pixels)


WORD: Final = """link => {
  const word = document.createRange();
  word.selectNodeContents(link.firstChild);
  return word.getBoundingClientRect().toJSON();
}"""


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("width", [320, 375])
def test_how_many_games_wait_stands_clear_of_its_word_and_of_the_edge_on_all_pages(
    scenes: dict[str, tuple[str, str]], site: Site, visit: Visit, width: int, code: str
) -> None:
    game, player = scenes["own"]
    page = visit("about:blank", player, viewport={"width": width, "height": 568}).page
    choose_language(page, site, code)
    for pixels in (16, 24, 32):
        enlarge(page, pixels)
        for path in ("/", "/account", game):
            page.goto(path)
            count = bounds(page.locator("#menu-count"))
            word = page.locator(".top nav a").first.evaluate(WORD)
            is_beside = count["x"] + count["width"] <= word["x"] - 3
            is_above = count["y"] + count["height"] <= word["y"] + word["height"] / 2
            assert is_beside or is_above, (pixels, path, count, word)
            assert count["y"] >= 4, (pixels, path)
            assert count["x"] >= 1, (pixels, path)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("pixels", [24, 32])
def test_the_mark_of_a_new_card_leaves_its_emblem_free(
    scenes: dict[str, tuple[str, str]], site: Site, visit: Visit, pixels: int, code: str
) -> None:
    path, player = scenes["own"]
    page = visit("about:blank", player, viewport={"width": 375, "height": 812}).page
    choose_language(page, site, code)
    enlarge(page, pixels)
    page.goto(path)
    at_rest(page)
    card, mark = bounds(page.locator(".hand button:has(.tag) .card")), bounds(page.locator(".tag"))
    assert mark["y"] > card["y"] + card["height"] * 0.75
    assert mark["y"] + mark["height"] < card["y"] + card["height"] + 8


def test_long_names_break_between_words_on_a_phone_with_the_largest_text(
    site: Site, visit: Visit
) -> None:
    player = site.player("Bartholomew MacAllister")
    page = visit("about:blank", player).page
    enlarge(page, 32)
    for width in (320, 375):
        page.set_viewport_size({"width": width, "height": 812})
        for path in ("/account", f"/players/{player}"):
            page.goto(path)
            assert page.locator("h1").evaluate(WORDS_BROKEN) == [], (width, path)
            assert page.evaluate("document.documentElement.scrollWidth") == width, path


SPACING: Final = """button => {
  const {lineHeight, fontSize} = getComputedStyle(button);
  return parseFloat(lineHeight) / parseFloat(fontSize);
}"""


def test_a_long_button_below_a_finished_game_has_its_lines_together(
    scenes: dict[str, tuple[str, str]], visit: Visit
) -> None:
    path, player = scenes["end"]
    page = visit("about:blank", player, viewport={"width": 375, "height": 812}).page
    enlarge(page, 32)
    page.goto(path)
    buttons = page.locator(".end .next button")
    assert max(button.evaluate(LINES) for button in buttons.all()) > 1
    assert all(button.evaluate(SPACING) < 1.5 for button in buttons.all())


SEEN_JUST_NOW: Final = """() => {
  document.querySelector("#presence").textContent = "here a moment ago";
}"""
LINES: Final = """part => {
  const words = document.createRange();
  words.selectNodeContents(part);
  return new Set([...words.getClientRects()].map(({top}) => Math.round(top))).size;
}"""
CHIPS: Final = """() => [...document.querySelectorAll(".now .chip")].every(chip =>
  chip.offsetHeight <= parseFloat(getComputedStyle(chip.closest(".now")).lineHeight))"""
"""Whether the cards in the news are as low as its lines."""


@pytest.mark.parametrize("code", CODES)
def test_presence_has_one_line_and_the_news_room_for_its_cards(
    scenes: dict[str, tuple[str, str]], site: Site, visit: Visit, code: str
) -> None:
    path, player = scenes["theirs"]
    page = visit("about:blank", player, viewport={"width": 320, "height": 568}).page
    choose_language(page, site, code)
    for pixels in (16, 20, 22, 24):
        enlarge(page, pixels)
        page.goto(path)
        at_rest(page)
        page.evaluate(SEEN_JUST_NOW)
        if pixels > 16:
            assert page.locator("#presence").evaluate(LINES) == 1, pixels
        assert page.evaluate(CHIPS), pixels


SEEN_LONG_AGO: Final = """() => {
  for (const presence of document.querySelectorAll(".presence")) {
    presence.textContent = "vor weniger als einer Stunde hier";
  }
}"""
"""Whoever has been here has gone for a while: the longest words."""


@pytest.mark.parametrize("path", ["/", "/games/new", "/account", "/lobby"])
def test_pages_off_the_table_follow_a_browser_s_larger_text(
    site: Site, visit: Visit, path: str
) -> None:
    page = visit("about:blank", site.player("Ann"), viewport={"width": 375, "height": 812}).page
    enlarge(page, 28)
    page.goto(path)
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "29.75px"
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    assert page.locator(".skip").evaluate("way => way.getBoundingClientRect().bottom") < 0


@pytest.mark.parametrize("code", CODES)
def test_no_page_off_the_table_is_wider_than_the_smallest_phone_in_the_largest_text(
    site: Site, visit: Visit, code: str
) -> None:
    page = visit("about:blank", site.player("Ann")).page
    choose_language(page, site, code)
    page.set_viewport_size({"width": 320, "height": 568})
    enlarge(page, 32)
    wide = []
    for path in ("/puzzles", "/account", "/account/time-off", "/account/channels", "/games/new"):
        page.goto(path)
        if page.evaluate("document.documentElement.scrollWidth") != 320:
            wide.append(path)
    assert wide == []


@pytest.mark.parametrize("path", ["/learn/1", "/learn/4?turn=G7@1&turn=!3", "/puzzles/1"])
def test_lessons_and_puzzles_follow_a_browser_s_larger_text(visit: Visit, path: str) -> None:
    page = visit("about:blank").page
    words = ("h1", "h1 small", ".task", ".at-set .note", ".answer h2", ".puzzles h2")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        texts = []
        for pixels in (16, 24):
            enlarge(page, pixels)
            page.goto(path)
            texts.append(dict(page.evaluate(TEXT, words)))
        before, grown = texts
        assert {part: size / before[part] for part, size in grown.items()} == dict.fromkeys(
            before, pytest.approx(1.5)
        ), width
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(TEXT_FAULTS) == [], width


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("path", ["/", "/account/devices", "/games/new", "/lobby", "/help"])
def test_nothing_off_the_table_is_cut_on_a_phone_with_larger_text(
    scenes: dict[str, tuple[str, str]], site: Site, visit: Visit, path: str, code: str
) -> None:
    for player in (scenes["own"][1], None) if path == "/" else (scenes["own"][1],):
        page = visit("about:blank", player).page
        enlarge(page, 24)
        choose_language(page, site, code)
        page.goto(path)
        page.evaluate(SEEN_LONG_AGO)
        for width in (320, 375):
            page.set_viewport_size({"width": width, "height": 667})
            assert page.evaluate("document.documentElement.scrollWidth") == width, player
            assert page.evaluate(TEXT_FAULTS) == [], (width, player)
