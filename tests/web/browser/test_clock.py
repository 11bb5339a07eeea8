"""What happens to a clock while a turn is put together: the page follows, and the turn stays."""

import re

from playwright.sync_api import expect

from engine.cards import full_name
from service.accounts.mail_preferences import zone
from service.core.words import ENGLISH
from service.text.moments import near_moment
from tests.support.browser import Visit
from tests.support.site import Site
from tests.web.browser.table import PHONE, Table, button, put_together, says, send_button, turn_to


def test_time_is_given_and_a_pause_agreed_to_while_a_turn_is_unsent(
    site: Site, visit: Visit
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    ann = visit(table.path, table.people["north"], timezone_id="UTC").page
    bob = visit(table.path, table.people["south"], java_script_enabled=False).page
    card = table.card()
    put_together(ann, card)

    turn_to(bob, "More")
    button(bob, "Give 3 days").click()
    asked = bob.get_by_role("heading", name="Give more time?")
    expect(asked).to_be_visible()
    button(bob, "Give 3 days").click()
    given = re.compile(r"You gave Ann( \d+)? 3 days more")  # others may have the names
    expect(bob.get_by_role("link", name=given)).to_be_visible()
    expect(ann.locator("#deadline")).to_contain_text(until(table))
    says(ann, f"Not sent yet: {full_name(card)} on Stone 3.")
    expect(ann.get_by_role("status")).not_to_contain_text("moved on")
    turn_to(ann, "More")
    ann.get_by_text("Pause the clock").click()
    button(ann, "Offer a pause").click()
    bob.reload()
    turn_to(bob, "More")
    button(bob, "Agree to the pause").click()
    expect(bob.get_by_text("Both have agreed to a pause")).to_be_visible()
    expect(ann.get_by_text("Both have agreed to a pause")).to_be_visible()

    says(ann, f"Not sent yet: {full_name(card)} on Stone 3.")
    send_button(ann).click()
    says(ann, "Waiting for Bob")


def until(table: Table) -> str:
    deadline = table.stored.deadline_text
    assert deadline is not None
    return near_moment(ENGLISH, deadline, zone("UTC"))


def test_a_phone_names_the_last_turn_and_the_time_left(site: Site, visit: Visit) -> None:
    table = Table(site, clock={"days_per_move": 1})
    table.play(f"{table.card()}@4")
    page = visit(table.path, table.mover, **PHONE).page
    for part, words in (("#now", "on Stone 4"), (".player.below", "1 day")):
        expect(page.locator(part).get_by_text(words).first).to_be_in_viewport(ratio=0.99)
