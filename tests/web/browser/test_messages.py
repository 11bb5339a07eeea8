"""Messages appear where they stand, and disturb nothing that is being put together or written."""

import re

from playwright.sync_api import Locator, expect

from tests.support.browser import Visit
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import PHONE, Table, button, put_together, says, send_button, turn_to


def test_two_write_to_each_other_over_an_unsent_turn(site: Site, visit: Visit) -> None:
    table = Table(site)
    talk = site.container.games.conversations
    ann = visit(table.path, table.people["north"]).page
    bob = visit(table.path, table.people["south"]).page
    put_together(ann, table.card(), stone=4)
    turn_to(ann, "Talk")
    ann.get_by_label("Your message").fill("I was just")
    turn_to(bob, "Talk")
    bob.get_by_label("Your message").fill("Hello <b>Ann</b>\nand good luck")

    button(bob, "Send message").click()

    expect(bob.locator(".said .own .written")).to_have_text("Hello <b>Ann</b>\nand good luck")
    expect(bob.get_by_label("Your message")).to_have_value("")
    expect(bob.locator("#talk-told")).to_have_text("Message sent.")
    expect(ann.locator(".said .theirs .written")).to_have_text("Hello <b>Ann</b>\nand good luck")
    expect(ann.get_by_label("Your message")).to_have_value("I was just")
    says(ann, "Not sent yet")
    until(lambda: talk.page(table.stored, table.people["north"]).unread == 0)
    expect(ann.get_by_role("button", name="Mark as read")).to_have_count(0)

    button(ann, "Send message").click()
    expect(ann.locator(".said li")).to_have_count(2)
    expect(bob.locator(".said .theirs .written")).to_have_text("I was just")
    says(ann, "Not sent yet")
    version = table.stored.version
    send_button(ann).click()
    says(ann, "Waiting for")
    assert table.stored.version > version


def test_what_is_new_in_the_talk_is_said_until_it_is_read(table: Table, visit: Visit) -> None:
    ann = visit(table.path, table.people["north"]).page
    bob = visit(table.path, table.people["south"]).page
    turn_to(bob, "Talk")
    bob.get_by_label("Your message").fill("Hello")
    button(bob, "Send message").click()
    told = ann.locator("#talk-told")
    expect(told).to_have_text("1 new in Talk")
    expect(told).to_be_visible()  # a screen reader hears it

    turn_to(ann, "Talk")

    expect(told).to_be_empty()


def test_the_words_of_a_message_are_heard_while_the_talk_is_open(
    table: Table, visit: Visit
) -> None:
    ann = visit(table.path, table.people["north"]).page
    bob = visit(table.path, table.people["south"]).page
    turn_to(ann, "Talk")
    turn_to(bob, "Talk")
    bob.get_by_label("Your message").fill("Hello\nand good luck")
    button(bob, "Send message").click()
    expect(ann.locator("#talk-told")).to_have_text(
        re.compile(r"^Bob\b.*Hello\s+and good luck$", re.DOTALL)
    )
    ann.get_by_label("Your message").fill("You too")
    button(ann, "Send message").click()
    expect(ann.locator("#talk-told")).to_have_text("Message sent.")
    expect(bob.locator("#talk-told")).to_have_text(re.compile(r"^Ann\b.*You too$", re.DOTALL))


def edges(part: Locator) -> list[float]:
    """Its upper and its lower edge, in pixels from the top of the window."""
    rect: list[float] = part.evaluate(
        "part => [part.getBoundingClientRect().top, part.getBoundingClientRect().bottom]"
    )
    return rect


def test_the_talk_has_room_below_all_that_a_new_player_is_asked(site: Site, visit: Visit) -> None:
    table = Table(site)
    waits = table.people["south"]
    page = visit(table.path, waits, viewport={"width": 1280, "height": 800}).page
    expect(page.locator(".telling")).to_be_visible()
    turn_to(page, "Talk")
    for words in ("Hello!", "Are you there?\nI am."):
        page.get_by_label("Your message").fill(words)
        button(page, "Send message").click()
        newest = page.locator(".said li", has_text=words.partition("\n")[0])
        expect(newest).to_be_visible()
        top, bottom = edges(page.locator(".panel.said"))
        first, last = edges(newest)
        assert top <= first < last <= edges(page.locator("#talk-form"))[0] + 1
        assert edges(button(page, "Send message"))[1] <= min(bottom, 800)


def test_a_message_that_is_refused_stays_written(site: Site, visit: Visit) -> None:
    table = Table(site)
    watched = visit(table.path, table.people["north"])
    watched.allowed.add(409)
    ann = watched.page
    turn_to(ann, "Talk")
    ann.get_by_label("Your message").fill("Hello?")
    site.container.games.conversations.wishes.set_off(table.people["south"], off=True)

    button(ann, "Send message").click()

    expect(ann.locator("#talk-wrong")).to_contain_text("takes no messages")
    expect(ann.get_by_label("Your message")).to_have_value("Hello?")


def test_a_message_counts_as_read_once_it_was_in_sight(site: Site, visit: Visit) -> None:
    table = Table(site)
    conversations = site.container.games.conversations
    conversations.write(table.id, table.people["south"], "Good luck!", "web")
    ann = visit(table.path, table.people["north"], **PHONE).page
    expect(ann.get_by_role("link", name="1 new message")).to_be_visible()
    ann.reload()
    expect(ann.get_by_role("link", name="1 new message")).to_be_visible()
    expect(ann.locator("#talk-count")).to_have_text("1 new")

    turn_to(ann, "Talk")

    expect(ann.get_by_role("link", name="1 new message")).to_have_count(0)
    expect(ann.locator("#talk-count")).to_be_hidden()
    until(lambda: conversations.page(table.stored, table.people["north"]).unread == 0)


def test_the_title_tells_who_waits_of_a_message_until_it_was_read(site: Site, visit: Visit) -> None:
    table = Table(site)
    bob = visit(table.path, table.people["south"]).page
    expect(bob).to_have_title(re.compile("^Waiting for Ann"))
    site.container.games.conversations.write(table.id, table.people["north"], "Hello", "web")
    expect(bob).to_have_title(re.compile(r"^1 new message · Waiting for Ann"))
    turn_to(bob, "Talk")
    expect(bob).to_have_title(re.compile("^Waiting for Ann"))


PLACES = """() => {
  const box = document.getElementById("talk-text");
  window.tops = new Set();
  const look = () => {
    tops.add(Math.round(box.getBoundingClientRect().top));
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes where the box to write in is seen, frame by frame."""


def test_the_box_to_write_in_stays_where_it_is_while_messages_come(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    talk, (ann, bob) = site.container.games.conversations, table.people.values()
    page = visit(table.path, ann, **PHONE).page
    turn_to(page, "Talk")
    page.get_by_label("Your message").fill("I was just")
    page.evaluate(PLACES)
    for number in range(3):
        talk.write(table.id, bob, f"Hello {number}\nand good luck", "web")
        expect(page.locator(".said .theirs")).to_have_count(number + 1)
        expect(page.get_by_role("button", name="Mark as read")).to_have_count(0)
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.evaluate("[...tops].length") == 1, page.evaluate("[...tops]")


def test_on_a_desk_the_news_leads_to_a_new_message(table: Table, visit: Visit) -> None:
    conversations = table.site.container.games.conversations
    conversations.write(table.id, table.people["south"], "Good luck!", "web")
    size = {"width": 1280, "height": 800}
    page = visit(table.path, table.people["north"], viewport=size).page
    page.locator("#now").get_by_role("link", name="1 new message").click()
    expect(page.get_by_text("Good luck!")).to_be_in_viewport(ratio=1)
    expect(page.locator(".panel.log")).to_be_hidden()
