"""A game between two people, and what they do on its page."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from engine import Seat
from engine.cards import full_name
from service.games import StoredGame
from service.web.cookies import LANGUAGE
from tests.support.browser import bounds
from tests.support.games import arranged, played
from tests.support.site import Site
from tests.support.waiting import until

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

HIDE = """hidden => {
  Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
  document.dispatchEvent(new Event('visibilitychange'));
}"""
"""Let the page think that it is hidden, or seen again."""

COUNTED = """window.streams = [];
window.EventSource = class extends EventSource {
  constructor(url) { super(url); window.streams.push(this); }
  addEventListener(type, heard) {
    super.addEventListener(type, event => window.deaf && type === 'moved' ? null : heard(event));
  }
};"""
"""The streams of a page are counted; one that is `deaf` is dead and says nothing, as on iOS."""


class Table:
    """A game between two people; north plays first."""

    def __init__(self, site: Site, **options: object) -> None:
        self.site = site
        self.people: dict[Seat, str] = {"north": site.player("Ann"), "south": site.player("Bob")}
        self.id = site.game(*self.people.values(), **options)
        self.path = f"/games/{self.id}"

    @property
    def stored(self) -> StoredGame:
        return self.site.container.games.load(self.id)

    @property
    def mover(self) -> str:
        turn = self.stored.game.turn
        assert turn is not None
        return self.people[turn]

    def card(self, place: int = 0) -> str:
        """A card of who is to move, in action text."""
        return self.site.container.games.view(self.stored, self.mover).own_cards[place]

    def play(self, *texts: str) -> None:
        self.site.container.games.play(self.id, self.mover, texts)


def before_the_win(site: Site, game_id: str) -> tuple[str, Any]:
    """A game in which Yellow 9 on Stone 3 and a claim win for north; its path and its players."""
    people: Any = {"north": site.player("Ann"), "south": site.player("Bob")}
    hands = {
        "north": ("R7", "R8", "R9", "O7", "O8", "O9"),
        "south": ("G1", "G3", "G5", "B2", "B4", "B6"),
    }
    deck = ("Y7", "G2", "Y8", "G4", "Y9", "B1")
    game = arranged(site.container, people, hands, deck, game_id.ljust(20, "a"))
    turns = ("R7@1", "G1@9", "R8@1", "G3@9", "R9@1 !1", "G5@8", "O7@2", "B2@8", "O8@2", "B4@7")
    more = ("O9@2 !2", "B6@7", "Y7@3", "G2@6", "Y8@3", "G4@6")
    played(site.container, game, people, *turns, *more)
    return f"/games/{game}", people


def choose_language(page: Page, site: Site, code: str) -> None:
    """Show this person's pages in a language."""
    cookie = {"name": LANGUAGE, "value": code, "url": site.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]


def enlarge(page: Page, pixels: int) -> None:
    """Set the browser's size of text; 16 is the default."""
    sizes = {"fontSizes": {"standard": pixels}}
    page.context.new_cdp_session(page).send("Page.setFontSizes", sizes)


def hand(page: Page) -> Locator:
    return page.get_by_role("group", name="Your hand").get_by_role("button")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def send_button(page: Page) -> Locator:
    """What sends the turn, and says what is sent."""
    return page.get_by_role("button", name=re.compile("^Send: "))


def says(page: Page, words: str) -> None:
    expect(page.get_by_role("status")).to_contain_text(words)


def put_together(page: Page, card: str, stone: int = 3) -> None:
    hand(page).filter(has=page.locator("svg")).and_(
        page.get_by_role("button", name=full_name(card), exact=True)
    ).first.click()
    button(page, f"Play on Stone {stone}").click()
    says(page, f"Not sent yet: {full_name(card)} on Stone {stone}.")


def followed(page: Page) -> None:
    """Wait until the page has an open stream."""
    # Not `wait_for_function`: it evaluates a string in the page, which the policy forbids.
    until(lambda: page.evaluate("streams.some(each => each.readyState === EventSource.OPEN)"))


def turn_to(page: Page, tab: str) -> None:
    """Show the panel beside or below the board that has this tab."""
    page.get_by_role("radio", name=tab).check()


def middle(found: Locator) -> tuple[float, float]:
    box = bounds(found)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
