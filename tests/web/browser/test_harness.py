"""The watch over pages sees what goes wrong: else the other tests here would prove little."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error

from tests.support import browser
from tests.support.browser import NoBrowser, Visit
from tests.support.site import Site
from tests.web.browser.profiles import Profiles


def test_a_game_is_shown_to_whoever_is_signed_in(site: Site, visit: Visit) -> None:
    ann, bob = site.player("Ann"), site.player("Bob")
    page = visit(f"/games/{site.game(ann, bob)}", ann).page
    assert "Ann" in page.get_by_role("heading", level=1).inner_text()


def test_faults_of_a_page_are_seen(visit: Visit) -> None:
    watched = visit("/")
    watched.page.goto("/no-such-page")
    watched.page.evaluate("console.error('odd')")
    with suppress(Error):
        watched.page.goto("http://127.0.0.1:9/")
    kinds = {fault.partition(":")[0] for fault in watched.faults}
    watched.faults.clear()
    assert {"404", "error", "left the server"} <= kinds


def test_a_page_that_is_just_going_elsewhere_is_closed(profiles: Profiles) -> None:
    for milliseconds in (5, 7, 9, 11, 13, 15):
        page = profiles.open()
        page.goto("/guide")
        page.evaluate("setTimeout(() => { location.href = '/' })")
        page.wait_for_timeout(milliseconds)
        profiles.give_back()
        assert page.is_closed()


def test_without_a_browser_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "_on_the_path", lambda: None)
    monkeypatch.setattr(browser, "_works", lambda: False)
    monkeypatch.setattr(browser, "_run", lambda command: False)
    with pytest.raises(NoBrowser, match="make test BROWSER=no"):
        browser.ensure()
