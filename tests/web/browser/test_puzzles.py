"""Puzzles in the browser: the board beside the answer, and which of them were solved in it."""

from playwright.sync_api import expect

from service.core.words import ENGLISH
from service.web.reference.puzzles import puzzle_of
from tests.support.browser import Visit


def test_a_solved_puzzle_is_marked_in_the_list(visit: Visit) -> None:
    puzzle = puzzle_of("2")
    assert puzzle is not None
    right = "yes" if puzzle.claim_state(ENGLISH).claimable else "no"
    page = visit(f"/puzzles/2?answer={right}").page
    page.goto("/puzzles/5")
    page.get_by_text("Choose a puzzle").click()
    expect(page.get_by_role("link", name="2 solved")).to_be_visible()
    expect(page.get_by_text("solved in this browser")).to_be_visible()
    expect(page.locator("#puzzles .solved")).to_have_count(1)


def test_the_answers_are_in_sight_beside_the_largest_board(visit: Visit) -> None:
    page = visit("/puzzles/2026-11-29", viewport={"width": 1280, "height": 800}).page
    expect(page.locator(".effects li")).to_have_count(2)
    expect(page.get_by_role("button", name="Yes, I can claim it")).to_be_in_viewport(ratio=1)


def test_an_answer_leaves_the_board_in_sight(visit: Visit) -> None:
    page = visit("/puzzles/2", viewport={"width": 375, "height": 667}).page
    page.get_by_role("button", name="No, not yet").click()
    expect(page.locator(".table")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="Next puzzle")).to_be_in_viewport(ratio=1)
