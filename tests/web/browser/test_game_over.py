"""A game that ends before one's eyes: the page is the finished game's, as after a reload."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from service.games import ChangeContext
from tests.support.browser import Visit, at_rest, bounds
from tests.support.games import arranged, play_on, played
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import (
    Table,
    before_the_win,
    button,
    middle,
    put_together,
    says,
    send_button,
    turn_to,
)

LOOKS = """window.looks = {};
const ropes = () => [2, 3].map(stone => document.querySelector(`[data-stone="${stone}"] .ground`));
window.cords = () => ropes().map(
  rope => getComputedStyle(rope, "::before").backgroundSize.split(", ")[1]?.split(" ")[0]);
const flags = () => [...document.querySelectorAll(".ground .flag")];
const look = () => ({
  told: document.querySelectorAll("#match.ended, #end-title").length,
  cord: cords()[0],
  stand: flags().filter(flag => getComputedStyle(flag).visibility === "visible").length,
  rise: flags().filter(flag => flag.getAnimations().length).length,
});
for (const name of ["game:played", "game:claimed", "game:moved"])
  addEventListener(name, () => { window.looks[name] = look(); }, true);"""
"""In how many places the result is told, how far the golden cord between Stones 1 and 2 is drawn,
and how many flags stand and rise, when a card sets out, when it has arrived, and when the page is
that of the finished game."""
SHINING = """() => document.getAnimations().map(({ effect }) => effect)
  .filter(effect => effect.getKeyframes().some(({ filter }) => filter?.includes("brightness")))
  .sort((one, other) => one.getTiming().delay - other.getTiming().delay)
  .map(({ target }) => target.closest("[data-stone]").dataset.stone)"""
"""The Stones that shine, in their order."""
OPACITIES = "parts => parts.map(part => getComputedStyle(part).opacity)"


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
    at_rest(page)
    page.evaluate(LOOKS)
    site.container.games.play(path.split("/")[-1], people["north"], ["Y9@3", "!3"])
    until(lambda: page.evaluate("'game:moved' in looks"))
    played, claimed, moved = page.evaluate(
        "['played', 'claimed', 'moved'].map(name => looks[`game:${name}`])"
    )
    assert played == {"told": 0, "cord": "0px", "stand": 2, "rise": 1}
    assert (claimed["told"], claimed["cord"], claimed["stand"]) == (0, "0px", 3)
    assert (moved["told"], moved["cord"], moved["rise"]) == (2, "100%", 0)
    assert page.evaluate("cords()") == ["100%", "100%"]


def test_the_stones_that_won_shine_one_after_another_and_no_others(
    site: Site, visit: Visit
) -> None:
    people: Any = {"north": site.player("Ann"), "south": site.player("Bob")}
    north, south = ("R7", "R8", "R9", "O7", "O8", "O9"), ("G7", "G8", "G9", "B7", "B8", "B9")
    deck = ("Y7", "P7", "Y8", "P8", "Y9", "P9")
    hands = {"north": north, "south": south}
    game = arranged(site.container, people, hands, deck, "shining".ljust(20, "a"))
    turns = ("R7@1", "G7@4", "R8@1", "G8@4", "R9@1 !1", "G9@4 !4", "O7@2", "B7@5", "O8@2", "B8@5")
    more = ("O9@2 !2", "B9@5 !5", "Y7@3", "P7@9", "Y8@3", "P8@9")
    played(site.container, game, people, *turns, *more)
    page = visit(f"/games/{game}", people["south"]).page
    slow_down(page, 0.3)
    site.container.games.play(game, people["north"], ["Y9@3", "!3"])
    until(lambda: page.evaluate(SHINING) == ["1", "2", "3"])


def test_where_no_stones_win_the_result_is_not_waited_for(site: Site, visit: Visit) -> None:
    table = Table(site)
    table.play(f"{table.card()}@4")
    page = visit(table.path, table.people["north"]).page
    at_rest(page)
    page.evaluate(
        "new MutationObserver(() => { window.faded ||= document.querySelector('.finale'); })"
        ".observe(document.body, { subtree: true, attributes: true, childList: true })"
    )
    end(site, table, "resigned")
    expect(page.locator("#match.ended")).to_be_visible()
    assert page.evaluate("!window.faded")


def slow_down(page: Page, rate: float) -> None:
    """Let all that moves move so much slower."""
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": rate})


@pytest.mark.parametrize("way", ["key", "mouse"])
def test_a_press_passes_the_end_and_presses_nothing(site: Site, visit: Visit, way: str) -> None:
    path, people = before_the_win(site, f"passed{way}")
    page = visit(path, people["north"]).page
    put_together(page, "Y9")
    button(page, "Claim Stone 3").click()
    says(page, "claim Stone 3")
    send_button(page).focus()
    until(lambda: page.evaluate("!document.getAnimations().length"))
    slow_down(page, 0.001)
    page.keyboard.press("Enter")
    until(lambda: page.evaluate(SHINING))
    expect(page.locator("#match.ended")).to_have_count(0)
    if way == "mouse":
        page.mouse.click(*middle(page.locator(".dock .send button")))
    else:
        expect(page.locator(".finale .dock .send button")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Congratulations!")).to_be_focused()
    expect(page.locator("#match.ended")).to_be_visible()
    expect(page.locator(".finale")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"{path}$"))


def test_what_is_written_while_a_game_ends_is_written_on(site: Site, visit: Visit) -> None:
    path, people = before_the_win(site, "writtenon")
    page = visit(path, people["south"]).page
    turn_to(page, "Talk")
    field = page.get_by_label("Your message")
    field.fill("Well")
    slow_down(page, 0.001)
    site.container.games.play(path.split("/")[-1], people["north"], ["Y9@3", "!3"])
    expect(page.locator(".finale")).to_be_visible()
    page.keyboard.type("!")
    expect(page.locator("#match.ended")).to_be_visible()
    expect(field).to_have_value("Well!")
    expect(field).to_be_focused()


def test_who_wants_no_motion_has_the_result_at_once(site: Site, visit: Visit) -> None:
    path, people = before_the_win(site, "noshine")
    page = visit(path, people["south"], reduced_motion="reduce").page
    page.evaluate(LOOKS)
    site.container.games.play(path.split("/")[-1], people["north"], ["Y9@3", "!3"])
    until(lambda: page.evaluate("'game:moved' in looks"))
    assert page.evaluate("Object.keys(looks)") == ["game:moved"]


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
    expect(button(page, "Accept the rematch")).to_be_visible()
    expect(button(page, "Decline")).to_be_visible()
    expect(page.locator("#now")).to_contain_text("asks for a rematch")


@pytest.mark.parametrize("width", [320, 375, 1280])
def test_an_offer_of_a_rematch_moves_nothing_and_its_strip_goes_by_itself(
    site: Site, visit: Visit, width: int
) -> None:
    table = Table(site)
    games, (ann, bob) = site.container.games, table.people.values()
    site.game(ann, bob)  # waits
    for _ in range(4):
        table.play(f"{table.card()}@4")
    games.resign(table.id, bob)
    page = visit(table.path, ann, viewport={"width": width, "height": 800}).page
    at_rest(page)
    parts = "#rematch button, .end .more, #next-game"
    measure = "parts => parts.map(part => part.getBoundingClientRect().toJSON())"
    before = page.locator(parts).evaluate_all(measure)
    games.rematches.ask(table.id, bob)
    expect(button(page, "Decline")).to_be_visible()
    expect(button(page, "Accept the rematch")).to_be_visible()
    assert page.locator(parts).evaluate_all(measure) == before
    asks, weighs = (bounds(button(page, name)) for name in ("Decline", "How good were the moves?"))
    assert asks["y"] - weighs["y"] - weighs["height"] >= 8

    page.evaluate("document.body.style.paddingBottom = '100vh'")
    page.evaluate("scrollTo({top: 800, behavior: 'instant'})")
    strip = page.locator("#waits")
    expect(strip).to_be_visible()
    strip.evaluate("strip => strip.getAnimations().forEach(each => each.finish())")
    expect(strip).to_be_hidden()


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


def test_a_long_result_and_unread_messages_are_whole_on_a_phone(site: Site, visit: Visit) -> None:
    path, people = before_the_win(site, "wholepill")
    games, game = site.container.games, path.split("/")[-1]
    games.play(game, people["north"], ["Y9@3", "!3"])
    games.conversations.write(game, people["south"], "Well played", "web")
    page = visit(path, people["north"], viewport={"width": 390, "height": 844}).page
    result = page.locator("#now .state")
    result.evaluate("each => each.append(', and five in all')")
    pill, banner = (bounds(page.locator(part)) for part in (".wrote", "#now"))
    assert pill["y"] + pill["height"] <= banner["y"] + banner["height"]


def test_what_was_played_is_said_while_the_end_is_shown(site: Site, visit: Visit) -> None:
    path, people = before_the_win(site, "nowait")
    page = visit(path, people["south"]).page
    slow_down(page, 0.3)
    site.container.games.play(path.split("/")[-1], people["north"], ["Y9@3", "!3"])
    until(lambda: page.evaluate(SHINING))
    expect(page.locator("#now p")).to_contain_text("played Yellow 9 on Stone\u00a03 and claimed")
    expect(page.locator("#match.ended")).to_be_visible()
    expect(page.locator("#now .state")).to_contain_text("won with three adjacent Stones")


def test_nothing_can_be_sent_while_the_end_is_shown(site: Site, visit: Visit) -> None:
    path, people = before_the_win(site, "nosend")
    page = visit(path, people["north"]).page
    put_together(page, "Y9")
    button(page, "Claim Stone 3").click()
    says(page, "claim Stone 3")
    slow_down(page, 0.3)
    send_button(page).click()
    until(lambda: page.evaluate(SHINING))
    forms = page.locator(".finale .dock form")
    until(lambda: {*forms.evaluate_all(OPACITIES)} == {"0.4"})
    expect(page.locator("#match.ended")).to_be_visible()
