"""A game that ends before one's eyes: the page is the finished game's, as after a reload."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from service.games import ChangeContext
from tests.support.browser import Visit
from tests.support.games import arranged, play_on, played
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import Table, before_the_win, button, turn_to

LOOKS = """window.looks = {};
window.cords = () => [2, 3].map(stone => getComputedStyle(
  document.querySelector(`[data-stone="${stone}"] .ground`), "::before").backgroundColor);
const flags = () => [...document.querySelectorAll(".ground .flag")];
window.said = () => [".now .state", "#end-title"].map(
  words => getComputedStyle(document.querySelector(words)).opacity);
const look = () => ({
  said: said(),
  cord: cords()[0],
  stand: flags().filter(flag => getComputedStyle(flag).visibility === "visible").length,
  rise: flags().filter(flag => flag.getAnimations().length).length,
});
for (const name of ["game:moved", "game:claimed"])
  addEventListener(name, () => { window.looks[name] = look(); }, true);"""
"""How opaque the words of the result are, the cord between Stones 1 and 2, and how many flags stand
and rise, when a move has come and when its card has arrived."""


def shown(page: Page) -> list[str]:
    """All that a reader sees or hears of the page, part by part."""
    parts = ("#match", "#game", "#panels", "#after")
    styles = page.locator("link[rel=stylesheet]").evaluate_all("all => all.map(each => each.href)")
    return [page.title(), *styles, *(page.locator(part).aria_snapshot() for part in parts)]


def end(site: Site, table: Table, how: str) -> None:
    """South leaves; or both agree that nobody wins."""
    games = site.container.games
    if how == "resigned":
        games.resign(table.id, table.people["south"])
    else:
        for player in table.people.values():
            games.abandonments.agree(table.id, player, ChangeContext("web"))


@pytest.mark.parametrize(
    ("reader", "how"), [("north", "resigned"), ("south", "agreed"), (None, "resigned")]
)
def test_the_page_of_a_game_that_ends_equals_the_page_after_a_reload(
    site: Site, visit: Visit, reader: str | None, how: str
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    table.play(f"{table.card()}@4")
    page = visit(table.path, table.people.get(reader), is_own=True).page  # type: ignore[call-overload]
    expect(page.locator("#verify")).to_contain_text("everything once the game is over")

    end(site, table, how)

    expect(page.locator("#match.ended")).to_be_visible()
    expect(button(page, "Verify")).to_be_enabled()
    live = shown(page)
    page.reload()
    expect(button(page, "Verify")).to_be_enabled()
    assert live == shown(page)


def test_the_result_and_the_golden_cord_wait_for_the_card_that_wins(
    site: Site, visit: Visit
) -> None:
    path, people = before_the_win(site, "goldencord")
    page = visit(path, people["south"]).page
    page.evaluate(LOOKS)
    before = page.evaluate("cords()[0]")
    site.container.games.play(path.split("/")[-1], people["north"], ["Y9@3", "!3"])
    until(lambda: page.evaluate("'game:claimed' in looks"))
    moved, claimed = page.evaluate("[looks['game:moved'], looks['game:claimed']]")
    assert moved == {"said": ["0", "0"], "cord": before, "stand": 2, "rise": 1}
    assert (claimed["stand"], claimed["rise"]) == (3, 1)
    until(lambda: len(set(page.evaluate("cords()"))) == 1)
    assert page.evaluate("cords()[0]") != before
    until(lambda: page.evaluate("said()") == ["1", "1"])


SHINING = """() => [...document.querySelectorAll("[data-stone]")].filter(column =>
  getComputedStyle(column.querySelector(".stone")).animationName === "shine"
).map(column => column.dataset.stone)"""


def test_the_stones_that_won_shine_and_no_others(site: Site, visit: Visit) -> None:
    people: Any = {"north": site.player("Ann"), "south": site.player("Bob")}
    north, south = ("R7", "R8", "R9", "O7", "O8", "O9"), ("G7", "G8", "G9", "B7", "B8", "B9")
    deck = ("Y7", "P7", "Y8", "P8", "Y9", "P9")
    hands = {"north": north, "south": south}
    game = arranged(site.container, people, hands, deck, "shining".ljust(20, "a"))
    turns = ("R7@1", "G7@4", "R8@1", "G8@4", "R9@1 !1", "G9@4 !4", "O7@2", "B7@5", "O8@2", "B8@5")
    more = ("O9@2 !2", "B9@5 !5", "Y7@3", "P7@9", "Y8@3", "P8@9")
    played(site.container, game, people, *turns, *more)
    page = visit(f"/games/{game}", people["south"]).page
    site.container.games.play(game, people["north"], ["Y9@3", "!3"])
    expect(page.locator("#game.finale")).to_have_count(1)
    until(lambda: page.evaluate(SHINING) == ["1", "2", "3"])


def test_the_end_does_not_leave_the_menu_cut_in_half(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.people["north"], viewport={"width": 375, "height": 812}).page
    page.evaluate("scrollTo({top: 12, behavior: 'instant'})")
    end(site, table, "resigned")
    expect(page.locator("#match.ended")).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_in_viewport(ratio=1)


def test_what_is_being_written_stays_when_the_game_ends(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.people["north"], is_own=True).page
    turn_to(page, "Talk")
    page.get_by_text("My note").click()
    page.get_by_label("About this game").fill("Leaves early")
    page.get_by_label("Your message").fill("What a")

    end(site, table, "resigned")

    expect(page.locator("#match.ended")).to_be_visible()
    expect(page.locator("#game.finale")).to_be_visible()  # the flags rise
    expect(page.get_by_role("radio", name="Talk")).to_be_checked()
    expect(page.get_by_label("About this game")).to_have_value("Leaves early")
    expect(page.get_by_label("Your message")).to_be_focused()
    page.keyboard.type(" game!")
    button(page, "Send message").click()
    expect(page.locator(".said .own .written")).to_have_text("What a game!")


def test_the_check_can_be_begun_after_the_clock_beside_the_board_has_changed(
    site: Site, visit: Visit
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    page = visit(table.path, table.people["north"], is_own=True).page
    turn_to(page, "More")
    before = page.locator("#time").inner_text()

    pauses, south = site.container.games.pauses, table.people["south"]
    pauses.agree(table.id, south, None, ChangeContext("web"))

    expect(page.locator("#now")).to_contain_text("offers a pause")
    assert page.locator("#time").inner_text() != before
    expect(button(page, "Verify")).to_be_enabled()


def test_a_rematch_asked_for_beside_a_step_is_there_when_one_comes_back(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    for _ in range(4):
        table.play(f"{table.card()}@4")
    games, bob = site.container.games, table.people["south"]
    games.resign(table.id, bob)
    page = visit(table.path, table.people["north"], is_own=True).page
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.get_by_role("link", name="Back to now")).to_be_visible()
    waits = page.get_by_role("navigation", name="Main").get_by_role("link", name="Games")
    before = waits.inner_text()
    games.rematches.ask(table.id, bob)
    expect(waits).not_to_have_text(before)
    expect(page.locator("#game")).to_have_attribute("data-step", "yes")
    page.get_by_role("link", name="Back to now").click()
    expect(button(page, "Accept")).to_be_visible()
    expect(button(page, "Decline")).to_be_visible()
    expect(page.locator("#now")).to_contain_text("asks for a rematch")


@pytest.mark.parametrize("height", [800, 660])
def test_the_log_of_a_game_that_was_lost_ends_within_the_screen(
    site: Site, visit: Visit, height: int
) -> None:
    path, people = before_the_win(site, f"lostlog{'ab'[height > 700]}")
    site.container.games.play(path.split("/")[-1], people["north"], ["Y9@3", "!3"])
    site.container.games.rematches.ask(path.split("/")[-1], people["north"])
    viewport = {"width": 1280, "height": height}
    page = visit(path, people["south"], viewport=viewport).page
    expect(page.locator("#now")).to_contain_text("asks for a rematch")
    edges = """() => [["#story > .story", "bottom"], [".replay", "top"], [".panels", "bottom"]]
      .map(([part, edge]) => document.querySelector(part).getBoundingClientRect()[edge])"""
    log_end, controls, end = page.evaluate(edges)
    assert log_end <= controls < end <= height
    page.get_by_text("More about this game").click()
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    assert page.evaluate(edges)[-1] == end


def test_all_below_the_board_of_a_rated_game_is_in_sight_on_a_laptop(
    site: Site, visit: Visit
) -> None:
    table = Table(site, clock={"days_per_move": 3}, rated=True)
    play_on(site.container, table.id, 24)
    site.game(table.people["north"], table.people["south"])  # waits
    site.container.games.resign(table.id, table.people["south"])
    size = {"width": 1280, "height": 800}
    page = visit(table.path, table.people["north"], viewport=size).page
    expect(page.locator(".end .ratings").first).to_contain_text("Ann")
    ways = [page.get_by_role("link", name="Next game"), button(page, "Keys")]
    for way in (*ways, button(page, "Sounds: off")):
        expect(way).to_be_in_viewport(ratio=1)
    ways[0].click()
    expect(page).not_to_have_url(re.compile(table.id))
