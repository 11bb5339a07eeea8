"""Quiet sounds on a game's page: made in the browser, off until they are switched on."""

from playwright.sync_api import Page, expect

from service.eventlog import IdempotencyKey
from service.games import ChangeContext
from tests.support.browser import Visit
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import HIDE, Table, button, put_together, says, send_button, turn_to

COUNTED = """window.notes = [];
window.OscillatorNode = class extends OscillatorNode {
  start(at) { window.notes.push(this.type); super.start(at); }
};"""
"""The notes that are played, each by the form of its wave."""
KNOCK = "triangle"
"""The wave that only a claimed Stone sounds with."""
RING = ["sine"] * 6
"""A message: two strings, each with three partials."""


def notes(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.notes.splice(0)")
    return found


def switch_on(page: Page) -> None:
    """It sounds once, so that one hears how loud it is."""
    page.get_by_role("button", name="Sounds").click()
    page.get_by_role("checkbox", name="Sounds on").check()
    until(lambda: page.evaluate("notes.length"))
    notes(page)
    button(page, "Close").click()


def test_they_are_off_until_switched_on_and_the_device_remembers(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.people["south"]).page
    page.add_init_script(COUNTED)
    page.reload()
    opener = page.get_by_role("button", name="Sounds")
    expect(opener).to_have_accessible_name("Sounds: off")
    says(page, "Waiting for Ann")
    table.play(f"{table.card()}@4")
    says(page, "Your turn")
    assert notes(page) == []

    switch_on(page)
    expect(opener).to_be_focused()

    page.reload()
    expect(opener).to_have_accessible_name("Sounds: on")
    expect(opener).to_have_attribute("data-waits", "")  # the browser wants a gesture first
    put_together(page, table.card(), stone=5)
    expect(opener).not_to_have_attribute("data-waits", "")
    expect(opener).to_have_accessible_name("Sounds: on")  # on the board put anew
    send_button(page).click()
    says(page, "Waiting for Ann")
    assert notes(page) == []  # one's own turn has none, unless that is chosen
    table.play(f"{table.card()}@4")
    says(page, "Your turn")
    until(lambda: page.evaluate("notes.length"))
    assert KNOCK not in notes(page)


def test_each_sound_is_chosen_and_tried_and_none_is_louder_than_wished(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    page = visit(table.path, table.people["north"]).page
    page.add_init_script(COUNTED)
    page.evaluate("localStorage.setItem('scottenbury.sounds', 'on')")  # as versions before wrote it
    page.reload()
    page.get_by_role("button", name="Sounds: on").click()
    expect(page.get_by_role("checkbox", name="Your turn")).to_be_checked()
    button(page, "Try: A Stone is claimed").click()
    until(lambda: KNOCK in page.evaluate("notes"))
    page.get_by_role("checkbox", name="You have sent").check()
    page.get_by_role("slider", name="Volume").fill("0")
    notes(page)
    button(page, "Try: Your turn").click()
    assert notes(page) == []
    page.get_by_role("slider", name="Volume").fill("9")
    until(lambda: page.evaluate("notes.length"))
    page.keyboard.press("Escape")

    page.reload()
    put_together(page, table.card(), stone=5)
    assert notes(page) == []
    send_button(page).click()
    until(lambda: page.evaluate("notes.length"))
    assert page.evaluate("JSON.parse(localStorage['scottenbury.sounds']).volume") == 9


def test_a_claimed_stone_has_a_sound_of_its_own(site: Site, visit: Visit) -> None:
    table = Table(site)
    for _ in range(80):
        legal = table.site.container.games.view(table.stored, table.mover).legal
        claims = [text for text in legal if text.startswith("!")]
        if claims:
            break
        table.play(legal[table.stored.version * 7 % len(legal)])
    else:
        raise AssertionError("nobody could claim a Stone")
    mover = table.mover
    page = visit(table.path, next(p for p in table.people.values() if p != mover)).page
    page.add_init_script(COUNTED)
    page.reload()
    switch_on(page)
    table.play(claims[0])
    until(lambda: KNOCK in page.evaluate("notes"))


def test_without_javascript_nothing_offers_them(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.people["south"], java_script_enabled=False).page
    expect(page.locator("#sounds")).to_be_hidden()


def test_a_message_and_the_end_have_their_sounds(site: Site, visit: Visit) -> None:
    table = Table(site)
    north, south = table.people["north"], table.people["south"]
    page = visit(table.path, south, viewport={"width": 320, "height": 568}).page
    page.add_init_script(COUNTED)
    page.reload()
    switch_on(page)

    key = IdempotencyKey("a", "a")
    site.container.games.conversations.write(table.id, north, "Hello", "web", key)
    until(lambda: page.evaluate("notes.length"))
    assert notes(page) == RING

    site.container.games.resign(table.id, north)
    expect(page.locator(".end")).to_be_visible()
    until(lambda: page.evaluate("notes.length"))


def test_nothing_rings_when_the_other_only_comes_types_or_goes_or_when_one_writes_oneself(
    site: Site, visit: Visit
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    north, south = table.people["north"], table.people["south"]
    page = visit(table.path, south).page
    page.add_init_script(COUNTED)
    page.reload()
    switch_on(page)
    other = visit(table.path, north).page
    expect(page.locator("#presence")).to_have_text("here now")
    turn_to(other, "Talk")
    other.get_by_label("Your message").fill("Shall we")
    expect(page.locator("#presence")).to_have_text("is writing to you…")
    turn_to(page, "Talk")
    page.get_by_label("Your message").fill("Hello")
    button(page, "Send message").click()
    expect(page.locator(".said .own")).to_have_count(1)
    other.evaluate(HIDE, True)
    expect(page.locator("#presence")).to_have_text("here a moment ago")
    assert notes(page) == []

    site.container.games.pauses.agree(table.id, north, None, ChangeContext("web"))
    expect(page.locator("#now")).to_contain_text("offers a pause")
    assert notes(page) == RING
    other.evaluate(HIDE, False)
    expect(page.locator("#presence")).to_have_text("here now")
    assert notes(page) == []  # the offer has rung
