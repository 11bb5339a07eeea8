"""Plans in real browsers: put together in place, and never played by a press."""

import pytest
from playwright.sync_api import expect

from engine.cards import full_name
from tests.support.browser import Visit, at_rest, bounds
from tests.support.site import Site
from tests.web.browser.table import (
    Table,
    button,
    choose_language,
    enlarge,
    hand,
    put_together,
    says,
)


def test_a_plan_is_made_in_place_and_carried_out(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.people["south"]).page
    page.get_by_role("link", name="Plan ahead").click()
    address = page.url
    version = table.stored.version
    foreseen = table.card()

    hand(page).first.click()
    says(page, "Where do you")
    page.keyboard.press("3")
    says(page, "Not added yet:")
    page.get_by_label("plays this card").select_option(foreseen)
    page.get_by_label("On this Stone").select_option("1")
    button(page, "Add to the plan").click()
    expect(page.locator(".planned")).to_contain_text(f"plays {full_name(foreseen)}")
    assert (table.stored.version, page.url) == (version, address)

    table.play(f"{foreseen}@1")

    expect(page.locator(".orders")).to_contain_text("Your planned turn was played")
    says(page, "Waiting for Ann")
    assert len(table.stored.game.stone(3).sides["south"]) == 1
    assert page.url == address


def test_planning_goes_on_when_the_other_has_moved_and_never_plays(
    table: Table, visit: Visit
) -> None:
    page = visit(f"{table.path}/orders", table.people["south"]).page
    hand(page).first.click()
    button(page, "Plan on Stone 4").click()
    page.get_by_label("plays this card").select_option("G4")
    says(page, "Not added yet:")

    table.play(f"{table.card()}@1")

    says(page, "Your turn.")
    expect(page.locator("#now .since li")).to_contain_text("on Stone 1.")
    says(page, "on Stone 1.")
    says(page, "The game has moved on since you put this turn together.")
    says(page, "Not added yet:")
    expect(page.get_by_label("plays this card")).to_have_value("G4")
    version = table.stored.version
    page.get_by_label("On this Stone").select_option("2")
    button(page, "Add to the plan").click()
    expect(page.locator(".planned")).to_be_visible()
    assert table.stored.version == version
    assert table.stored.game.turn == "south"


def test_plans_lead_to_the_game_as_soon_as_it_is_over(table: Table, visit: Visit) -> None:
    page = visit(f"{table.path}/orders", table.people["south"]).page
    table.site.container.games.resign(table.id, table.people["north"])
    expect(page.locator(".end")).to_be_visible()
    assert page.url.endswith(table.path)


def test_a_plan_and_an_unsent_turn_are_kept_apart(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover).page
    card = table.card(0)
    put_together(page, card)

    page.goto(f"{table.path}/orders")
    expect(page.get_by_role("status")).not_to_contain_text("Not added yet")
    hand(page).nth(1).click()
    button(page, "Plan on Stone 7").click()
    says(page, "on Stone 7")
    page.reload()
    says(page, "Not added yet:")

    page.goto(table.path)
    says(page, f"Not sent yet: {full_name(card)} on Stone 3.")
    expect(button(page, "Add to the plan")).to_have_count(0)


def test_undo_and_add_stand_at_one_height_on_a_desk(site: Site, visit: Visit) -> None:
    table = Table(site)
    viewport = {"width": 1280, "height": 800}
    page = visit(f"{table.path}/orders", table.people["south"], viewport=viewport).page
    hand(page).first.click()
    button(page, "Plan on Stone 3").click()
    undo, add = (bounds(button(page, name)) for name in ("Undo", "Add to the plan"))
    assert abs(undo["y"] - add["y"]) <= 1


@pytest.mark.parametrize("code", ["en", "de"])
def test_a_plan_is_made_beside_the_hand_in_the_largest_text(
    site: Site, visit: Visit, code: str
) -> None:
    table = Table(site)
    player = next(each for each in table.people.values() if each != table.mover)
    page = visit("about:blank", player, viewport={"width": 1280, "height": 800}).page
    choose_language(page, site, code)
    enlarge(page, 32)
    page.goto(f"{table.path}/orders")
    at_rest(page)
    page.locator(".hand button").first.click()
    page.locator(".press.place").first.click()
    add, panel = bounds(page.locator(".foresee button")), bounds(page.locator(".orders"))
    assert add["x"] + add["width"] < panel["x"]
    choice = page.locator(".foresee select").first
    assert choice.evaluate("choice => choice.scrollWidth <= choice.clientWidth")
