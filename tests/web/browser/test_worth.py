"""Having a finished game weighed in the browser: by a worker, while the page looks on."""

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visit, bounds
from tests.support.site import Site
from tests.support.weighing import weigh_turns
from tests.web.browser.table import Table

CLEAR = """line => {
  const top = line.offsetTop - line.parentElement.scrollTop;
  return top >= 0 && top + line.offsetHeight + 30 <= line.parentElement.clientHeight;
}"""
"""Whether a line of the log is in sight whole, above where the log fades."""


@pytest.fixture
def over(site: Site) -> tuple[str, str]:
    """A game that ended after two turns, and its winner."""
    games = site.container.games
    players = [site.player(name) for name in ("Ann", "Bob")]
    game = site.game(*players)
    for mover in players:
        games.play(game, mover, [games.view(games.load(game), mover).legal[0]])
    games.resign(game, players[0])
    return game, players[1]


@pytest.mark.parametrize("anchor", ["", "#worth"])
def test_the_page_shows_the_figures_once_they_are_there(
    over: tuple[str, str], visit: Visit, anchor: str
) -> None:
    game, bob = over
    page = visit(f"/games/{game}{anchor}", bob).page
    page.evaluate("window.same = true")
    page.get_by_text("More about this game").click()
    page.get_by_role("button", name="How good were the moves?").click()
    page.wait_for_url("**#worth")
    heading = page.get_by_role("heading", name="How good were the moves?")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    expect(page.get_by_role("img", name="The chance that")).to_be_visible()
    expect(heading).to_be_focused()
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    page.locator(".end").get_by_role("link", name="How good were the moves?").click()
    expect(heading).to_be_in_viewport()
    assert page.evaluate("window.same")
    expect(page.get_by_text("Picture to share")).to_be_visible()  # what was open stays
    page.get_by_text("Every turn").click()
    expect(page.get_by_role("row")).to_have_count(3)


def test_a_link_of_a_mail_leads_to_the_button_before_it_is_pressed(
    over: tuple[str, str], visit: Visit
) -> None:
    game, bob = over
    page = visit(f"/games/{game}#worth", bob, viewport={"width": 390, "height": 500}).page
    expect(page.get_by_role("button", name="How good were the moves?")).to_be_in_viewport()


def test_without_a_script_one_looks_again(over: tuple[str, str], site: Site, visit: Visit) -> None:
    game, bob = over
    page = visit(f"/games/{game}", bob, java_script_enabled=False).page
    page.get_by_role("button", name="How good were the moves?").click()
    expect(page.get_by_text("You can leave this page.")).to_be_visible()
    weigh_turns(site.container, game)
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_role("img", name="The chance that")).to_be_visible()


def test_a_moment_that_mattered_is_shown_at_a_press(
    over: tuple[str, str], site: Site, visit: Visit
) -> None:
    game, bob = over
    weigh_turns(site.container, game)
    page = visit(f"/games/{game}", bob).page
    page.evaluate("window.same = true")
    page.get_by_text("Every turn").click()
    page.get_by_role("row").last.get_by_role("link").click()
    expect(page.get_by_role("slider", name="Step")).to_have_value("9")  # the end of the turn
    expect(page.locator(".worth-here")).to_be_in_viewport()
    assert page.locator(".story [aria-current]").evaluate(CLEAR)
    assert page.locator(".story").evaluate("story => story.scrollWidth <= story.clientWidth")
    assert page.evaluate("window.same")


def test_the_log_follows_the_steps_however_much_stands_below_the_board(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    for turn in range(30):
        table.play(f"{table.card()}@{turn // 4 + 1}")
    site.container.games.resign(table.id, table.people["south"])
    weigh_turns(site.container, table.id)
    page = visit(table.path, table.people["north"], viewport={"width": 1280, "height": 800}).page
    here, controls = page.locator(".story [aria-current=step]"), page.locator("#replay")
    page.get_by_role("link", name="First", exact=True).click()
    for turn in (1, 2, 15, 30):
        page.get_by_role("slider", name="Step").fill(str(3 + 3 * turn))
        expect(here).to_contain_text(f"{turn}. ")
        expect(here).to_be_in_viewport(ratio=1)
        line, below = bounds(here), bounds(controls)
        assert line["y"] + line["height"] <= below["y"]


def test_it_fits_on_a_phone(over: tuple[str, str], site: Site, visit: Visit) -> None:
    game, bob = over
    weigh_turns(site.container, game)
    page = visit(f"/games/{game}", bob, viewport={"width": 360, "height": 740}).page
    page.get_by_text("Every turn").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    draw = bounds(page.get_by_role("columnheader", name="Draw"))
    assert draw["x"] + draw["width"] <= 360


def test_nothing_for_screen_readers_reaches_out_of_a_long_log(
    over: tuple[str, str], site: Site, visit: Visit
) -> None:
    game, bob = over
    weigh_turns(site.container, game)
    page = visit(f"/games/{game}", bob, viewport={"width": 1280, "height": 800}).page
    page.evaluate(
        "const log = document.querySelector('.story');"
        "const line = log.querySelector('li').cloneNode(true);"
        "line.insertAdjacentHTML('beforeend', '<span class=hidden>best</span>');"
        "for (let i = 0; i < 200; i += 1) log.append(line.cloneNode(true));"
    )
    heights = "[document.documentElement.scrollHeight, document.querySelector('body > footer')"
    height, end = page.evaluate(f"{heights}.getBoundingClientRect().bottom + scrollY]")
    assert height <= end + 1
