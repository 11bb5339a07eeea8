"""The mail of a turn in the local mailbox, as a telephone shows it, and the way from it."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from service.container import Container
from tests.support.browser import Visit
from tests.support.site import Site
from tests.support.waiting import until

NARROW = {"width": 320, "height": 640}


@pytest.fixture(scope="module")
def mail(site: Site) -> str:
    """The id of the mail of a turn in a lively game, which the site's worker sent."""
    container = site.container
    north, south = site.player("Una"), site.player("Vera")
    game = site.game(north, south, tactics=True)
    for turn in range(30):
        play_turn(container, game, turn)
    version = container.games.load(game).version

    def sent() -> list[str]:
        found = (mail.id for mail in container.mailbox.newest())
        return [mail_id for mail_id in found if mail_id.startswith(f"<{game}.{version}.")]

    until(lambda: bool(sent()))
    return sent()[0].strip("<>")


def play_turn(container: Container, game: str, turn: int) -> None:
    mover = container.games.load(game).player_to_move()
    while (stored := container.games.load(game)).player_to_move() == mover and mover is not None:
        legal = container.games.view(stored, mover).legal
        container.games.play(game, mover, [legal[(7 * turn + 3) % len(legal)]])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_column_is_cut_off(visit: Visit, mail: str, scheme: str) -> None:
    page = visit(f"/mailbox/html/{mail}", viewport=NARROW, color_scheme=scheme).page

    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    assert cut_off(page) == []
    assert page.locator("td[bgcolor]").count() > 20


def cut_off(page: Page) -> list[str]:
    """The cells whose text is wider than they are, or that lie beside the screen."""
    return page.evaluate(
        """() => [...document.querySelectorAll("[bgcolor], span[role=img]")].filter(cell =>
        cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > innerWidth
        ).map(cell => cell.textContent)"""
    )


def test_the_mail_leads_out_of_its_frame(visit: Visit, site: Site, mail: str) -> None:
    page = visit(f"/mailbox/{mail}").page
    frame = page.frame_locator("iframe")

    expect(frame.get_by_role("group", name="Your hand")).to_be_visible()
    frame.get_by_role("link", name="Open the game").click()

    page.wait_for_url(f"{site.url}/games/*")


def test_a_link_that_opens_an_answer_fills_in_the_form_below(visit: Visit, mail: str) -> None:
    page = visit(f"/mailbox/{mail}").page

    link = page.frame_locator("iframe").locator("a[href^='mailto:']").first
    said = parse_qs(urlsplit(str(link.get_attribute("href"))).query)["body"]
    link.click()

    answer = page.get_by_label("Answer as")
    expect(answer).to_be_focused()
    assert [answer.input_value()] == said
    assert page.locator("input[name=to]").input_value().startswith("play+t")


@pytest.mark.parametrize("width", [320, 1280])
def test_the_frame_is_as_high_as_its_mail(visit: Visit, mail: str, width: int) -> None:
    page = visit(f"/mailbox/{mail}", viewport={"width": width, "height": 640}).page
    frame = page.frames[1]

    def left_over() -> int:
        return frame.evaluate("innerHeight - document.documentElement.offsetHeight")

    until(lambda: left_over() == 0)
    assert frame.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.set_viewport_size({"width": width + 200, "height": 640})
    until(lambda: left_over() == 0)
