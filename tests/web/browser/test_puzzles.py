"""Puzzles in the browser: which of them were solved in it."""

from playwright.sync_api import expect

from service.web.reference.puzzles import puzzle_of
from tests.support.browser import Visit


def test_a_solved_puzzle_is_marked_in_the_list(visit: Visit) -> None:
    puzzle = puzzle_of("2")
    assert puzzle is not None
    right = "yes" if puzzle.claim_state.claimable else "no"
    page = visit(f"/puzzles/2?answer={right}").page
    page.goto("/puzzles/5")
    expect(page.get_by_role("link", name="2 solved")).to_be_visible()
    expect(page.get_by_text("solved in this browser")).to_be_visible()
    expect(page.locator("#puzzles .solved")).to_have_count(1)
