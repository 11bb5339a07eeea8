"""Pages that move by themselves: in two browsers, in several tabs, with streams that are cut."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from engine import Seat
from engine.cards import full_name
from service.games import ChangeContext, NewGame
from tests.support.browser import Visit, at_rest, bounds
from tests.support.games import arranged, played
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import (
    COUNTED,
    HIDE,
    Table,
    button,
    followed,
    put_together,
    says,
    send_button,
    turn_to,
)

SHOUT = "name => { for (let i = 0; i < 50; i++) document.dispatchEvent(new Event(name)); }"
STREAMS = "streams.filter(each => each.readyState !== EventSource.CLOSED).length"


def other_game(table: Table) -> str:
    """The address of another game between the same players."""
    return f"/games/{table.site.game(*table.people.values())}"


def finished_game(table: Table) -> str:
    path = other_game(table)
    table.site.container.games.resign(path.split("/")[-1], table.people["north"])
    return path


PLACES_ELSEWHERE: dict[str, Callable[[Table], str]] = {
    "running game": other_game,
    "finished game": finished_game,
    "step of another game": lambda table: f"{other_game(table)}?at=3",
    "plan": lambda table: f"{other_game(table)}/orders",
    "new game": lambda table: "/games/new",
    "lobby": lambda table: "/lobby",
    "rules": lambda table: "/rules",
    "player": lambda table: f"/players/{table.people['north']}",
}


def cut(route: Route) -> None:
    """Answer as a server that has no room for another stream."""
    if route.request.headers.get("accept") == "text/event-stream":
        route.fulfill(status=503)
    else:
        route.continue_()


def test_the_game_begins_on_the_page_that_waits_for_the_opponent(site: Site, visit: Visit) -> None:
    ann, bob = site.player("Ann"), site.player("Bob")
    wanted = NewGame(first_player="creator", opponent=bob)
    game = site.container.games.create(ann, wanted).id
    page = visit(f"/games/{game}", ann).page
    says(page, "Waiting for Bob")
    page.evaluate("window.stays = true")

    with page.expect_request(lambda asked: asked.url.endswith(f"{game}/page-sign"), timeout=20_000):
        site.container.games.join(game, bob)  # at once this page is in sight as the game's

    says(page, "Your turn")
    expect(page.get_by_role("group", name="Your hand").get_by_role("button")).to_have_count(6)
    expect(page.locator("#game")).to_be_focused()
    expect(page).to_have_title(re.compile(r"^\(1\) Your turn"))
    expect(page.get_by_role("link", name="Games 1 waiting")).to_be_visible()
    expect(page.get_by_role("button", name="Sounds: off")).to_be_visible()
    assert page.evaluate("stays")  # no frame of it is empty
    card = site.container.games.view(site.container.games.load(game), ann).own_cards[0]
    put_together(page, card)
    send_button(page).click()
    says(page, "Waiting for Bob")
    turn_to(page, "Talk")
    expect(page.get_by_label("Your message")).to_be_visible()
    styles = "[...document.styleSheets].map(({href}) => href).sort()"
    swapped = page.evaluate(styles)
    page.reload()
    assert page.evaluate(styles) == swapped


def test_one_moves_and_the_other_sees_it(table: Table, visit: Visit) -> None:
    ann = visit(table.path, table.people["north"]).page
    bob = visit(table.path, table.people["south"]).page
    says(bob, "Waiting for Ann")
    card = table.card()

    put_together(ann, card, stone=4)
    send_button(ann).click()

    says(bob, "Your turn")
    says(bob, f"played {full_name(card)} on Stone 4")
    expect(bob).to_have_title(re.compile(r"^\(1\) Your turn"))
    expect(bob.locator('[data-stone="4"] li.changed')).to_have_count(1)
    assert bob.locator("li.changed").get_attribute("data-card") == card
    bob.get_by_role("group", name="Your hand").get_by_role("button").first.click()
    says(bob, "Where do you")
    expect(bob.locator("li.changed")).to_have_count(1)
    button(bob, "Play on Stone 5").click()
    send_button(bob).click()
    says(bob, "Waiting for Ann")
    expect(bob.locator(".changed")).to_have_count(0)


def test_the_formations_stay_as_their_reader_has_them(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.people["north"], viewport={"width": 1280, "height": 800}).page
    formations = page.locator(".formations")
    for turn in range(10):
        table.play(f"{table.card()}@{turn % 9 + 1}")
    says(page, "Your turn")
    expect(formations).to_have_attribute("open", "")
    formations.locator("summary").click()
    table.play(f"{table.card()}@2")
    says(page, "Waiting for")
    expect(formations).not_to_have_attribute("open", "")
    page.reload()
    expect(formations).not_to_have_attribute("open", "")


def test_a_pause_that_is_offered_appears_where_one_looks(site: Site, visit: Visit) -> None:
    table = Table(site, clock={"days_per_move": 3})
    page = visit(table.path, table.people["north"]).page
    sign = page.locator("#now").get_by_role("link", name=re.compile("offers a pause"))
    expect(sign).to_have_count(0)

    site.container.games.pauses.agree(table.id, table.people["south"], None, ChangeContext("web"))

    expect(sign).to_be_in_viewport()
    sign.click()
    expect(button(page, "Agree to the pause")).to_be_in_viewport()
    site.container.games.pauses.withdraw(table.id, table.people["south"])
    expect(sign).to_have_count(0)


def test_that_a_pause_was_declined_is_said(site: Site, visit: Visit) -> None:
    table = Table(site, clock={"days_per_move": 3})
    pauses = site.container.games.pauses
    pauses.agree(table.id, table.people["north"], None, ChangeContext("web"))
    page = visit(table.path, table.people["north"]).page
    pauses.withdraw(table.id, table.people["south"])
    says(page, "declined the pause")


def test_a_rematch_that_is_offered_appears_on_the_page_of_the_finished_game(
    table: Table, site: Site, visit: Visit
) -> None:
    ann, bob = table.people["north"], table.people["south"]
    site.container.games.resign(table.id, bob)
    page = visit(table.path, ann).page
    says(page, "You won")

    made = site.container.games.rematches.ask(table.id, bob)

    expect(
        page.locator("#now").get_by_role("link", name=re.compile("asks for a rematch"))
    ).to_be_visible()
    button(page, "Accept the rematch").click()
    expect(page).to_have_url(re.compile(made.id))
    assert site.container.games.load(made.id).game.status == "active"


def test_without_a_stream_what_is_offered_appears_and_what_is_open_stays(
    site: Site, visit: Visit
) -> None:
    """What came before the stream was open, or without one, is found by looking."""
    table = Table(site, clock={"days_per_move": 3})
    watched = visit("about:blank", table.people["north"], viewport={"width": 1280, "height": 900})
    watched.allowed.add(503)
    page = watched.page
    page.route("**/news", cut)
    page.goto(table.path)
    turn_to(page, "More")
    page.get_by_text("Pause the clock").click()
    for _ in range(2):  # with the second look, what the first one brought has been put in
        with page.expect_response(lambda answer: answer.url.endswith(table.path)):
            pass
    expect(button(page, "Offer a pause")).to_be_visible()

    site.container.games.pauses.agree(table.id, table.people["south"], None, ChangeContext("web"))

    sign = page.locator("#now").get_by_role("link", name=re.compile("offers a pause"))
    expect(sign).to_be_visible()


def test_a_page_is_fetched_again_only_when_something_has_changed(site: Site, visit: Visit) -> None:
    table = Table(site, clock={"days_per_move": 3})
    page = visit("about:blank", table.people["north"]).page
    page.add_init_script(COUNTED)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    with page.expect_response(lambda answer: "/news?said=0" in answer.url) as asked:
        page.goto(table.path)
    assert asked.value.status == 304
    followed(page)
    assert [url.endswith(table.path) for url in fetched].count(True) == 1

    site.container.games.pauses.agree(table.id, table.people["south"], None, ChangeContext("web"))
    sign = page.locator("#now").get_by_role("link", name=re.compile("offers a pause"))
    expect(sign).to_be_visible()
    assert [url.endswith(table.path) for url in fetched].count(True) == 2


def test_what_was_offered_before_the_stream_was_open_is_found(site: Site, visit: Visit) -> None:
    table = Table(site, clock={"days_per_move": 3})
    page = visit("about:blank", table.people["north"]).page
    held: list[Route] = []
    page.route("**/news", lambda route: held.append(route))
    page.goto(table.path)
    until(lambda: page.evaluate("1") and held)
    site.container.games.pauses.agree(table.id, table.people["south"], None, ChangeContext("web"))
    held[0].continue_()
    expect(
        page.locator("#now").get_by_role("link", name=re.compile("offers a pause"))
    ).to_be_visible()


def test_the_list_of_games_and_its_title_follow(site: Site, table: Table, visit: Visit) -> None:
    page = visit("/", table.people["south"]).page
    expect(page).to_have_title(re.compile("^Your games"))
    expect(page.get_by_role("heading", name="Their turn")).to_be_visible()

    table.play(f"{table.card()}@1")

    expect(page.get_by_role("heading", name="Your turn 1")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) Your games"))
    expect(page.get_by_role("link", name="Games 1 waiting")).to_be_visible()
    assert "stone-dot.svg" in (page.locator("link[rel=icon]").get_attribute("href") or "")

    challenges, players = site.container.games.challenges, table.people
    challenge = challenges.make(players["north"], players["south"], NewGame()).id
    expect(page).to_have_title(re.compile(r"^\(2\) Your games"))
    icon = page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("data-waiting", "2")  # which the icon of the app shows
    expect(page.get_by_role("link", name="Games 2 waiting")).to_be_visible()
    challenges.withdraw(challenge, players["north"])
    expect(page.get_by_role("link", name="Games 1 waiting")).to_be_visible()


@pytest.mark.parametrize("place", sorted(PLACES_ELSEWHERE))
def test_menu_and_title_count_a_turn_that_comes_elsewhere(
    site: Site, table: Table, visit: Visit, place: str
) -> None:
    page = visit("about:blank", table.people["south"]).page
    page.add_init_script(COUNTED)
    page.goto(PLACES_ELSEWHERE[place](table))
    followed(page)
    assert not page.title().startswith("(")
    table.play(f"{table.card()}@1")
    expect(page.get_by_role("link", name="Games 1 waiting")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))


def test_a_step_of_a_game_tells_in_menu_and_title_that_ones_turn_has_come(
    table: Table, visit: Visit
) -> None:
    page = visit("about:blank", table.people["south"]).page
    page.add_init_script(COUNTED)
    page.goto(f"{table.path}?at=3")
    followed(page)
    table.play(f"{table.card()}@1")
    expect(page.get_by_role("link", name="Games 1 waiting")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))


def test_the_menu_of_a_game_follows_too(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.people["south"]).page
    expect(page.get_by_role("link", name="Games", exact=True)).to_be_visible()
    table.play(f"{table.card()}@1")
    expect(page.get_by_role("link", name="Games 1 waiting")).to_be_visible()


PLACES = """() => [...document.querySelectorAll(".top nav a, .panels")]
  .map((part) => [part.getBoundingClientRect().x, part.getBoundingClientRect().y])"""


@pytest.mark.parametrize("size", [(1280, 800), (375, 812)], ids=["laptop", "phone"])
def test_neither_the_menu_nor_the_log_moves_with_whose_turn_it_is(
    table: Table, visit: Visit, size: tuple[int, int]
) -> None:
    for stone in range(4):
        table.play(f"{table.card()}@{stone // 2 + 1}")
    viewport = {"width": size[0], "height": size[1]}
    waiting = next(player for player in table.people.values() if player != table.mover)
    page = visit(table.path, waiting, viewport=viewport).page
    before = page.evaluate(PLACES)[: None if size[0] > 999 else -1]
    table.play(f"{table.card()}@4")
    says(page, "Your turn")
    expect(page.get_by_role("link", name="Games 1 waiting")).to_be_visible()
    assert page.evaluate(PLACES)[: len(before)] == before


CROSSINGS = """window.crossings = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const stone = frames?.[1]?.scale && this.closest('[data-stone]').dataset.stone;
  if (stone) crossings.push([stone, timing.delay ?? 0]);
  return animate.call(this, frames, timing);
};"""
"""The Stones that cross over, and after how many milliseconds each sets out."""


def before_a_claim(site: Site, name: str) -> tuple[str, dict[Seat, str]]:
    """A game with Tactic cards in which north has laid a run at Stone 3, but not yet claimed it."""
    people: dict[Seat, str] = {"north": site.player("Ann"), "south": site.player("Bob")}
    hands = {
        "north": ("R7", "R8", "R9", "O1", "O2", "O3", "JOK"),
        "south": ("G1", "G3", "G5", "B2", "B4", "MUD", "BAN"),
    }
    made = arranged(
        site.container, people, hands, game_id=name.ljust(20, "a"), tactic_deck=("REC",)
    )
    played(site.container, made, people, "R7@3 +C", "G1@1 +C", "R8@3 +C", "G3@2 +C", "R9@3")
    return made, people


def watching(visit: Visit, game: str, player: str) -> Page:
    page = visit("about:blank", player).page
    page.add_init_script(CROSSINGS)
    page.goto(f"/games/{game}")
    at_rest(page)
    return page


def test_a_stone_that_was_seen_claimed_stays_so_as_the_board_makes_room(
    site: Site, visit: Visit
) -> None:
    game, people = before_a_claim(site, "ownedstays")
    page = watching(visit, game, people["north"])
    played(site.container, game, people, "!3", "+C")
    expect(page.locator("[data-stone='3'].owned-below")).to_have_count(1)
    says(page, "Waiting for Bob")
    page.evaluate("crossings = []")
    before = bounds(page.locator("[data-stone='3'] .stone"))
    played(site.container, game, people, "MUD@1 +C")
    says(page, "Your turn")
    assert bounds(page.locator("[data-stone='3'] .stone")) != before
    assert page.evaluate("crossings") == []


def test_a_claim_without_a_card_is_seen_as_it_is_told(site: Site, visit: Visit) -> None:
    game, people = before_a_claim(site, "claimalone")
    page = watching(visit, game, people["south"])
    played(site.container, game, people, "!3")
    expect(page.locator("[data-stone='3'].owned-above")).to_have_count(1)
    assert page.evaluate("crossings") == [["3", 0]]


def test_tabs_share_one_stream(table: Table, visit: Visit) -> None:
    first = visit("about:blank", table.people["south"]).page
    second = first.context.new_page()
    for page in (first, second):
        page.add_init_script(COUNTED)
    first.goto(table.path)
    second.goto("/")
    followed(second)
    assert [page.evaluate(STREAMS) for page in (first, second)] == [0, 1]

    table.play(f"{table.card()}@1")

    says(first, "Your turn")
    expect(second).to_have_title(re.compile(r"^\(1\) "))
    second.close()
    followed(first)
    assert first.evaluate(STREAMS) == 1
    table.play(f"{table.card()}@2")
    table.play(f"{table.card()}@2")
    says(first, "played")


def test_without_a_stream_the_page_asks(table: Table, visit: Visit) -> None:
    watched = visit("about:blank", table.people["south"])
    watched.allowed.add(503)
    page = watched.page
    page.route("**/news", cut)
    page.goto(table.path)
    says(page, "Waiting for Ann")

    table.play(f"{table.card()}@1")

    says(page, "Your turn")


def test_a_tab_that_comes_to_the_front_looks_again(table: Table, visit: Visit) -> None:
    page = visit("about:blank", table.people["south"]).page
    page.add_init_script(COUNTED)
    page.goto(table.path)
    followed(page)
    page.evaluate("window.deaf = true")
    page.evaluate(HIDE, True)
    table.play(f"{table.card()}@1")
    says(page, "Waiting for Ann")

    page.evaluate(HIDE, False)

    says(page, "Your turn")


def test_an_old_step_stays_and_tells_that_the_game_has_moved_on(table: Table, visit: Visit) -> None:
    table.play(f"{table.card()}@1")
    page = visit(f"{table.path}?at=3", table.people["south"]).page
    table.play(f"{table.card()}@2")

    link = page.get_by_role("link", name="The game has moved on")
    expect(link).to_be_visible()
    says(page, "Before the first turn")
    link.click()
    says(page, "Waiting for Ann")


def test_whoever_looks_on_sees_it_too(table: Table, visit: Visit) -> None:
    page = visit(table.path).page
    table.play(f"{table.card()}@6")
    expect(page.locator('[data-stone="6"] li.changed')).to_have_count(1)


def test_an_unsent_turn_is_told_of_when_the_other_resigns(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover).page
    put_together(page, table.card())

    table.site.container.games.resign(table.id, table.people["south"])

    says(page, "You won: ")


@pytest.mark.parametrize(
    ("event", "fetched"), [("game:said", "/messages"), ("game:news", "?version=")]
)
def test_what_others_do_leads_to_one_fetch_at_a_time(
    table: Table, visit: Visit, event: str, fetched: str
) -> None:
    page = visit(table.path, table.people["south"], is_own=True).page
    says(page, "Waiting for Ann")
    asked: list[Route] = []
    page.route(re.compile(re.escape(f"{table.path}{fetched}")), lambda route: asked.append(route))

    page.evaluate(SHOUT, event)
    until(lambda: page.evaluate("1") and asked)
    page.evaluate(SHOUT, event)
    assert len(asked) == 1  # nothing more while it is on its way

    page.clock.install()
    asked[0].continue_()
    until(lambda: page.clock.run_for(500) or len(asked) == 2)
    asked[1].continue_()
    page.clock.run_for(30_000)
    assert len(asked) == 2


def test_on_the_smallest_phone_neither_board_nor_hand_moves_when_a_turn_is_sent(
    table: Table, visit: Visit
) -> None:
    for stone in (1, 2):
        table.play(f"{table.card()}@{stone}")
    page = visit(table.path, table.mover, viewport={"width": 320, "height": 568}).page
    parts = [page.locator(".board"), page.get_by_role("group", name="Your hand")]
    before = [bounds(part)["y"] for part in parts]
    put_together(page, table.card(), stone=2)
    send_button(page).click()
    says(page, "Waiting for")
    after = [bounds(part)["y"] for part in parts]
    assert after == before
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("height", [667, 812])
def test_on_a_phone_neither_board_nor_hand_moves_when_a_turn_arrives(
    site: Site, visit: Visit, height: int
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    north, south = table.people["north"], table.people["south"]
    for stone in (1, 2):
        table.play(f"{table.card()}@{stone}")
    page = visit(table.path, south, viewport={"width": 375, "height": height}).page
    parts = [page.locator(".board"), page.get_by_role("group", name="Your hand")]
    before = [bounds(part)["y"] for part in parts]
    site.container.games.conversations.write(table.id, north, "Hello", "web")
    expect(page.get_by_role("link", name="1 new message")).to_be_visible()
    table.play(f"{table.card()}@4")
    says(page, "Your turn")
    assert [bounds(part)["y"] for part in parts] == before


def test_a_game_that_one_watches_and_the_deal_of_the_day_tell_of_ones_other_games(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    page = visit(
        f"/games/{site.game(site.player('Cleo'), site.player('Dan'))}", table.people["south"]
    ).page
    count = page.locator("#menu-count")
    at_rest(page)
    expect(count).to_be_empty()
    table.play(f"{table.card()}@4")
    expect(count).to_have_text("1")

    page.goto("/daily")
    page.get_by_role("button", name="Play the deal").click()
    page.wait_for_url("**/games/*")
    at_rest(page)
    expect(count).to_have_text("1")
    table.play(f"{table.card()}@5")
    expect(count).to_be_empty()
    expect(page).to_have_title(re.compile("^Deal of the day"))
    table.play(f"{table.card()}@6")
    expect(count).to_have_text("1")
    expect(page).to_have_title(re.compile(r"^\(1\) Deal of the day"))
