"""A whole turn as a screen reader tells it, from the accessibility tree, by keyboard alone."""

import re
from typing import Any

from playwright.sync_api import CDPSession, Error, Page, expect

from service.games import ChangeContext
from tests.support.browser import Visit
from tests.support.games import arranged
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import Table, before_the_win, button, hand

STATES = {"pressed": "pressed", "expanded": "expanded", "disabled": "dimmed", "checked": "checked"}


class Listener:
    """Hears what has the focus, and what the page says by itself."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("Accessibility.enable")

    def press(self, *keys: str) -> None:
        for key in keys:
            self._page.keyboard.press(key)

    def hears(self, words: str) -> None:
        """Let the control that has the focus be heard as this."""
        until(lambda: self._focused() == words)

    def _focused(self) -> str:
        found = self._session.send("Runtime.evaluate", {"expression": "document.activeElement"})
        of = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
        try:
            (node,) = self._session.send("Accessibility.getPartialAXTree", of)["nodes"]
        except Error:  # it is being replaced
            return ""
        states = {each["name"]: _value(each) for each in node.get("properties", [])}
        heard = [_value(node, "name"), _value(node, "role"), _value(node, "description")]
        heard += [word for state, word in STATES.items() if states.get(state) in (True, "true")]
        return ", ".join(filter(None, heard))

    def said(self) -> str:
        """What stands in the live region."""
        return self._page.get_by_role("status").inner_text()

    def says_no_more(self) -> None:
        """Let the live region say what stands on the page, and nothing that happened before."""
        expect(self._page.locator("#status .hidden")).to_have_text("")

    def waits_for(self, words: str) -> None:
        """Let the live region say this."""
        expect(self._page.get_by_role("status")).to_contain_text(words)


def _value(node: dict[str, Any], of: str = "value") -> Any:
    found = node.get(of)
    return found.get("value") if isinstance(found, dict) else found


def test_a_whole_turn_is_heard_and_played_without_being_seen(site: Site, visit: Visit) -> None:
    table = Table(site)
    for _ in range(2):
        table.play(f"{table.card()}@4")
    names = site.container.players.names(table.people.values())
    ann, bob = (names[player] for player in table.people.values())
    page = visit(table.path, table.mover).page
    heard = Listener(page)

    assert page.title() == f"(1) Your turn: {ann} v {bob} · Scottenbury"
    assert page.get_by_role("region", name="Now").aria_snapshot().splitlines()[1:] == [
        "  - paragraph: Your turn",
        '  - list "Since your last turn":',
        "    - listitem:",
        f"      - text: {bob} played",
        "      - emphasis: Red",
        "      - text: 6 on Stone 4.",
    ]
    assert heard.said() == "Your turn. Choose a card to play."
    heard.press("Tab")
    heard.hears("Skip to the content, link")
    heard.press("Tab")
    heard.hears("Skip to your hand, link")
    heard.press("Enter")
    heard.hears("Red 7, button, just drawn")
    heard.press("ArrowRight")
    heard.hears("Orange 8, button")

    heard.press("Enter")
    heard.hears("Orange 8, button, pressed")
    heard.waits_for("Your turn. Where do you play Orange 8? Now a Stone: 1 to 9, or ↑.")
    heard.press("ArrowUp")
    heard.hears(f"Play on Stone 1, button, You: no cards. {bob}: no cards.")
    heard.press("ArrowRight", "ArrowRight", "ArrowRight")
    heard.hears(f"Play on Stone 4, button, You: Red 4. {bob}: Red 6.")
    stone = page.get_by_role("heading", name="Stone 4")
    expect(stone).to_have_accessible_name(f"Stone 4, unclaimed. You: Red 4. {bob}: Red 6.")

    heard.press("Enter")
    heard.waits_for("Your turn. Not sent yet: Orange 8 on Stone 4. You draw after sending.")
    heard.says_no_more()
    heard.hears("Send: Orange\u00a08 on Stone\u00a04, button")
    expect(stone).to_have_accessible_name(
        f"Stone 4, unclaimed. You: Red 4 and Orange 8. {bob}: Red 6."
    )

    heard.press("Enter")
    heard.waits_for(f"Waiting for {bob}. You played Orange 8 on Stone 4 and drew ")
    heard.hears("Plan ahead, link")
    expect(page).to_have_title(f"Waiting for {bob}: {ann} v {bob} · Scottenbury")


def test_what_a_tactic_card_does_is_heard_where_it_is_chosen(site: Site, visit: Visit) -> None:
    people: Any = {"north": site.player("Ann"), "south": site.player("Bob")}
    hands = {
        "north": ("R7", "R8", "R9", "O1", "O2", "JOK", "BMB"),
        "south": ("G1", "G3", "G5", "B2", "B4", "B6", "BAN"),
    }
    decks: Any = {"tactic_deck": ("REC",), "game_id": "heardtactic".ljust(20, "a")}
    game = arranged(site.container, people, hands, **decks)
    heard = Listener(visit(f"/games/{game}", people["north"]).page)
    heard.press("ArrowRight", "End", "Enter")
    heard.waits_for("Where do you play the Blind-Man’s Bluff? On this Stone only the sums count")
    heard.press("ArrowUp", "ArrowRight", "Enter")
    heard.waits_for("Not sent yet: Blind-Man’s Bluff on Stone 2. Choose the deck to draw from.")
    heard.hears("Draw a Clan card, button")


def test_a_claim_that_wins_is_played_by_keys_from_anywhere(site: Site, visit: Visit) -> None:
    """The focus is on nothing at first, as after a press by touch or on the page itself."""
    path, people = before_the_win(site, "heardwin")
    page = visit(path, people["north"]).page
    heard = Listener(page)
    button(page, "Yellow 9").evaluate("card => card.click()")
    heard.waits_for("Where do you play Yellow 9?")
    heard.press("3")
    heard.waits_for("You can claim Stone 3 before you send.")
    heard.hears("Claim Stone 3, button")
    page.evaluate("document.activeElement.blur()")
    heard.press("c")
    heard.waits_for("Not sent yet: Yellow 9 on Stone 3, claim Stone 3. Your turn ends after")
    heard.hears("Send: Yellow\u00a09 on Stone\u00a03, claim Stone\u00a03, button")
    page.evaluate("document.activeElement.blur()")
    heard.press("Enter")
    heard.waits_for("You won with three adjacent Stones. 17. You played Yellow 9 on Stone 3")
    expect(page.get_by_role("heading", name="Congratulations!")).to_be_focused()


def test_what_was_said_of_a_stone_ends_with_it_or_with_the_turn(site: Site, visit: Visit) -> None:
    path, people = before_the_win(site, "heardstone")
    page = visit(path, people["north"]).page
    heard, stone = Listener(page), "Stone 3. Your side needs 1 more card."
    heard.press("3")
    heard.waits_for(stone)
    heard.press("Escape")
    heard.says_no_more()
    hand(page).first.click()
    heard.press("7")
    heard.waits_for("You draw after sending.")
    heard.press("3")
    heard.waits_for(stone)
    page.get_by_role("button", name="Send: ").press("Enter")
    heard.waits_for("You played Red 1 on Stone 7 and drew ")
    expect(page.locator(".judge[open]")).to_be_visible()
    assert stone not in heard.said()


def test_a_message_and_an_offer_leave_the_move_that_came_with_them_to_be_heard(
    site: Site, visit: Visit
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    page = visit(table.path, table.people["south"]).page
    heard, games = Listener(page), site.container.games
    heard.waits_for("Waiting for Ann")
    games.conversations.write(table.id, table.people["north"], "Hello", "web")
    table.play(f"{table.card()}@4")
    games.pauses.agree(table.id, table.people["north"], None, ChangeContext("web"))
    expect(page.locator("#talk-told")).to_have_text("1 new in Talk")
    heard.waits_for("offers a pause")
    assert heard.said().startswith("Your turn. Choose a card to play.")
    assert re.search(r"played \w+ \d on Stone 4\.\s.*offers a pause", heard.said())


READ_OUT = """columns => columns.flatMap(column => {
  const heading = column.querySelector("h3").textContent;
  const at = card => heading.indexOf(card);
  return [...column.querySelectorAll("ul.side")].map(side => {
    const cards = [...side.querySelectorAll("[role=img]")].map(
      card => card.ariaLabel ?? card.textContent.trim());
    return [cards, [...cards].sort((one, other) => at(one) - at(other))];
  });
})"""
"""The cards on each side of a Stone, in the order of the list and of the heading."""


def test_the_cards_at_a_stone_are_heard_in_the_order_of_its_heading(
    site: Site, visit: Visit
) -> None:
    path, people = before_the_win(site, "inorder")
    page = visit(path, people["north"]).page
    sides = page.locator(".column").evaluate_all(READ_OUT)
    assert ["Green 1", "Green 3"] in [cards for cards, _ in sides]
    assert all(cards == said for cards, said in sides), sides
