"""Moments by the clock of the browser, where the player has chosen none."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from service.accounts.mail_preferences import zone
from service.core.words import ENGLISH
from service.games import ChangeContext
from service.text.moments import near_moment, short_moment
from tests.support.browser import Visit
from tests.support.site import Site
from tests.web.browser.table import Table, put_together, says, send_button, turn_to


def test_a_new_account_has_the_browsers_zone(visit: Visit) -> None:
    page = visit("/sign-in", timezone_id="Asia/Tokyo").page
    expect(page.locator("[name=zone]")).to_have_value("Asia/Tokyo")


def test_a_deadline_is_written_by_the_browsers_zone_unless_one_is_chosen(
    site: Site, visit: Visit
) -> None:
    """Also in what comes in later: the page of after the turn, and the list of games."""
    table = Table(site, clock={"days_per_move": 3})
    page = visit(table.path, table.mover, timezone_id="Australia/Eucla").page
    shows(page, table, "Australia/Eucla")
    put_together(page, table.card())
    send_button(page).click()
    says(page, "Waiting for Bob")
    shows(page, table, "Australia/Eucla")
    page.goto("/")
    shows(page, table, "Australia/Eucla")

    site.container.mail_preferences.set_choice(table.people["north"], {"time_zone": "Asia/Tokyo"})
    page.reload()
    shows(page, table, "Asia/Tokyo")
    page.goto(table.path)
    shows(page, table, "Asia/Tokyo")


def test_a_pause_ends_with_a_day_where_it_is_midnight_in_the_browser(
    site: Site, visit: Visit
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    until = (datetime.now(UTC) + timedelta(days=2)).replace(hour=15, minute=0, second=0)
    words = until.isoformat(timespec="seconds").replace("+00:00", "Z")
    site.container.games.pauses.agree(table.id, table.people["south"], words, ChangeContext())
    page = visit(table.path, table.mover, timezone_id="Asia/Tokyo").page
    turn_to(page, "More")
    offer = page.locator("#pause-offer time")
    expect(offer).to_have_text(f"the end of {until:%a} {until.day} {until:%b %Y} (Asia/Tokyo)")


def shows(page: Page, table: Table, name: str) -> None:
    """It is short, and in full, with the zone's name, where one points at it; on a game's page also
    for screen readers."""
    deadline = table.stored.deadline_text
    assert deadline is not None
    shown = page.locator(f"time[datetime='{deadline}']:not(.hidden *)")
    expect(shown).to_have_text(near_moment(ENGLISH, deadline, zone(name)))
    expect(shown).to_have_attribute("title", short_moment(ENGLISH, deadline, zone(name)))
    if page.locator("#game").count():
        spoken = page.locator(".deadline .hidden time")
        expect(spoken).to_have_text(short_moment(ENGLISH, deadline, zone(name)))
