"""Moments by the clock of the browser, where the player has chosen none."""

from collections.abc import Callable
from datetime import tzinfo

from playwright.sync_api import Page, expect

from service.accounts.local_time import zone
from service.text.moments import near_moment, short_moment
from tests.support.browser import Visit
from tests.support.site import Site
from tests.web.browser.table import Table, put_together, says, send_button


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
    shows(page, table, "Australia/Eucla", short_moment)

    site.container.mail_preferences.set_choice(table.people["north"], {"time_zone": "Asia/Tokyo"})
    page.reload()
    shows(page, table, "Asia/Tokyo", short_moment)
    page.goto(table.path)
    shows(page, table, "Asia/Tokyo")


def shows(
    page: Page, table: Table, name: str, words: Callable[[str, tzinfo], str] = near_moment
) -> None:
    """The list of games has room for the whole moment; beside the turn it is short."""
    deadline = table.stored.deadline_text
    assert deadline is not None
    expect(page.locator(f"time[datetime='{deadline}']")).to_have_text(words(deadline, zone(name)))
