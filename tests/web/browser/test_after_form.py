"""After a form that leads to another page, the focus is on what happened, and it is heard."""

import pytest
from playwright.sync_api import Page, expect

from service.games import ChangeContext
from tests.support.browser import Visit
from tests.support.site import Site
from tests.web.browser.table import Table, button, hand, says, turn_to


def offer_a_pause(page: Page) -> None:
    turn_to(page, "More")
    page.get_by_text("Pause the clock").click()
    button(page, "Offer a pause").click()


@pytest.mark.parametrize("scripts", [True, False])
def test_what_was_offered_is_heard_and_the_arrows_are_the_hand_s(
    site: Site, visit: Visit, scripts: bool
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    page = visit(table.path, table.mover, java_script_enabled=scripts).page
    offer_a_pause(page)
    says(page, "You offered a pause.")
    expect(page.get_by_role("status")).to_be_focused()
    if scripts:
        page.keyboard.press("ArrowRight")
        expect(hand(page).first).to_be_focused()
        return
    page.reload()  # said once
    expect(page.get_by_role("status")).not_to_contain_text("You offered a pause.")


def test_what_was_declined_is_heard_and_seen(site: Site, visit: Visit) -> None:
    table = Table(site, clock={"days_per_move": 3})
    other, games = table.people["south"], site.container.games
    games.abandonments.agree(table.id, other, ChangeContext("web"))
    page = visit(table.path, table.mover).page
    button(page, "Decline: end without a winner").click()
    says(page, "You declined to end the game")
    expect(page.get_by_role("status")).to_be_focused()
    expect(page.locator("#now .answered")).to_have_text(
        "You declined to end the game: it goes on as before."
    )


def test_what_was_given_is_heard(site: Site, visit: Visit) -> None:
    table = Table(site, clock={"days_per_move": 3})
    page = visit(f"{table.path}/time?days=1", table.mover).page
    button(page, "Give 1 day").click()
    says(page, "1 day more")
    expect(page.get_by_role("status")).to_be_focused()


def test_elsewhere_the_message_has_the_focus(site: Site, visit: Visit) -> None:
    zoe = site.player("Zoe")
    page = visit("/games/new", zoe).page
    page.get_by_role("button", name="Create").click()
    expect(page.locator(":focus")).to_have_text("Waiting for a second player.")

    page.goto("/account")
    page.get_by_label("Your name").fill(site.free_name("Zoe"))
    page.get_by_role("button", name="Change the name").click()
    expect(page.locator(":focus")).to_have_text("Saved.")

    stranger = visit("/sign-in").page
    stranger.get_by_label("Your account’s e-mail address").fill("zoe@example.org")
    button(stranger, "Send me a link").click()
    expect(stranger.locator(":focus")).to_contain_text("a link is on its way")
