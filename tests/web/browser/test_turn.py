"""Turns in real browsers: by mouse, touch and keyboard, without scripts, in several tabs."""

import random
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, Route, expect

import engine
from engine.cards import full_name
from service.games import NewGame
from tests.support.browser import Visit, Watched, at_rest, bounds
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import (
    PHONE,
    Table,
    button,
    hand,
    middle,
    put_together,
    says,
    send_button,
    turn_to,
)


def test_two_people_finish_a_game_against_each_other(site: Site, visit: Visit) -> None:
    """The last turns of one: what comes before is the same."""
    table, chance = Table(site, tactics=True), random.Random(3)
    for action in _actions(table.stored.game, chance)[:-6]:
        table.play(action)
    pages = {seat: visit(table.path, player).page for seat, player in table.people.items()}
    while (turn := table.stored.game.turn) is not None:
        says(pages[turn], "Your turn")
        _take_turn(pages[turn], chance)
    winner = table.stored.game.winner
    for seat, page in pages.items():
        says(page, "You won" if seat == winner else "won" if winner else "Drawn")


def _actions(game: engine.Game, chance: random.Random) -> list[str]:
    """A whole game: the claims that stand, else anything."""
    actions = []
    while game.turn is not None:
        legal = engine.legal(game)
        claims = [action for action in legal if action.startswith("!")]
        actions.append(claims[0] if claims else chance.choice(legal))
        game, _ = engine.advance(game, engine.TakeTurn(game.turn, [actions[-1]]))
    return actions


def _take_turn(page: Page, chance: random.Random) -> None:
    send, claim = send_button(page), page.get_by_role("button", name=re.compile("^Claim Stone"))
    steps = page.locator("#game .press:enabled:not(.card-in-hand)")
    for _ in range(30):
        status = page.get_by_role("status").inner_text()
        if claim.count():
            claim.first.click()
        elif send.count():
            send.click()
            says_other(page, status)
            return
        elif steps.count():
            steps.nth(chance.randrange(steps.count())).click()
        else:
            able = page.locator(".hand button:enabled[aria-pressed=false]")
            able.nth(chance.randrange(able.count())).click()
        says_other(page, status)
    raise AssertionError("no turn takes so many presses")


def says_other(page: Page, words: str) -> None:
    expect(page.get_by_role("status")).not_to_have_text(words)


def test_a_turn_is_put_together_taken_back_and_sent(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover).page
    card, version = table.card(), table.stored.version

    put_together(page, card)
    assert table.stored.version == version
    button(page, "Undo").click()
    expect(hand(page)).to_have_count(6)
    put_together(page, card, stone=4)
    send_button(page).dblclick()

    says(page, "Waiting for Bob")
    assert table.stored.game.stone(4).sides["north"] == (card,)
    assert page.url.endswith(table.path)


def test_the_others_turn_appears_by_itself(table: Table, visit: Visit) -> None:
    table.play(f"{table.card()}@1")
    bob = table.mover
    page = visit(table.path, table.people["north"]).page
    says(page, "Waiting for Bob")
    assert bob != table.people["north"]

    table.play(f"{table.card()}@2")

    says(page, "Your turn")
    expect(page).to_have_title(re.compile("Your turn"))


def test_without_scripts_the_same_names_play(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover, java_script_enabled=False).page
    card = table.card()

    put_together(page, card)
    assert "turn=" in page.url
    send_button(page).click()

    says(page, "Waiting for Bob")
    assert table.stored.game.stone(3).sides["north"] == (card,)


def test_a_phone_plays_by_touch(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover, **PHONE).page
    card = table.card()

    page.get_by_role("group", name="Your hand").get_by_role("button").first.tap()
    button(page, "Play on Stone 9").tap()
    says(page, "on Stone 9")
    send_button(page).tap()

    says(page, "Waiting for Bob")
    assert table.stored.game.stone(9).sides["north"] == (card,)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def by_mouse(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def test_each_card_of_a_stack_is_large_enough_for_a_finger(site: Site, visit: Visit) -> None:
    table = _with_banshee(site)
    page = visit(f"{table.path}?chosen=BAN", table.mover, **PHONE).page
    stacks = page.locator(".side:has(.target + li, li + li .target)")
    assert stacks.count() > 0
    for stack in stacks.all():
        tops = stack.locator("li:has(.target)").evaluate_all(
            "cards => cards.map(card => card.getBoundingClientRect().top)"
        )
        assert all(abs(after - before) >= 24 for before, after in pairwise(tops))


def _with_banshee(site: Site) -> Table:
    """A game in which the Banshee may take a card from a side that has several."""
    for seed in range(50):
        table, chance = Table(site, tactics=True), random.Random(seed)
        for action in _actions(table.stored.game, chance):
            crowded = re.findall(r"BAN:\w+@(\d)", " ".join(engine.legal(table.stored.game)))
            if any(crowded.count(stone) > 1 for stone in crowded):
                return table
            table.play(action)
    raise AssertionError("no such game")


def by_touch(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    touch("touchStart", start)
    for part in (0.2, 0.6, 1.0):
        touch("touchMove", tuple(a + (b - a) * part for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
    touch("touchEnd")


@pytest.mark.parametrize("carry", [by_mouse, by_touch])
def test_a_card_is_dragged_to_its_stone(
    table: Table, visit: Visit, carry: Callable[..., None]
) -> None:
    page = visit(table.path, table.mover, **(PHONE if carry is by_touch else {})).page
    card = table.card(2)
    at_rest(page)
    hand(page).nth(2).scroll_into_view_if_needed()

    carry(page, middle(hand(page).nth(2)), middle(page.locator('[data-stone="5"]')))

    says(page, f"Not sent yet: {full_name(card)} on Stone 5.")
    expect(page.locator(".ghost")).to_have_count(0)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def test_skipping_to_the_hand_leads_to_its_first_card_and_scrolls_no_further(
    table: Table, visit: Visit
) -> None:
    page = visit(table.path, table.mover, viewport={"width": 1280, "height": 800}).page
    for key in ("Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(hand(page).first).to_be_focused()
    expect(hand(page).first).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") < 100
    page.keyboard.press("ArrowRight")
    expect(hand(page).nth(1)).to_be_focused()
    page.evaluate("() => { onkeydown = event => { window.scrolls = !event.defaultPrevented } }")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("window.scrolls") is False
    expect(hand(page).nth(1)).to_be_focused()


OVER = """() => [...document.querySelectorAll('.side.below .card')].map(card => {
  const {x, y, width, height} = card.getBoundingClientRect();
  const faded = [];
  for (let of = card; of; of = of.parentElement) faded.push(getComputedStyle(of).opacity);
  const place = card.closest('.column').querySelector('.press.place');
  const press = document.elementFromPoint(x + width / 2, y + height / 4);
  const layer = of => Number(getComputedStyle(of).zIndex);
  const above = place && layer(card.closest('.side')) > layer(place);
  return [faded.every(each => each === '1'), !place || above, !place || press === place];
})"""
"""Of each own card: whether it is opaque, lies above the tint, and a press of it is one of the
place."""


def test_own_cards_stay_clear_while_a_place_is_chosen(site: Site, visit: Visit) -> None:
    table = Table(site)
    first = table.card()
    for stone in (1, 2, 1, 3):
        table.play(f"{table.card()}@{stone}")
    cards = [table.card(place) for place in range(6)]
    other = next(card for card in cards if card[0] != first[0])  # no colour run: nothing to claim
    table.play(f"{other}@1")
    for stone in (4, 5, 6):
        table.play(f"{table.card()}@{stone}")
    page = visit(table.path, table.mover, viewport={"width": 1280, "height": 800}).page
    hand(page).first.click()
    expect(button(page, "Play on Stone 2")).to_be_visible()
    assert page.evaluate(OVER) == [[True, True, True]] * 4


def test_the_whole_turn_by_keyboard(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover).page
    card = table.card(1)

    tab_to(page, ".hand button")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    says(page, f"Where do you play {full_name(card)}? Now a Stone: 1 to 9, or ↑.")
    expect(page.locator(".prompt")).to_contain_text("Now a Stone: 1 to 9, or ↑.")
    expect(hand(page).nth(1)).to_be_focused()
    page.keyboard.press("7")
    says(page, f"{full_name(card)} on Stone 7")
    expect(send_button(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(hand(page).nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    says(page, "Where do you")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(button(page, "Play on Stone 2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(send_button(page)).to_be_focused()
    page.keyboard.press("Enter")

    says(page, "Waiting for Bob")
    expect(page.get_by_role("link", name="Plan ahead")).to_be_focused()
    table.play(f"{table.card()}@2")
    says(page, "Your turn")
    expect(hand(page).first).to_be_focused()


def test_the_focus_is_in_the_hand_again_once_a_bot_has_played(site: Site, visit: Visit) -> None:
    zoe = site.player("Zoe")
    game = site.container.games.create(zoe, NewGame(bot="shepherd", first_player="creator")).id
    page = visit(f"/games/{game}", zoe, viewport={"width": 1280, "height": 800}).page
    for stone in "12":
        for key in ("ArrowRight", "Enter", stone):
            page.keyboard.press(key)
        expect(send_button(page)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(f"[data-stone='{stone}'] .below .card")).to_be_visible()
        says(page, "Your turn")
        expect(hand(page).first).to_be_focused()


@pytest.mark.parametrize("name", ["Keys", "Sounds: off"])
def test_a_turn_that_comes_leaves_the_focus_on_a_button_that_stays(
    table: Table, visit: Visit, name: str
) -> None:
    waits = next(player for player in table.people.values() if player != table.mover)
    page = visit(table.path, waits).page
    button(page, name).focus()
    table.play(f"{table.card()}@2")
    says(page, "Your turn")
    expect(hand(page).first).to_be_enabled()
    expect(button(page, name)).to_be_focused()


def test_the_arrows_and_escape_act_in_the_hand_wherever_the_focus_is(
    table: Table, visit: Visit
) -> None:
    page = visit(table.path, table.mover).page
    page.keyboard.press("ArrowRight")
    expect(hand(page).first).to_be_focused()
    page.keyboard.press("Enter")
    says(page, "Where do you")
    page.get_by_role("link", name="Rules", exact=True).focus()
    page.keyboard.press("Escape")
    says(page, "Choose a card to play.")


def test_by_keyboard_a_placed_card_leads_to_the_decks(site: Site, visit: Visit) -> None:
    table = Table(site, tactics=True)
    page = visit(table.path, table.mover).page
    tab_to(page, ".hand button")
    page.keyboard.press("Enter")
    says(page, "Where do you")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(button(page, "Draw a Clan card")).to_be_focused()


def test_who_is_scrolled_away_from_the_board_sees_that_it_is_their_turn(
    table: Table, visit: Visit
) -> None:
    waits = next(player for player in table.people.values() if player != table.mover)
    page = visit(table.path, waits, **PHONE).page
    turn_to(page, "Talk")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator("#waits")).to_be_hidden()
    table.play(f"{table.card()}@2")
    page.get_by_role("button", name="Your turn").click()
    expect(page.locator(".hand")).to_be_in_viewport()
    expect(page.locator("#waits")).to_be_hidden()
    expect(page.locator("#game")).to_be_focused()


def test_the_stones_with_own_cards_are_one_stop_for_the_tab_key(table: Table, visit: Visit) -> None:
    for stone in (2, 3, 8, 9):
        table.play(f"{table.card()}@{stone}")
    page = visit(table.path, table.mover).page

    expect(page.locator(".judge")).to_have_count(2)  # of the others there is nothing to ask
    tab_to(page, ".judge summary")
    page.keyboard.press("ArrowLeft")
    expect(page.locator('[data-stone="8"] summary')).to_be_focused()
    page.keyboard.press("5")
    expect(page.get_by_role("heading", name="Stone 5, unclaimed.")).to_be_focused()
    expect(page.locator('[data-stone="5"]')).to_have_css("outline-style", "solid")
    tab_to(page, ".hand button")
    page.keyboard.press("Shift+Tab")  # nothing lies between the Stones and the hand
    expect(page.locator('.judge summary[tabindex="0"]')).to_be_focused()


def test_on_a_small_phone_a_key_pressed_below_the_board_leads_into_sight(
    table: Table, visit: Visit
) -> None:
    for stone in (2, 3):
        table.play(f"{table.card()}@{stone}")
    page = visit(table.path, table.mover, viewport={"width": 320, "height": 568}).page

    def press_below(key: str) -> None:
        page.get_by_role("radio", name="Log").focus()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.keyboard.press(key)

    press_below("5")
    expect(page.get_by_role("heading", name="Stone 5, unclaimed.")).to_be_focused()
    expect(page.locator('[data-stone="5"]')).to_be_in_viewport(ratio=1)
    hand(page).first.click()
    press_below("4")
    expect(send_button(page)).to_be_focused()
    expect(send_button(page)).to_be_in_viewport(ratio=1)


def test_the_keys_are_listed_and_those_of_one_letter_can_be_switched_off(
    table: Table, visit: Visit
) -> None:
    page = visit(table.path, table.mover).page
    hand(page).first.click()
    says(page, "Where do you")

    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_role("checkbox").uncheck()
    page.keyboard.press("4")
    page.keyboard.press("Escape")
    expect(hand(page).first).to_be_focused()
    page.keyboard.press("4")
    expect(send_button(page)).to_have_count(0)
    button(page, "Keys").click()
    page.get_by_role("dialog", name="Keys").get_by_role("checkbox").check()
    button(page, "Close").click()
    page.keyboard.press("4")

    says(page, "on Stone 4")
    page.keyboard.press("u")
    expect(hand(page)).to_have_count(6)
    page.keyboard.press("c")
    says(page, "Nothing to claim yet.")


def test_what_is_written_is_no_key(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover).page
    hand(page).first.click()
    says(page, "Where do you")
    turn_to(page, "Talk")
    page.get_by_label("Your message").press_sequentially("4? u")
    expect(page.get_by_label("Your message")).to_have_value("4? u")
    expect(send_button(page)).to_have_count(0)


def test_an_unsent_turn_outlives_a_reload_and_the_tab(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover).page
    card = table.card()
    words = f"Not sent yet: {full_name(card)} on Stone 3."
    put_together(page, card)

    page.reload()
    says(page, words)
    page.goto(f"{table.path}?at=2")  # history knows nothing of it
    expect(page.get_by_role("status")).not_to_contain_text("Not sent yet")
    page.goto(table.path)
    says(page, words)
    other = page.context.new_page()
    page.close()
    other.goto(table.path)
    says(other, words)
    button(other, "Undo").click()
    expect(send_button(other)).to_have_count(0)
    other.reload()
    expect(hand(other)).to_have_count(6)
    expect(other.get_by_role("status")).not_to_contain_text("Not sent yet")


def test_an_unsent_turn_that_was_overtaken_says_so_and_is_not_sent(
    table: Table, visit: Visit
) -> None:
    page = visit(table.path, table.mover).page
    card, other = table.card(0), table.card(1)
    put_together(page, card)
    page.goto("/rules")
    table.play(f"{other}@1")
    table.play(f"{table.card()}@1")
    version = table.stored.version

    page.goto(table.path)

    says(page, "The game has moved on since you put this turn together.")
    says(page, f"Not sent yet: {full_name(card)} on Stone 3.")
    assert table.stored.version == version
    send_button(page).click()
    says(page, "Waiting for Bob")


def test_the_same_words_are_gone_for_a_moment_before_they_are_said_again(
    table: Table, visit: Visit
) -> None:
    """What never was gone is not read out a second time."""
    watched: Watched = visit(table.path, table.mover)
    watched.allowed |= {500}
    page = watched.page
    page.route(f"**{table.path}?*", lambda route: route.fulfill(status=500, body="<h1>No</h1>"))
    hand(page).first.click()
    button(page, "Play on Stone 3").click()
    says(page, "No.")
    page.evaluate(
        "said = []; new MutationObserver(() => said.push(document.getElementById('status')"
        ".textContent.trim())).observe(document.getElementById('status'), {childList: true})"
    )
    for count in (2, 4):
        button(page, "Play on Stone 3").click()
        until(lambda count=count: len(page.evaluate("said")) == count)  # type: ignore[misc]
    assert page.evaluate("said") == ["", "No.", "", "No."]


def test_two_tabs_send_one_turn(table: Table, visit: Visit) -> None:
    watched: Watched = visit(table.path, table.mover)
    watched.allowed |= {409, 503}
    page = watched.page
    page.route("**/news*", lambda route: route.fulfill(status=503))
    page.add_init_script("delete window.BroadcastChannel")
    page.reload()  # from now on it hears nothing of what happens elsewhere
    put_together(page, table.card())
    tab = page.context.new_page()
    tab.goto(table.path)
    send_button(tab).click()
    says(tab, "Waiting for Bob")
    version = table.stored.version

    page.evaluate("document.querySelector('.send button').click()")

    says(page, "the game has moved on")
    assert table.stored.version == version


def test_a_lost_answer_is_not_taken_for_a_turn_that_was_not_sent(
    table: Table, visit: Visit
) -> None:
    watched: Watched = visit(table.path, table.mover)
    watched.allowed |= {503}
    page = watched.page
    page.route("**/news*", lambda route: route.fulfill(status=503))
    page.add_init_script("delete window.BroadcastChannel")
    page.reload()  # from now on it hears nothing of what happens elsewhere
    card, version = table.card(), table.stored.version
    put_together(page, card)
    page.route("**/turns", _lose_the_answer)
    send_button(page).click()

    says(page, "No answer came. Press Send again: your turn counts once.")
    arrived = table.stored.version
    assert arrived > version
    page.unroute("**/turns")
    send_button(page).click()
    says(page, "Waiting for Bob")
    assert table.stored.version == arrived


def _lose_the_answer(route: Route) -> None:
    route.fetch(max_redirects=0)
    route.abort("aborted")


def test_a_pressed_card_rises_before_the_server_answers_and_falls_without_it(
    site: Site, visit: Visit
) -> None:
    table = Table(site, tactics=True)
    for _ in range(2):
        table.play(f"{table.card()}@4", "+T")
    page = visit(table.path, table.mover).page
    asked: list[Route] = []
    page.route("**/*chosen=*", lambda route: asked.append(route))
    card = hand(page).filter(has=page.locator(".card.tactic"))

    card.click()

    expect(card).to_have_attribute("aria-pressed", "true")
    until(lambda: page.evaluate("1") and asked)
    asked[0].abort("aborted")
    says(page, "No connection")
    expect(card).to_have_attribute("aria-pressed", "false")


def test_a_held_key_or_a_late_press_does_nothing_on_the_next_page(
    table: Table, visit: Visit
) -> None:
    page = visit(table.path, table.mover).page
    put_together(page, table.card())
    page.evaluate(
        "document.addEventListener('game:moved', () => (window.settled = "
        "document.documentElement.classList.contains('settling')))"
    )
    send_button(page).click()
    says(page, "Waiting for Bob")
    assert page.evaluate("window.settled")
    at_rest(page)


def test_send_counts_while_the_page_looks_for_news(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover).page
    put_together(page, table.card())
    send_button(page).focus()
    asked: list[Route] = []
    page.route(f"**{table.path}?*", lambda route: asked.append(route))
    page.evaluate("document.dispatchEvent(new Event('game:news'))")
    until(lambda: page.evaluate("1") and asked)

    page.keyboard.press("Enter")

    asked[0].continue_()
    says(page, "Waiting for Bob")


def test_a_place_that_is_pressed_more_than_once_does_not_hold_up_send(
    table: Table, visit: Visit
) -> None:
    page = visit(table.path, table.mover).page
    hand(page).first.click()
    asked: list[Route] = []
    page.route(f"**{table.path}?*", lambda route: asked.append(route))
    button(page, "Play on Stone 4").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
    until(lambda: page.evaluate("1") and asked)
    asked[0].continue_()
    expect(send_button(page)).to_be_focused()
    page.keyboard.press("Enter")
    says(page, "Waiting for Bob")


def test_arrows_go_along_the_tabs_in_one_s_own_turn(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover).page
    page.get_by_role("radio", name="Log").focus()

    page.keyboard.press("ArrowRight")

    expect(page.get_by_role("radio", name="Log")).not_to_be_checked()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio", name="Log")).to_be_checked()


def test_a_press_that_began_before_the_page_was_ready_counts(table: Table, visit: Visit) -> None:
    page = visit("/", table.mover).page
    asked: list[Route] = []
    page.route("**/turn.js", lambda route: asked.append(route))
    page.goto(table.path, wait_until="commit")
    card = hand(page).first
    expect(card).to_be_visible()  # its fonts are there
    until(lambda: page.evaluate("1") and asked)
    page.mouse.move(*middle(card))
    page.mouse.down()
    assert card.evaluate("card => card.matches(':active')")

    asked[0].continue_()
    expect(page.locator("html.told")).to_have_count(1)
    page.mouse.up()

    expect(card).to_have_attribute("aria-pressed", "true")


def test_the_server_may_restart_before_the_turn_is_sent(
    table: Table, visit: Visit, site: Site
) -> None:
    page = visit(table.path, table.mover).page
    card = table.card()
    put_together(page, card)

    site.restart()
    send_button(page).click()

    says(page, "Waiting for Bob")
    assert table.stored.game.stone(3).sides["north"] == (card,)


UNDER_ANSWER = """said => {
  const lies = ({left, right, top, bottom}) => (part) => {
    const box = part.getBoundingClientRect();
    return part.checkVisibility({visibilityProperty: true}) && !said.contains(part)
      && box.left < right - 1 && box.right > left + 1
      && box.top < bottom - 1 && box.bottom > top + 1;
  };
  const parts = "a, button, summary, input, select, textarea, .column:has([open]) .card";
  return [...document.querySelectorAll(parts)].filter(lies(said.getBoundingClientRect()))
    .map(part => part.outerHTML.slice(0, 120));
}"""
"""What lies under the answer: whatever can be pressed, and the cards of its own Stone."""


@pytest.mark.parametrize(
    "size", [(1280, 800), (1920, 1080), (800, 600), (768, 1024), (999, 700), (1366, 660)]
)
def test_what_is_said_of_a_stone_stands_by_it_and_over_nothing_to_press(
    site: Site, visit: Visit, size: tuple[int, int]
) -> None:
    table = Table(site)
    for stone in (2, 3, 2, 3, 2, 3, 8, 4, 1, 6, 5, 7):
        table.play(f"{table.card()}@{stone}")
    viewport = {"width": size[0], "height": size[1]}
    page = visit(table.path, table.mover, viewport=viewport).page
    for stone in (1, 2, 5, 8):
        column = page.locator(f".column[data-stone='{stone}']")
        column.locator("summary").click()
        answer = column.locator(".judged")
        said, mark = bounds(answer), bounds(column.locator(".stone"))
        assert 0 <= said["y"] <= size[1] - said["height"]
        aside = max(said["x"] - mark["x"] - mark["width"], mark["x"] - said["x"] - said["width"])
        assert aside <= mark["width"]
        assert abs(said["y"] + said["height"] - mark["y"]) <= mark["height"]
        assert answer.evaluate(UNDER_ANSWER) == []
    page.locator(".judge[open] .judged").evaluate("answer => answer.append('Because. '.repeat(99))")
    said = bounds(page.locator(".judge[open] .judged"))
    assert said["y"] >= 0


SHOWN = """() => {
  const told = ({localName, attributes, classList, childNodes}) => [
    localName, [...classList].sort(),
    [...attributes].filter(({name}) => !["class", "tabindex"].includes(name))
      .map(({name, value}) => `${name}=${value.trim()}`).sort(),
    [...childNodes].filter(node => node.localName || node.data?.trim())
      .map(node => node.localName ? told(node) : node.data.trim())];
  const game = document.querySelector("#game").cloneNode(true);
  for (const token of game.querySelectorAll("[name=once], .presence")) token.remove();
  return JSON.stringify(told(game), null, 1);
}"""
"""The game as it stands on the page, but for spaces, tokens, presence, and where Tab stops."""


def test_a_clan_card_is_chosen_without_the_server_and_shown_as_by_it(
    table: Table, visit: Visit
) -> None:
    page, (one, other) = visit(table.path, table.mover).page, map(table.card, (0, 1))
    version = table.stored.version
    button(page, "Hide the hints").click()
    expect(page.locator(".coach, html.settling")).to_have_count(0)
    page.reload()  # where the hint stood there is another, from the server
    at_rest(page)
    idle, asked = page.evaluate(SHOWN), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    hand(page).nth(0).click()
    says(page, f"Where do you play {full_name(one)}?")
    expect(hand(page).nth(0)).to_be_focused()
    hand(page).nth(1).click()
    says(page, f"Where do you play {full_name(other)}?")
    here = page.evaluate(SHOWN)
    button(page, "Put back").click()
    says(page, "Choose a card to play.")
    expect(hand(page).nth(1)).to_be_focused()
    assert page.evaluate(SHOWN) == idle
    assert [url for url in asked if "chosen" in url or "turn" in url] == []

    page.goto(f"{table.path}?chosen={other}&version={version}")
    at_rest(page)
    assert page.evaluate(SHOWN) == here
    hand(page).nth(1).click()
    says(page, "Choose a card to play.")
    assert page.evaluate(SHOWN) == idle


def test_on_a_low_screen_a_deck_is_chosen_and_a_card_taken_back_in_sight(
    site: Site, visit: Visit
) -> None:
    table = Table(site, tactics=True)
    for _ in range(2):
        table.play(f"{table.card()}@4", "+C")
    viewport = {"width": 1280, "height": 660}
    page = visit(table.path, table.mover, viewport=viewport).page
    hand(page).first.click()
    back = bounds(button(page, "Put back"))
    assert back["width"] > 85  # its words do not touch its edges
    button(page, "Play on Stone 3").click()
    expect(button(page, "Draw a Tactic card")).to_be_visible()
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    expect(button(page, "Undo")).to_be_in_viewport(ratio=1)
