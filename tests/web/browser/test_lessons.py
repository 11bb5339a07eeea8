"""Lessons in the browser: each step is taken in place."""

import re

from playwright.sync_api import expect

from tests.support.browser import Visit


def test_a_step_moves_nothing_and_the_focus_goes_to_what_comes_next(visit: Visit) -> None:
    page = visit("/learn/1", viewport={"width": 375, "height": 667}).page
    page.evaluate("window.same = true; scrollTo(0, 40)")
    for press, after in (
        ("Red 9", page.get_by_role("button", name="Play on Stone 5")),
        ("Play on Stone 5", page.get_by_role("button", name="Claim Stone 5", exact=True)),
        ("Claim Stone 5", page.get_by_role("heading", name="Stone 5 is yours.")),
    ):
        top = page.evaluate("document.querySelector('.table').getBoundingClientRect().top")
        page.get_by_role("button", name=press, exact=True).click()
        expect(after.first).to_be_focused()
        assert page.evaluate("window.same")
        assert page.evaluate("document.querySelector('.table').getBoundingClientRect().top") == top
    expect(page.get_by_role("link", name="Next lesson")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Stone 5 is yours.")).to_be_visible()


def test_a_step_that_the_server_does_not_answer_leads_to_its_page(visit: Visit) -> None:
    visitor = visit("/learn/1")
    visitor.page.evaluate("void (window.fetch = () => Promise.reject(new TypeError()))")
    visitor.page.get_by_role("button", name="Red 9").click()
    expect(visitor.page).to_have_url(re.compile("chosen=R9"))
