"""Going through a game in the browser, and checking its record there."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import Visit, bounds
from tests.support.site import Site
from tests.web.browser.table import Table, button, says, turn_to

SOUND_ALONE = (
    "All cards came in the order of one shuffle: none was swapped. The seal fits the cards. "
    "Only a browser that saw the seal at that time, or a mail from then, shows whether it was made "
    "before the game. Whether it was played like this, a record alone cannot show."
)
RECORD = Path(__file__).parents[2] / "golden/bga+tactics+expert-abandoned-0.jsonl"


@pytest.fixture(scope="module")
def over(site: Site) -> str:
    """A game that ended after a few turns."""
    games = site.container.games
    players = [site.player(name) for name in ("Ann", "Bob")]
    game = site.game(*players)
    for turn in range(4):
        mover = players[turn % 2]
        games.play(game, mover, [games.view(games.load(game), mover).legal[0]])
    games.resign(game, players[0])
    return game


@pytest.fixture(scope="module")
def long_game(site: Site) -> str:
    """A game with more entries than are shown at first, that goes on."""
    table = Table(site)
    for turn in range(14):
        table.play(f"{table.card()}@{turn // 2 + 1}")
    return table.id


def step(page: Page) -> int:
    """The step that the page shows, by its slider."""
    return int(slider(page).input_value())


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Step")


def go(page: Page, name: str, to: int) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    expect(slider(page)).to_have_value(str(to))


def test_the_steps_are_gone_through_without_leaving_the_page(over: str, visit: Visit) -> None:
    page = visit(f"/games/{over}").page
    page.evaluate("window.same = true")
    expect(page.get_by_role("button", name="Keys")).to_be_visible()
    last = step(page)
    go(page, "First", 3)
    expect(page.locator(".board")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("Before the first turn")
    page.keyboard.press("ArrowRight")
    expect(slider(page)).to_have_value("6")  # a turn is one press
    expect(slider(page)).to_have_attribute("aria-valuetext", "After turn 1 of 4")
    page.keyboard.press("ArrowLeft")
    expect(slider(page)).to_have_value("3")
    page.locator(".story a").last.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(slider(page)).to_have_value("6")
    expect(page.locator(".story [aria-current] a")).to_be_focused()
    expect(page.locator(".story a:not([tabindex='-1'])")).to_have_count(1)  # one stop for Tab
    go(page, "Back", 3)
    go(page, "Forward", 6)
    expect(page.get_by_role("link", name="Forward")).to_be_focused()
    page.keyboard.press("Home")
    expect(slider(page)).to_have_value("3")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("End")
    expect(slider(page)).to_have_value(str(last))
    page.keyboard.press("Home")
    expect(slider(page)).to_have_value("3")
    page.keyboard.press("ArrowRight")
    expect(slider(page)).to_have_value("6")
    slider(page).fill("7")
    expect(slider(page)).to_have_attribute("value", "7")
    go(page, "Back", 6)
    go(page, "Last", last)
    assert page.evaluate("window.same")
    assert page.url.endswith(f"at={last}&eyes=both")


TOPS = """() => [...document.querySelectorAll(".table, .steps")]
  .map(part => Math.round(part.getBoundingClientRect().top))"""


def test_the_keys_take_the_focus_along_the_log_and_lead_back_to_now(
    over: str, visit: Visit
) -> None:
    page = visit(f"/games/{over}").page
    at_last, shown = step(page), page.locator(".story [aria-current] a")
    tabs = page.locator(".tab").all_inner_texts()
    page.locator(".story a").nth(2).focus()
    page.keyboard.press("Enter")
    expect(shown).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(slider(page)).to_have_value("12")
    expect(shown).to_be_focused()
    assert page.locator(".tab").all_inner_texts() == tabs
    page.keyboard.press("Escape")
    expect(slider(page)).to_have_value(str(at_last))
    expect(page).to_have_url(re.compile(f"/games/{over}$"))

    slider(page).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("link", name="Back to now")).to_be_visible()
    page.keyboard.press("Escape")
    expect(slider(page)).to_have_value(str(at_last))

    page.goto(f"/games/{over}?at=9")
    assert page.locator(".tab").all_inner_texts() == tabs


def test_what_has_no_turns_yet_cannot_be_watched(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.mover).page
    watch = page.get_by_role("button", name="Watch")
    expect(watch).to_be_disabled()
    table.play(f"{table.card()}@1")
    expect(watch).to_be_enabled()


@pytest.mark.parametrize("size", [(1280, 800), (375, 667)], ids=["laptop", "phone"])
def test_going_back_moves_neither_the_board_nor_the_controls(
    site: Site, visit: Visit, size: tuple[int, int]
) -> None:
    table = Table(site)
    for _ in range(3):
        table.play(f"{table.card()}@4")
    viewport = {"width": size[0], "height": size[1]}
    page = visit(table.path, table.mover, viewport=viewport).page
    before = page.evaluate(TOPS)
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.get_by_text("After turn 2 of 3", exact=True)).to_be_visible()
    then = page.evaluate(TOPS)
    if viewport["width"] > 999:
        assert then == before
    else:  # both come in sight, the controls below the board
        assert 0 <= then[0] < then[1] < viewport["height"]
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.get_by_text("After turn 1 of 3", exact=True)).to_be_visible()
    assert page.evaluate(TOPS) == then


def test_a_link_to_a_step_marks_its_turn_in_the_log_and_on_the_board(
    long_game: str, visit: Visit
) -> None:
    page = visit(f"/games/{long_game}?at=7").page  # within the second turn
    entry = page.locator(".story [aria-current=step]")
    expect(entry).to_be_in_viewport()
    laid = entry.locator(".chip").first.inner_text()
    expect(page.locator(".side .changed")).to_have_count(1)
    expect(page.locator(".side .changed").get_by_role("img")).to_have_accessible_name(laid)


def test_the_way_back_from_a_step_leads_to_where_one_read_the_log(
    long_game: str, visit: Visit
) -> None:
    page = visit(f"/games/{long_game}", viewport=PHONE).page
    page.evaluate("window.same = true")
    page.get_by_role("link", name="Whole log").click()
    expect(page.get_by_role("link", name="Whole log")).to_have_count(0)
    entry = page.locator(".story li").filter(has_text="on Stone 1").last.get_by_role("link")
    entry.evaluate("line => line.scrollIntoView()")
    expect(page.locator(".board")).not_to_be_in_viewport()
    entry.click()
    go(page, "Forward", 9)
    page.go_back()
    expect(entry).to_be_in_viewport()
    assert page.url.endswith(f"/games/{long_game}")
    entry.click()
    page.get_by_role("link", name="Back to now").click()
    expect(entry).to_be_in_viewport()
    assert page.evaluate("window.same")


PHONE = {"width": 390, "height": 844}
FLYING = """() => document.getAnimations()
  .filter(({effect}) => effect.target?.closest(".side, .ground"))
  .filter(({effect}) => effect.getKeyframes()[0].transform !== "none").length"""


SCALES = """window.scales = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const scale = /scale\\(([\\d.]+)\\)/.exec(frames[0].transform ?? '');
  if (scale && this.closest('.side')) window.scales.push(Number(scale[1]));
  return animate.call(this, frames, timing);
};"""


def test_the_other_s_card_flies_off_as_one_of_the_backs_not_as_wide_as_all(
    over: str, visit: Visit
) -> None:
    page = visit("about:blank", viewport={"width": 1280, "height": 800}).page
    page.add_init_script(SCALES)
    page.goto(f"/games/{over}?at=3&eyes=south")
    go(page, "Forward", 6)
    (scale,) = page.evaluate("scales")
    assert scale < 0.6


def test_a_step_chosen_far_below_moves_only_what_changed(
    site: Site, long_game: str, visit: Visit
) -> None:
    page = visit(f"/games/{long_game}?log=all", viewport=PHONE).page
    last = page.locator(".story a").nth(1)
    last.scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 400)")  # the board is out of sight
    last.evaluate("link => link.click()")
    expect(page.get_by_role("link", name="Back to now")).to_be_visible()
    assert page.evaluate(FLYING) <= 1


def test_all_entries_are_shown_in_their_place(long_game: str, visit: Visit) -> None:
    page = visit(f"/games/{long_game}", viewport=PHONE).page
    page.evaluate("window.same = true")
    entries = page.locator(".story li")
    link = page.get_by_role("link", name="Whole log")
    expect(entries.last).to_contain_text("Whole log")
    expect(entries).to_have_count(13)
    link.click()
    expect(link).to_have_count(0)
    expect(entries.nth(12).get_by_role("link")).to_be_focused()
    assert page.evaluate("window.same")
    list_ = page.locator(".story")
    assert list_.evaluate("list => list.scrollHeight === list.clientHeight")


def test_a_phone_s_log_is_part_of_the_page_and_a_line_of_it_brings_the_board(
    long_game: str, visit: Visit
) -> None:
    page = visit(f"/games/{long_game}?at=7", viewport=PHONE).page
    log, table = page.locator(".story"), page.locator(".table")
    assert log.evaluate("log => log.scrollHeight === log.clientHeight")
    line = log.get_by_role("link").nth(2)
    for press in (line, page.get_by_role("button", name="Watch")):
        log.locator("li").last.scroll_into_view_if_needed()
        expect(table).not_to_be_in_viewport()
        press.evaluate("part => part.click()")  # where it lies, without scrolling to it
        expect(table).to_be_in_viewport(ratio=0.9)


def test_it_plays_by_itself_to_the_end(over: str, visit: Visit) -> None:
    page = visit("about:blank", is_own=True).page
    page.clock.install(time="2026-01-01T12:00:00")
    page.goto(f"/games/{over}?at=1")
    page.clock.pause_at("2026-01-01T13:00:00")  # or it would go on beside the test
    page.get_by_role("button", name="Watch").click()
    for at in (6, 9, 12, 15, 16, 18):
        expect(page.get_by_role("slider", name="Step")).to_have_value(str(at))
        page.clock.run_for(1200)
    expect(page.get_by_role("button", name="Watch", exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 1920])
def test_watching_begins_with_the_table_in_sight(over: str, visit: Visit, width: int) -> None:
    page = visit(f"/games/{over}", viewport={"width": width, "height": 620}).page
    page.get_by_text("More about this game").click()
    table = page.locator(".table")
    table.evaluate("table => scrollBy(0, table.getBoundingClientRect().bottom - innerHeight / 3)")
    expect(table).not_to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="Watch").click()
    expect(table).to_be_in_viewport(ratio=0.9)


def test_a_card_that_has_landed_does_not_fly_again_where_the_browser_s_clock_of_flights_is_behind(
    over: str, visit: Visit
) -> None:
    page = visit("about:blank", is_own=True).page
    page.clock.install(time="2026-01-01T12:00:00")
    page.goto(f"/games/{over}?at=3")
    page.clock.pause_at("2026-01-01T13:00:00")  # flights begin, and time goes on for all else
    page.get_by_role("button", name="Watch").click()
    for at in (6, 9, 12):
        expect(slider(page)).to_have_value(str(at))
        assert page.evaluate(FLYING) == 1
        page.clock.run_for(1200)


def test_it_plays_twice_as_fast_where_that_is_pressed(over: str, visit: Visit) -> None:
    page = visit("about:blank", is_own=True).page
    page.clock.install(time="2026-01-01T12:00:00")
    page.goto(f"/games/{over}?at=3")
    page.clock.pause_at("2026-01-01T13:00:00")
    slider = page.get_by_role("slider", name="Step")
    fast = page.get_by_role("button", name=re.compile("as fast$"))
    page.get_by_role("button", name="Watch").click()
    expect(slider).to_have_value("6")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    fast.click()
    for at in (9, 12):
        page.clock.run_for(600)
        expect(slider).to_have_value(str(at))
    expect(fast).to_have_attribute("aria-pressed", "true")
    expect(fast).to_be_focused()
    fast.click()
    page.clock.run_for(600)
    expect(slider).to_have_value("12")


def test_either_hand_is_shown_and_both(over: str, visit: Visit) -> None:
    page = visit(f"/games/{over}?at=3").page
    expect(page.get_by_role("region", name="Hand of")).to_have_count(2)
    page.get_by_role("link", name=re.compile(r"^Bob( \d+)?$")).click()
    hand = page.get_by_role("region", name="Hand of")
    expect(hand).to_have_count(1)
    expect(hand).to_have_accessible_name(re.compile("Bob"))


def test_the_browser_verifies_the_record_by_itself(over: str, visit: Visit) -> None:
    page = visit(f"/games/{over}").page
    page.get_by_role("button", name="Verify").click()
    shown = page.locator("#verify")
    expect(shown.locator(".verdict")).to_have_text("Nothing is wrong.")
    expect(shown.locator(".verdict + p")).to_have_text(SOUND_ALONE)
    expect(shown.locator(".check.passed")).to_have_count(5)
    expect(shown.get_by_text("Seal of the shuffle")).to_be_hidden()
    shown.get_by_text("What was checked").click()
    expect(shown.get_by_text("Seal of the shuffle")).to_be_visible()
    shown.get_by_label("A hash from one of your mails").fill(shown.locator("dd").last.inner_text())
    expect(shown.get_by_text("The log had this hash after turn")).to_be_visible()
    shown.get_by_label("A hash from one of your mails").fill("ab" * 32)
    expect(shown.get_by_text("The log never had this hash.")).to_be_visible()
    expect(shown.locator(".verdict")).to_have_text(
        "Something is wrong, or that hash is of another game."
    )
    expect(shown.locator(".verdict + p")).to_be_hidden()
    shown.get_by_label("A hash from one of your mails").fill("")
    expect(shown.locator(".verdict")).to_have_text("Nothing is wrong.")
    expect(shown.locator(".verdict + p")).to_be_visible()


def test_what_the_browser_does_not_check_is_a_press_away(over: str, visit: Visit) -> None:
    page = visit(f"/games/{over}").page
    page.get_by_role("link", name="Check every claim").click()
    expect(page.get_by_text("The record is sound")).to_be_visible()
    expect(page.get_by_role("region", name=re.compile("Hand of (Ann|Bob)"))).to_have_count(2)
    button(page, "Back").click()
    expect(page.get_by_role("region", name=re.compile("Hand of (Ann|Bob)"))).to_have_count(2)
    page.get_by_role("link", name="To the game").click()
    page.wait_for_url(f"**/games/{over}")


def test_a_browser_that_came_late_says_since_when_it_has_known_the_seal(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    table.play(f"{table.card()}@4")
    page = visit(table.path, table.people["north"]).page
    site.container.games.resign(table.id, table.people["north"])
    for _ in range(35):  # heads that came between are forgotten, never the first
        page.evaluate("""() => {
          const replay = document.getElementById("replay");
          replay.dataset.head = Math.random();
          document.dispatchEvent(new Event("game:moved"));
        }""")
    key = "scottenbury:heads:" + page.evaluate(
        "document.getElementById('replay').dataset.commitment"
    )
    heads = page.evaluate("key => JSON.parse(localStorage.getItem(key))", key)
    assert len(heads) == 30
    page.evaluate(
        "([key, heads]) => localStorage.setItem(key, JSON.stringify(heads))", [key, heads[:1]]
    )
    page.goto(table.path)
    page.get_by_role("button", name="Verify").click()
    says_so = page.locator(".verdict + p")
    expect(says_so).to_contain_text("The order was fixed by turn 1, when this browser first saw")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_link_of_the_last_mail_leads_the_keyboard_to_verify(
    over: str, visit: Visit, width: int
) -> None:
    page = visit(f"/games/{over}#verify", viewport={"width": width, "height": 740}).page
    expect(page.locator("#verify")).to_be_focused()
    button = page.get_by_role("button", name="Verify")
    expect(button).to_be_in_viewport()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(button).to_be_focused()


def test_a_verdict_stays_when_the_game_goes_on_and_says_how_far_it_goes(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    table.play(f"{table.card()}@4")
    page = visit(table.path, table.people["north"]).page
    turn_to(page, "More")
    page.get_by_role("button", name="Verify").click()
    checks = page.locator("#verify .checks")
    expect(checks).to_contain_text("Nothing is wrong so far.")
    expect(checks).not_to_contain_text("has gone on")
    table.play(f"{table.card()}@4")
    says(page, "Your turn")
    expect(checks).to_contain_text("Nothing is wrong so far.")
    expect(checks).to_contain_text("Checked up to turn 1: the game has gone on.")
    page.get_by_role("button", name="Verify").click()
    expect(checks).not_to_contain_text("has gone on")


def test_a_tampered_record_fails_at_its_event(over: str, visit: Visit) -> None:
    page = visit("about:blank").page

    def tamper(route: Any) -> None:  # type: ignore[no-untyped-def]
        answer = route.fetch()
        lines = answer.text().splitlines()
        lines[4] = lines[4].replace('"via":"api"', '"via":"web"')
        route.fulfill(response=answer, body="\n".join(lines))

    page.route("**/record*", tamper)
    page.goto(f"/games/{over}")
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".verdict")).to_contain_text("This record is not in order at event 5.")


def test_without_scripts_the_steps_are_links(over: str, visit: Visit) -> None:
    page = visit(f"/games/{over}?at=3", java_script_enabled=False).page
    page.get_by_role("link", name="Forward", exact=True).click()
    expect(slider(page)).to_have_value("6")
    expect(page.get_by_role("button", name="Watch", exact=True)).to_be_hidden()
    expect(page.get_by_text("Without JavaScript")).to_be_visible()


def test_a_record_from_disk_is_replayed_and_verified(visit: Visit) -> None:
    page = visit("/replay").page
    page.get_by_label("File").set_input_files(RECORD)
    page.get_by_role("button", name="Replay", exact=True).click()
    told = page.get_by_role("region", name="Now")
    expect(told).to_contain_text("After turn 40 of 40")
    page.evaluate("window.same = true")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(told).to_contain_text("North played Red 9")
    page.get_by_role("button", name="South", exact=True).click()
    expect(page.get_by_role("region", name="Hand of")).to_have_count(1)
    page.get_by_role("button", name="First", exact=True).click()
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(told.get_by_text(re.compile(r"After turn \d+ of 40"))).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    assert page.evaluate("window.same")
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".verdict + p")).to_have_text(SOUND_ALONE)


def test_of_two_steps_asked_for_in_a_row_the_later_is_shown(visit: Visit) -> None:
    page = visit("/replay").page
    page.get_by_label("File").set_input_files(RECORD)
    page.get_by_role("button", name="Replay", exact=True).click()
    page.evaluate("""() => {
        const send = fetch;
        let late = true;
        window.fetch = async (...given) => {
            const wait = late;
            late = false;
            const answer = await send(...given);
            if (!wait) return answer;
            await new Promise((done) => { window.answer = done; });
            return answer;
        };
    }""")
    page.get_by_role("button", name="Back", exact=True).click()
    page.get_by_role("button", name="First", exact=True).click()
    now = page.get_by_role("region", name="Now")
    expect(now).to_contain_text("Before the first turn")
    page.wait_for_function("!!window.answer")
    page.evaluate("window.answer(); new Promise((done) => setTimeout(done, 100))")
    expect(now).to_contain_text("Before the first turn")


def test_a_record_is_gone_through_as_a_game_is(visit: Visit) -> None:
    page = visit("/replay", viewport={"width": 1280, "height": 800}).page
    page.get_by_label("Or paste it here").fill(RECORD.read_text())
    page.get_by_role("button", name="Replay", exact=True).click()
    now = page.get_by_role("region", name="Now")
    expect(page.locator(".story li").first).to_be_in_viewport()
    for name in ("First", "Back", "Watch", "Forward", "Last"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    page.keyboard.press("ArrowLeft")
    expect(now).to_contain_text("North played Red 9 on Stone 2")
    page.get_by_role("button", name="Back", exact=True).focus()
    page.keyboard.press("Home")
    expect(now).to_contain_text("Before the first turn")
    page.keyboard.press("ArrowRight")
    expect(now).to_contain_text("After turn 1 of 40")
    expect(page.locator(".story [aria-current=step]")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("width", [1000, 1280, 1920])
def test_the_log_of_a_finished_game_stays_beside_its_board(
    site: Site, visit: Visit, width: int
) -> None:
    table = Table(site)
    for turn in range(20):
        table.play(f"{table.card()}@{turn // 3 + 1}")
    site.container.games.resign(table.id, table.people["south"])
    page = visit(f"{table.path}?at=7", viewport={"width": width, "height": 900}).page
    here = page.locator(".story [aria-current=step]")
    expect(here).to_be_in_viewport()
    expect(here.get_by_role("link")).to_have_accessible_name(re.compile(r"^2\. "))
    expect(page.locator(".now")).to_contain_text("After turn 2 of 20")
    whole = "line => line.offsetTop - line.parentElement.scrollTop"
    assert here.locator("xpath=preceding-sibling::li[1]").evaluate(whole) >= 0
    assert page.locator(".story").evaluate("log => log.clientHeight") >= 380
    footer = bounds(page.locator("footer"))
    below = page.evaluate("document.documentElement.scrollHeight") - footer["y"] - footer["height"]
    assert below <= 40


def test_a_link_that_holds_a_game_replays_and_verifies_it(over: str, visit: Visit) -> None:
    page = visit(f"/games/{over}").page
    page.get_by_role("link", name="Share the game as a link").click()
    link = page.get_by_label("Link", exact=True).input_value()
    page.goto("about:blank")
    page.goto(f"/replay#{link.partition('#')[2]}")
    expect(page.get_by_text("The record is sound")).to_be_visible()
    page.get_by_role("button", name="Verify").click()
    expect(page.locator(".verdict + p")).to_have_text(SOUND_ALONE)


def test_the_board_returns_once_it_was_shown_what_the_other_did(site: Site, visit: Visit) -> None:
    table = Table(site)
    table.play(f"{table.card()}@4")
    table.play(f"{table.card()}@5")
    page = visit(table.path, table.mover, viewport={"width": 1440, "height": 900}).page
    page.get_by_role("link", name=re.compile("^Show what .* did$")).click()
    expect(page.locator("#game")).to_have_attribute("data-step", "yes")
    expect(page.locator("#game")).to_have_attribute("data-step", "no")
    assert page.url.endswith(table.path)
    expect(page.locator(".dock .hand button:enabled").first).to_be_visible()


def test_on_a_phone_the_board_is_in_sight_once_it_was_shown_what_the_other_did(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    for stone in (4, 5, 4, 5):
        table.play(f"{table.card()}@{stone}")
    page = visit(table.path, table.mover, viewport={"width": 375, "height": 667}).page
    page.get_by_role("link", name=re.compile("^Show what .* did$")).click()
    expect(page.locator("#game")).to_have_attribute("data-step", "yes")
    expect(page.locator("#game")).to_have_attribute("data-step", "no")
    expect(page.locator(".table")).to_be_in_viewport(ratio=0.9)


def test_on_a_phone_one_can_practise_from_a_step_that_shows_both_hands(
    over: str, visit: Visit
) -> None:
    phone = {"width": 375, "height": 667}
    page = visit(f"/games/{over}?at=6&eyes=both", viewport=phone).page
    page.get_by_text("Practise from here").click()
    expect(page.locator(".practise select")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Play on from here")).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_end_of_a_game_leads_to_its_verification(over: str, visit: Visit) -> None:
    page = visit(f"/games/{over}", viewport={"width": 375, "height": 667}).page
    verify = page.get_by_role("button", name="Verify")
    expect(verify).not_to_be_in_viewport()
    page.get_by_text("More about this game").click()
    page.get_by_role("link", name="Were the cards dealt fairly?").click()
    expect(verify).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_verdict_comes_in_sight(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover, viewport={"width": 375, "height": 667}).page
    turn_to(page, "More")
    verify = page.get_by_role("button", name="Verify")
    verify.evaluate("button => button.scrollIntoView({block: 'end'})")
    verify.click()
    expect(page.locator("#verify .verdict")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [375, 1280])
def test_the_steps_of_a_record_and_their_pace_have_one_row(
    over: str, visit: Visit, width: int
) -> None:
    page = visit(f"/replay?game={over}", viewport={"width": width, "height": 800}).page
    pace, last = bounds(page.locator(".pace")), bounds(page.locator("[data-step=last]"))
    assert pace["x"] > last["x"]
    middles = [box["y"] + box["height"] / 2 for box in (pace, last)]
    assert abs(middles[0] - middles[1]) < 4
