"""Lessons in the browser: each step is taken in place."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visit


def test_a_step_moves_nothing_and_the_focus_goes_to_what_comes_next(visit: Visit) -> None:
    page = visit("/learn/1", viewport={"width": 375, "height": 667}).page
    page.evaluate("window.same = true; scrollTo(0, 40)")
    for press, after in (
        ("Red 9", page.get_by_role("button", name="Play on Stone 5")),
        ("Play on Stone 5", page.get_by_role("button", name="Claim Stone 5", exact=True)),
    ):
        top = page.evaluate("document.querySelector('.table').getBoundingClientRect().top")
        page.get_by_role("button", name=press, exact=True).click()
        expect(after.first).to_be_focused()
        assert page.evaluate("window.same")
        assert page.evaluate("document.querySelector('.table').getBoundingClientRect().top") == top
    page.get_by_role("button", name="Claim Stone 5", exact=True).first.click()
    expect(page.get_by_role("heading", name="Stone 5 is yours.")).to_be_focused()
    expect(page.get_by_role("link", name="Next lesson")).to_be_in_viewport(ratio=1)
    page.reload()
    expect(page.get_by_role("heading", name="Stone 5 is yours.")).to_be_visible()


@pytest.mark.parametrize("number", range(1, 6))
def test_the_hand_of_a_lesson_is_in_sight_on_the_smallest_phone(visit: Visit, number: int) -> None:
    page = visit(f"/learn/{number}", viewport={"width": 320, "height": 568}).page
    expect(page.locator("html.fontless")).to_have_count(0)
    cards = page.get_by_role("group", name="Your hand")
    expect(cards).to_be_in_viewport(ratio=1)


def test_a_step_that_the_server_does_not_answer_leads_to_its_page(visit: Visit) -> None:
    visitor = visit("/learn/1")
    visitor.page.evaluate("void (window.fetch = () => Promise.reject(new TypeError()))")
    visitor.page.get_by_role("button", name="Red 9").click()
    expect(visitor.page).to_have_url(re.compile("chosen=R9"))
