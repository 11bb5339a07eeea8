"""The deal of the day in a browser, with scripts and without."""

from playwright.sync_api import Page, expect

from service.container import Container
from tests.support.browser import Visit
from tests.support.site import Site


def begun(container: Container, page: Page) -> tuple[str, str]:
    """The game that a press begins for a passer-by, and their id."""
    page.get_by_role("button", name="Play the deal").click()
    page.wait_for_url("**/games/*")
    game = page.url.rpartition("/")[2]
    return game, container.games.load(game).game.players["north"] or ""


def test_the_bot_s_answer_comes_by_itself_and_the_result_can_be_copied(
    site: Site, visit: Visit
) -> None:
    games = site.container.games
    page = visit("/daily", is_own=True, permissions=["clipboard-read", "clipboard-write"]).page
    game, player = begun(site.container, page)
    page.evaluate("window.same = true")
    expect(page.get_by_text("Choose a card to play.").first).to_be_visible()
    games.play(game, player, [games.view(games.load(game), player).legal[0]])
    expect(page.locator("#story").get_by_text("Steward (bot) played").first).to_be_visible()
    expect(page.get_by_text("Choose a card to play.").first).to_be_visible()
    assert page.evaluate("window.same")
    games.resign(game, player)
    page.get_by_role("link", name="See how the others did").click()
    page.get_by_role("button", name="Copy: Text to share").click()
    expect(page.get_by_role("button", name="Copied: Text to share")).to_have_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.splitlines()[1].startswith("Resigned, ")


def test_it_takes_no_script(site: Site, visit: Visit) -> None:
    page = visit("/daily", java_script_enabled=False).page
    game, player = begun(site.container, page)
    site.container.games.resign(game, player)
    page.goto("/daily")
    expect(page.get_by_role("textbox", name="Text to share")).to_be_visible()
    expect(page.get_by_role("table")).to_contain_text("(you)")
