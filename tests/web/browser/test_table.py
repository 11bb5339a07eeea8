"""The table as one sees and touches it: nothing jumps, nothing hides what is to be pressed."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from service.games import ChangeContext
from tests.support.browser import Visit, at_rest, bounds, first_view
from tests.support.games import RED_RUN, arranged, play_on, played
from tests.support.shares import share
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import (
    PHONE,
    Table,
    button,
    hand,
    middle,
    put_together,
    says,
    send_button,
    turn_to,
)

SIZES = {
    "phone": {"width": 360, "height": 640},
    "short": {"width": 375, "height": 667},
    "sideways": {"width": 844, "height": 390},
    "laptop": {"width": 1280, "height": 800},
    "low": {"width": 1366, "height": 768},
    "large": {"width": 1920, "height": 1080},
}
TOPS = """() => [...document.querySelectorAll(".table, .hand, .panels")]
  .map(part => Math.round(part.getBoundingClientRect().top + scrollY))"""
WHOLE = "button => button.scrollHeight <= button.clientHeight + 1"
"""Whether all of a button's words are in sight."""
TIP = """hint => {
  const {right, bottom} = hint.getBoundingClientRect();
  const tip = getComputedStyle(hint, "::after");
  return [right - parseFloat(tip.right) - 8, bottom - parseFloat(tip.bottom)];
}"""
"""Where a hint's pointer ends."""
LARGEST, AGAIN = 110_000, 25_000
"""Bytes on the wire of a game's page, with all that a browser fetches for it at a first visit, and
at the next."""


@pytest.mark.parametrize(
    ("size", "fonts"), [*((size, "ours") for size in share([*SIZES])), ("phone", "the device's")]
)
def test_nothing_moves_while_a_turn_is_put_together(
    table: Table, visit: Visit, size: str, fonts: str
) -> None:
    page = visit("about:blank", table.mover, viewport=SIZES[size]).page
    if fonts != "ours":  # they do not come: the page does without them
        page.route("**/fonts.css", lambda route: route.abort("aborted"))
    page.goto(table.path)
    at_rest(page)
    before = page.evaluate(TOPS)

    hand(page).first.click()
    says(page, "Where do you")
    assert page.evaluate(TOPS) == before
    button(page, "Play on Stone 4").click()
    says(page, "Not sent yet")
    assert page.evaluate(TOPS) == before
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.documentElement.scrollWidth") == SIZES[size]["width"]


@pytest.mark.parametrize("size", ["laptop", "large"])
def test_a_turn_that_is_sent_moves_nothing_on_a_desk(site: Site, visit: Visit, size: str) -> None:
    table = Table(site)
    page = visit(table.path, table.mover, viewport=SIZES[size]).page
    places = """() => [...document.querySelectorAll(".table, .panels > .log, .formations, .tabs")]
      .map(part => Math.round(part.getBoundingClientRect().top + scrollY))"""
    put_together(page, table.card(), 4)
    before = page.evaluate(places)
    send_button(page).click()
    says(page, "Waiting for")
    alerts = page.get_by_role("region", name="Turn alerts")
    expect(alerts).to_be_visible()
    assert page.evaluate(places) == before
    top, question = (bounds(page.locator(".match")), bounds(alerts))
    assert top["y"] < question["y"] < question["y"] + question["height"] < top["y"] + top["height"]
    alerts.get_by_text("Choose", exact=True).click()
    expect(alerts.get_by_role("button", name="Not now")).to_be_in_viewport()


@pytest.mark.parametrize("size", ["laptop", "low", "large"])
def test_a_long_name_moves_nothing_on_a_desk(site: Site, visit: Visit, size: str) -> None:
    people: Any = {"north": site.player("Ann"), "south": site.player("Maximiliane Heidenre")}
    game = arranged(site.container, people, game_id=f"long{size}".ljust(20, "z"))
    played(site.container, game, people, "R7@1", "G1@4")
    page = visit(f"/games/{game}", people["north"], viewport=SIZES[size]).page
    places = """() => [...document.querySelectorAll(".table, .hand, .panels, .panels > .log")]
      .map(part => Math.round(part.getBoundingClientRect().top + scrollY))"""
    before = page.evaluate(places)
    put_together(page, "R8", 5)
    send_button(page).click()
    says(page, "Waiting for")
    assert page.evaluate(places) == before
    played(site.container, game, people, "G3@5")
    says(page, "Your turn")
    assert page.evaluate(places) == before


UNREAD = """question => [...document.querySelectorAll(".now > *")].filter(part => {
  const [box, over] = [part, question].map(each => each.getBoundingClientRect());
  return part.checkVisibility() && box.bottom > over.top + 1 && box.top < over.bottom - 1
    && box.width > 1;
}).map(part => part.textContent)"""
"""What of the news lies below a question."""


@pytest.mark.parametrize("name", ["Ann", "Maximiliane von der Heide-Rosenbaum"])
def test_a_question_lies_over_no_news(site: Site, visit: Visit, name: str) -> None:
    people: Any = {"north": site.player(name), "south": site.player("Bob")}
    game = arranged(site.container, people, game_id=f"over{len(name)}".ljust(20, "z"))
    page = visit(f"/games/{game}", people["south"], viewport=SIZES["laptop"]).page
    alerts = page.get_by_role("region", name="Turn alerts")
    expect(alerts).to_be_visible()
    assert alerts.evaluate(UNREAD) == []
    played(site.container, game, people, "R7@1", f"{RED_RUN['south'][0]}@4")
    page.goto(f"/games/{game}?at=1")
    expect(page.get_by_role("link", name="Back to now")).to_be_visible()
    expect(alerts).to_be_hidden()


def two_runs(site: Site, game: str) -> str:
    """A game, by this id, in which Ann has a run at Stone 2 and two cards of one at Stone 1, and
    it is her turn; her id."""
    ann, bob = site.player("Ann"), site.player("Bob")
    runs = ("R7", "R8", "R9", "O7", "O8", "O9")
    hands = {"north": runs, "south": ("G1", "G3", "G5", "B2", "B4", "B6")}
    arranged(site.container, {"north": ann, "south": bob}, hands, game_id=game)
    for mine, theirs in (("R7@1", "G1@4"), ("R8@1", "G3@5"), ("O7@2", "B2@4"), ("O8@2", "B4@5")):
        site.container.games.play(game, ann, [mine])
        site.container.games.play(game, bob, [theirs])
    site.container.games.play(game, ann, ["O9@2", "+C"])
    site.container.games.play(game, bob, ["B6@4"])
    return ann


@pytest.mark.parametrize("size", share(["short", "laptop", "large"]))
def test_two_claims_hide_no_card_and_are_named_whole(site: Site, visit: Visit, size: str) -> None:
    game = f"claims{size}".ljust(20, "a")
    page = visit(f"/games/{game}", two_runs(site, game), viewport=SIZES[size]).page

    put_together(page, "R9", 1)
    if size == "short":
        for stone in (1, 2):
            card = page.locator(f'[data-stone="{stone}"] .below li').nth(2)
            uncovered = "([card, [x, y]]) => card.contains(document.elementFromPoint(x, y))"
            # The card that was just laid flies over the others for a moment.
            page.wait_for_function(uncovered, arg=[card.element_handle(), middle(card)])
    button(page, "Claim Stone 1").click()
    says(page, "claim Stone 1")
    button(page, "Claim Stone 2").click()
    says(page, "claim Stone 2")
    send = send_button(page)
    expect(send).to_have_text("Send: Red 9 on Stone 1, claim 1 and 2")
    assert send.evaluate(WHOLE)


@pytest.mark.parametrize("locale", ["en", "de", "fr"])
def test_the_button_names_the_claim_on_a_low_laptop(site: Site, visit: Visit, locale: str) -> None:
    game = f"low{locale}".ljust(20, "a")
    ann, viewport = two_runs(site, game), {"width": 1280, "height": 660}
    turn = "turn=R9@1&turn=!1"
    path = f"/games/{game}?version={site.container.games.load(game).version}&{turn}"
    send = visit(path, ann, viewport=viewport, locale=locale).page.locator(".send button")
    expect(send).to_be_in_viewport(ratio=1)
    assert send.evaluate(WHOLE)


def test_the_rope_stays_between_its_stones_while_one_is_asked_about(
    site: Site, visit: Visit
) -> None:
    game = "rope" * 5
    ann = two_runs(site, game)
    site.container.games.play(game, ann, ["R9@1", "!1", "!2"])
    page = visit(f"/games/{game}", ann).page
    rope = "ground => getComputedStyle(ground, '::before').width"
    ground = page.locator("[data-stone='2'] .ground")
    width = ground.evaluate(rope)

    ground.locator(".judge > summary").click()

    expect(ground.locator(".judged")).to_be_visible()
    assert ground.evaluate(rope) == width


def test_enlarged_fourfold_the_hand_follows_the_board(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover, viewport={"width": 320, "height": 256}).page
    board, cards = bounds(page.locator(".board")), bounds(page.locator(".hand"))
    assert board["width"] > 300
    assert cards["y"] > board["y"] + board["height"]
    assert cards["height"] > 40
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("size", share(["low", "laptop", "large", "sideways"]))
def test_board_and_hand_are_seen_at_once(table: Table, visit: Visit, size: str) -> None:
    page = visit(table.path, table.mover, viewport=SIZES[size]).page

    at_rest(page)
    for part in (".board", ".hand"):
        box = bounds(page.locator(part))
        assert box["y"] + box["height"] <= SIZES[size]["height"], part
    for stone in range(1, 10):
        at = middle(page.locator(f'[data-stone="{stone}"] .stone'))
        seen = "([x, y]) => document.elementFromPoint(x, y).closest('[data-stone]').dataset.stone"
        assert page.evaluate(seen, at) == str(stone)


def test_what_is_said_of_a_stone_makes_room_for_the_places(table: Table, visit: Visit) -> None:
    for _ in range(2):
        table.play(f"{table.card()}@5")
    page = visit(table.path, table.mover).page
    page.locator('[data-stone="5"] summary').click()
    expect(page.locator(".judge[open]")).to_have_count(1)

    hand(page).first.click()

    expect(page.locator(".judge[open]")).to_have_count(0)
    expect(button(page, "Play on Stone 5")).to_be_visible()


def test_what_is_said_of_a_stone_is_closed_by_its_mark(table: Table, visit: Visit) -> None:
    for _ in range(2):
        table.play(f"{table.card()}@5")
    page = visit(table.path, table.mover, viewport=SIZES["phone"]).page
    stone = page.locator('[data-stone="5"]')
    stone.locator("summary").click()
    mark = stone.get_by_role("button", name="Close")
    expect(mark).to_be_in_viewport(ratio=1)
    box = bounds(mark)
    assert (box["width"], box["height"]) == (44, 44)
    expect(page.locator("#status")).to_contain_text("Stone 5.")
    expect(page.locator("#status")).not_to_contain_text("\N{MULTIPLICATION SIGN}")
    mark.click()
    expect(page.locator(".judge[open]")).to_have_count(0)
    expect(stone.locator("summary")).to_be_focused()


@pytest.mark.parametrize("name", ["Close", "The rule"])
def test_escape_leads_from_what_is_said_of_a_stone_back_to_it(
    table: Table, visit: Visit, name: str
) -> None:
    for _ in range(2):
        table.play(f"{table.card()}@5")
    page = visit(table.path, table.mover).page
    stone = page.locator('[data-stone="5"]')
    stone.locator("summary").click()
    stone.locator(".judged").locator("button, a").and_(
        page.get_by_text(name).or_(page.get_by_label(name))
    ).first.focus()
    page.keyboard.press("Escape")
    expect(page.locator(".judge[open]")).to_have_count(0)
    expect(stone.locator("summary")).to_be_focused()


def test_a_dragged_card_keeps_its_size_and_its_face(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover).page
    card = hand(page).nth(1).locator("svg")
    width, uses = bounds(card)["width"], card.locator("use").count()
    page.mouse.move(*middle(card))
    page.mouse.down()
    page.mouse.move(400, 300, steps=4)

    ghost = page.locator(".ghost")
    assert ghost.evaluate("card => card.clientWidth") == pytest.approx(width, abs=1)
    assert ghost.locator("use").count() == uses
    page.mouse.up()


UNSEEN = "parts => parts.map(part => getComputedStyle(part).visibility === 'hidden')"
COMES_FROM = """window.origins = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const from = /translate\\((-?[\\d.]+)px, (-?[\\d.]+)px\\)/.exec(frames[0].transform ?? '');
  const {left, top} = this.getBoundingClientRect();
  const deck = document.querySelector('.facts .back-tactic').getBoundingClientRect();
  if (from && this.matches('.hand .tactic'))
    window.origins.push([left + Number(from[1]) - deck.left, top + Number(from[2]) - deck.top]);
  return animate.call(this, frames, timing);
};"""
"""Where drawn Tactic cards come from, seen from their deck."""


def test_a_drawn_card_comes_from_where_its_deck_lies(site: Site, visit: Visit) -> None:
    table = Table(site, tactics=True)
    page = visit("about:blank", table.mover, viewport={"width": 375, "height": 812}).page
    page.add_init_script(COMES_FROM)
    page.goto(table.path)
    at_rest(page)
    put_together(page, table.card())
    button(page, "Draw a Tactic card").click()
    send_button(page).click()
    says(page, "Waiting for")
    (origin,) = page.evaluate("origins")
    assert origin == pytest.approx([0, 0], abs=2)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_that_will_be_shown_to_fly_does_not_lie_there_before(
    table: Table, visit: Visit, motion: str
) -> None:
    table.play(f"{table.card()}@4")
    page = visit("about:blank", table.mover, is_own=True, reduced_motion=motion).page
    held: list[Route] = []
    page.route("**/turn.js", lambda route: held.append(route))
    page.goto(table.path, wait_until="commit")
    laid = page.locator(".side .changed > .card")
    expect(laid).to_have_count(1)
    until(lambda: page.evaluate("1") and held)
    assert laid.evaluate_all(UNSEEN) == [motion == "no-preference"]
    held[0].continue_()
    expect(page.locator("html.told")).to_have_count(1)
    assert laid.evaluate_all(UNSEEN) == [False]


CLAIMED = ".column.changed .flag, .flags .flag"
"""The flag on a Stone that was just claimed, and the one that counts for its owner."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_claim_that_will_be_shown_is_not_seen_before(
    site: Site, visit: Visit, motion: str
) -> None:
    people = {"north": site.player("Ann"), "south": site.player("Bob")}
    game = arranged(site.container, people, game_id=motion.replace("-", "").ljust(20, "a"))
    played(site.container, game, people, "R7@3", "G1@3", "R8@3", "G3@2", "R9@3 !3")
    page = visit("about:blank", people["south"], is_own=True, reduced_motion=motion).page
    held: list[Route] = []
    page.route("**/turn.js", lambda route: held.append(route))
    page.goto(f"/games/{game}", wait_until="commit")
    flags, lost = page.locator(CLAIMED), page.locator(".column.changed .side.below")
    expect(flags).to_have_count(2)
    until(lambda: page.evaluate("1") and held)
    awaits = motion == "no-preference"
    assert flags.evaluate_all(UNSEEN) == [awaits, awaits]
    expect(lost).to_have_css("opacity", "1" if awaits else "0.8")
    held[0].continue_()
    expect(page.locator("html.told")).to_have_count(1)
    for place in range(2):
        expect(flags.nth(place)).to_have_css("visibility", "visible")
    expect(lost).to_have_css("opacity", "0.8")


GLIDES = """window.glides = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const side = this.closest('.side li.unsent');
  const from = /translate\\((-?[\\d.]+)px, (-?[\\d.]+)px\\)/.exec(frames[0].transform ?? '');
  const at = this.getBoundingClientRect();
  if (side) window.glides.push(from ? [at.left + Number(from[1]), at.top + Number(from[2])] : null);
  return animate.call(this, frames, timing);
};"""
"""Where the cards of the unsent turn glide from, as points of the window."""


def test_a_dropped_card_glides_from_where_it_was_dropped(table: Table, visit: Visit) -> None:
    page = visit("about:blank", table.mover).page
    page.add_init_script(GLIDES)
    page.goto(table.path)
    at_rest(page)
    page.mouse.move(*middle(hand(page).nth(1).locator("svg")))
    page.mouse.down()
    x, y = middle(page.locator('[data-stone="5"]'))
    page.mouse.move(x + 20, y + 40, steps=4)
    says(page, "Where do you")
    dropped = bounds(page.locator(".ghost"))
    page.mouse.up()
    says(page, "on Stone 5.")
    (start,) = page.evaluate("glides")
    assert start == pytest.approx([dropped["x"], dropped["y"]], abs=2)
    expect(page.locator(".ghost")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), share([(320, 568), (360, 740), (844, 390)]))
def test_what_a_recruiter_may_draw_moves_nothing(
    site: Site, visit: Visit, width: int, height: int
) -> None:
    hands = {
        "north": ("R7", "R8", "R9", "O1", "O2", "REC", "MUD"),
        "south": ("G1", "G3", "G5", "B2", "B4", "B6", "BAN"),
    }
    people = {"north": site.player("Ann"), "south": site.player("Bob")}
    name = f"recruiter{width}".translate(str.maketrans("0189", "abcd")).ljust(20, "a")
    game = arranged(site.container, people, hands, game_id=name, tactic_deck=("JOK",))  # type: ignore[arg-type]
    page = visit(
        f"/games/{game}", people["north"], viewport={"width": width, "height": height}
    ).page
    parts = [page.locator(part) for part in (".table", ".dock", ".hand", ".ends")]
    before = [bounds(part) for part in parts]
    player, dock = (bounds(page.locator(part)) for part in (".player.below", ".dock"))
    assert (
        player["y"] + player["height"] <= dock["y"] or dock["x"] > player["x"]
    )  # in sight, or beside
    button(page, "Recruiter").click()
    choices = page.get_by_role("button", name=re.compile("^Draw "))
    expect(choices).to_have_count(4)
    expect(choices.first).to_be_focused()
    assert [bounds(part) for part in parts] == before


TROOP: Any = {
    "north": ("R7", "R8", "R9", "O1", "O2", "O3", "JOK"),
    "south": ("G1", "G2", "G3", "B1", "B2", "B3", "SPY"),
}


BANSHEE: Any = {"south": ("G1", "G3", "G5", "B2", "B4", "B6", "BAN")}


def test_a_laid_tactic_card_says_what_it_does(site: Site, visit: Visit) -> None:
    people: Any = {"north": site.player("Ann"), "south": site.player("Bob")}
    decks: Any = {"tactic_deck": ("BMB", "REC"), "game_id": "laidtroop".ljust(20, "a")}
    game = arranged(site.container, people, TROOP, **decks)
    played(site.container, game, people, "JOK@4 +C")
    page = visit(f"/games/{game}", people["south"]).page
    words = "Counts as whichever Clan card is best"
    for card in (page.locator("#now .tactic"), page.get_by_role("img", name="Joker")):
        card.click()
        dialog = page.get_by_role("dialog", name="Joker")
        expect(dialog).to_contain_text(words)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    page.keyboard.press("4")
    says(page, words)


@pytest.mark.parametrize(
    "size", share([{"width": 320, "height": 568}, SIZES["short"], PHONE["viewport"]])
)
def test_a_phone_names_the_day_of_the_other_s_deadline(
    site: Site, visit: Visit, size: dict[str, int]
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    page = visit(table.path, table.people["south"], viewport=size).page
    place, day = (bounds(page.locator(f".player.above .deadline{part}")) for part in ("", " .when"))
    assert day["y"] + day["height"] <= place["y"] + place["height"] + 1
    assert day["x"] + day["width"] <= place["x"] + place["width"] + 1


@pytest.mark.parametrize(
    ("width", "height"), share([(320, 640), (360, 640), (375, 667), (390, 664), (390, 844)])
)
def test_one_s_own_seat_is_in_sight_above_the_hand(
    site: Site, visit: Visit, width: int, height: int
) -> None:
    hands = {
        "north": ("R7", "R8", "R9", "O1", "O2", "B9", "MUD"),
        "south": ("G1", "G3", "G5", "B2", "B4", "B6", "BAN"),
    }
    people = {"north": site.player("Ann"), "south": site.player("Bob")}
    name = f"seat{width}x{height}".translate(str.maketrans("0123456789", "abcdefghij"))
    clock = {"days_per_move": 3}
    decks: Any = {"tactic_deck": ("BMB", "REC"), "clock": clock}
    game = arranged(site.container, people, hands, game_id=name.ljust(20, "a"), **decks)  # type: ignore[arg-type]
    turns = ("MUD@3 +T", "G1@9 +C", "B9@3 +C", "BAN:B9@3 +C")
    played(site.container, game, people, *turns)  # type: ignore[arg-type]
    size = {"width": width, "height": height}
    page = visit(f"/games/{game}", people["north"], viewport=size).page
    for part in (".face", "b", ".deadline", ".deadline .when"):
        at = middle(page.locator(f".player.below {part}").first)
        seen = "([x, y]) => document.elementFromPoint(x, y)?.closest('.player.below')"
        page.wait_for_function(seen, arg=at)
    badge, number = (
        bounds(page.locator(f"[data-stone='3'] {part}")) for part in (".mode", ".number")
    )
    draft = f"?turn=O2@4&turn=%2BC&version={site.container.games.load(game).version}"
    page.goto(f"/games/{game}{draft}")
    at_rest(page)
    assert send_button(page).evaluate(WHOLE)
    assert badge["y"] + badge["height"] <= number["y"]
    page.locator("[data-stone='3'] summary").click()
    meaning = page.get_by_text("On this Stone each side takes four cards.")
    expect(meaning.first).to_be_visible()
    turn_to(page, "Cards")
    page.get_by_text("What the Tactic cards do").click()
    expect(meaning.last).to_be_visible()


@pytest.mark.parametrize("size", share(["low", "laptop", "large"]))
def test_the_decks_and_the_discard_are_in_sight_below_the_hand(
    site: Site, visit: Visit, size: str
) -> None:
    people: Any = {"north": site.player("Ann"), "south": site.player("Bob")}
    name = f"below{size}".ljust(20, "a")
    game = arranged(site.container, people, TROOP | BANSHEE, game_id=name, tactic_deck=("REC",))
    played(site.container, game, people, "R7@1 +C", "BAN:R7@1 +C")
    page = visit(f"/games/{game}", people["north"], viewport=SIZES[size]).page
    facts = bounds(page.locator(".facts"))
    assert facts["y"] + facts["height"] <= SIZES[size]["height"]


def test_a_waiting_table_with_room_for_four_and_a_discard_fits_a_laptop(
    site: Site, visit: Visit
) -> None:
    hands = {
        "north": ("R7", "R8", "R9", "O1", "O2", "BAN", "MUD"),
        "south": ("G1", "G3", "G5", "B2", "B4", "B6", "REC"),
    }
    people = {"north": site.player("Ann"), "south": site.player("Bob")}
    game = arranged(site.container, people, hands, game_id="four" * 5, tactic_deck=("JOK",))  # type: ignore[arg-type]
    played(site.container, game, people, "R7@2 +C", "G1@1 +C", "BAN:G1@1 +C")  # type: ignore[arg-type]
    page = visit(f"/games/{game}", people["north"], viewport=SIZES["laptop"]).page
    expect(page.locator(".discard li")).to_have_count(2)
    box = bounds(page.locator(".game"))
    assert box["y"] + box["height"] <= SIZES["laptop"]["height"]


@pytest.mark.parametrize("size", ["laptop", "low"])
def test_the_log_has_room_and_the_tabs_stay_where_they_are(
    table: Table, visit: Visit, size: str
) -> None:
    page = visit(table.path, table.mover, viewport=SIZES[size]).page
    tabs, log = page.locator(".tabs"), page.locator(".panel.log")
    at = bounds(tabs)
    for name in ("Cards", "More", "Log"):
        page.get_by_role("radio", name=name).check()
        assert bounds(tabs) == at
    assert bounds(log)["height"] >= 290  # beside the formations of a first game


def panels(page: Page) -> list[str]:
    return [title.inner_text() for title in page.locator(".panel h2").all() if title.is_visible()]


def test_a_phone_turns_its_tabs_without_javascript(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover, java_script_enabled=False, **PHONE).page
    assert panels(page) == ["Log"]

    page.get_by_role("radio", name="Cards").check()

    assert panels(page) == ["Unseen cards"]
    expect(page.get_by_role("radio", name="More")).to_be_visible()


@pytest.mark.parametrize("turns", share([56, 24]))
def test_a_first_visit_is_light(site: Site, visit: Visit, turns: int) -> None:
    table = Table(site, clock={"days_per_move": 3})
    play_on(site.container, table.id, turns)
    page = visit("about:blank", table.mover, is_own=True).page
    sizes = first_view(page, table.path)
    assert {"/icons/icon-180.png", "/manifest.webmanifest"} <= {
        address.removeprefix(site.url) for address in sizes
    }
    assert 50_000 < sum(sizes.values()) <= LARGEST
    assert sum(first_view(page, table.path).values()) <= AGAIN


BOLD = ("h1", ".dock .prompt", ".brand span")
SLOW = {"offline": False, "latency": 300, "downloadThroughput": 60_000, "uploadThroughput": 60_000}


def test_bold_words_have_their_own_font_on_a_slow_line_and_a_busy_machine(
    table: Table, visit: Visit
) -> None:
    page = visit("about:blank", table.mover, is_own=True).page
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(table.path)
    for command in ("DOM.enable", "CSS.enable"):
        session.send(command)
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    for selector in BOLD:
        found = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})
        fonts = session.send("CSS.getPlatformFontsForNode", found)["fonts"]
        assert fonts, selector
        assert all(font["isCustomFont"] for font in fonts), selector


def test_motion_is_left_out_where_it_is_not_wanted(table: Table, visit: Visit) -> None:
    watched = "window.moved = []; const old = Element.prototype.animate;"
    watched += "Element.prototype.animate = function (frames, how) {"
    watched += " window.moved.push(how.duration); return old.call(this, frames, how); }; null"
    for wanted, motion in (("reduce", False), ("no-preference", True)):
        page = visit(table.path, table.mover, reduced_motion=wanted).page
        page.evaluate(watched)
        hand(page).first.click()
        button(page, "Play on Stone 4").click()
        says(page, "Not sent yet")
        durations = page.evaluate("window.moved")
        assert bool(durations) is motion
        assert all(duration <= 200 for duration in durations)


SMALL = {"width": 320, "height": 568}


def test_the_reason_for_a_claim_is_whole_on_a_small_screen(site: Site, visit: Visit) -> None:
    game = "reason".ljust(20, "a")
    page = visit(f"/games/{game}", two_runs(site, game), viewport=SMALL).page
    page.locator("[data-stone='2'] .judge > summary").click()
    reason = page.locator("[data-stone='2'] .judged")
    box = bounds(reason)
    assert box["y"] + box["height"] <= SMALL["height"]
    assert reason.evaluate("reason => reason.scrollHeight - reason.clientHeight") <= 1


def test_one_s_own_offer_leaves_the_news_in_sight(site: Site, visit: Visit) -> None:
    table = Table(site, clock={"days_per_move": 3})
    table.play(f"{table.card()}@4")
    site.container.games.pauses.agree(table.id, table.mover, None, ChangeContext("web"))
    page = visit(table.path, table.mover, viewport=SMALL).page
    expect(page.locator(".since")).to_be_visible()


HIDDEN = """[...document.querySelectorAll('.now *')].filter(part => part.clientWidth > 1 &&
  (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 4)).length"""


@pytest.mark.parametrize("viewport", [SMALL, SIZES["laptop"]])
def test_a_lost_stone_is_read_in_full(site: Site, visit: Visit, viewport: dict[str, int]) -> None:
    people = {"north": site.player("Ann"), "south": site.player("Bob")}
    name = ("small" if viewport == SMALL else "large").ljust(20, "a")
    game = arranged(site.container, people, game_id=name)  # type: ignore[arg-type]
    played(site.container, game, people, "R7@1", "G1@1", "R8@1", "G3@2", "R9@1 !1")  # type: ignore[arg-type]
    page = visit(f"/games/{game}", people["south"], viewport=viewport).page
    expect(
        page.locator(".since").get_by_text("claimed Stone 1 (colour run, sum 24).")
    ).to_be_visible()
    assert page.evaluate(HIDDEN) == 0


TWO_CLAIMED = ("R7@4", "G1@1", "R8@4", "G3@1", "R9@4 +C", "G5@2", "O7@5 +C", "B2@2", "O8@5 +C")


@pytest.mark.parametrize("viewport", [PHONE["viewport"], SMALL])
def test_a_phone_says_all_the_news(site: Site, visit: Visit, viewport: dict[str, int]) -> None:
    people = {"north": site.player("Ann"), "south": site.player("Bob")}
    name = f"news{chr(97 + viewport['width'] % 26)}".ljust(20, "a")
    hands = {"north": ("R7", "R8", "R9", "O7", "O8", "O9"), "south": RED_RUN["south"]}
    clock = {"days_per_move": 3}
    game = arranged(site.container, people, hands, game_id=name, clock=clock)  # type: ignore[arg-type]
    turns = (*TWO_CLAIMED, "B4@3", "O9@5 !4 !5")
    played(site.container, game, people, *turns)  # type: ignore[arg-type]
    site.container.games.pauses.agree(game, people["north"], None, ChangeContext("web"))
    page = visit(f"/games/{game}", people["south"], viewport=viewport).page
    expect(page.get_by_text("and Stone 5 (colour run, sum 24).").first).to_be_visible()
    expect(page.get_by_role("link", name="offers a pause")).to_be_visible()
    assert page.evaluate(HIDDEN) == 0


CUT = """[...document.querySelectorAll('.signs li')].filter(sign => {
  const [plate, box] = [sign.closest('.now'), sign].map(part => part.getBoundingClientRect());
  const text = sign.querySelector('a') ?? sign;
  return box.height < 24 || box.bottom > plate.bottom || text.scrollWidth > text.clientWidth;
}).map(sign => sign.textContent)"""


@pytest.mark.parametrize("viewport", [PHONE["viewport"], {"width": 390, "height": 844}])
def test_a_phone_shows_an_offer_its_answers_and_a_message(
    site: Site, visit: Visit, viewport: dict[str, int]
) -> None:
    table, games = Table(site, clock={"days_per_move": 3}), site.container.games
    table.play(f"{table.card()}@4")
    ann, bob = table.people["north"], table.people["south"]
    games.pauses.agree(table.id, ann, None, ChangeContext("web"))
    games.conversations.write(table.id, ann, "A short break?", "web")
    page = visit(table.path, bob, viewport=viewport).page
    expect(page.get_by_role("link", name="1 new message")).to_be_visible()
    assert page.evaluate(CUT) == []
    button(page, "Decline: pause").click()
    expect(page.get_by_text("offers a pause")).to_have_count(0)


def test_an_offer_leads_to_its_answers(table: Table, site: Site, visit: Visit) -> None:
    site.container.games.abandonments.agree(table.id, table.people["south"], ChangeContext())
    page = visit(table.path, table.people["north"], viewport=SIZES["laptop"]).page
    page.get_by_role("link", name="offers to end the game").click()
    expect(page.get_by_role("link", name="Agree to end it")).to_be_in_viewport(ratio=0.99)
    expect(button(page, "Keep playing")).to_be_in_viewport(ratio=0.99)


def test_the_last_hint_points_at_send(table: Table, visit: Visit) -> None:
    draft = f"?turn={table.card()}@4&version={table.stored.version}"
    page = visit(table.path + draft, table.mover, viewport=SIZES["laptop"]).page
    x, y = page.locator(".coach").evaluate(TIP)
    send = bounds(send_button(page))
    assert send["x"] <= x <= send["x"] + send["width"]
    assert -40 <= y - send["y"] <= 1


def test_log_and_talk_are_in_sight_beside_the_board(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover, viewport=SIZES["laptop"]).page
    for tab, part in (("Log", ".story li >> nth=0"), ("Talk", "#talk-text")):
        turn_to(page, tab)
        box = bounds(page.locator(part))
        assert box["y"] + box["height"] <= SIZES["laptop"]["height"], tab


OVERLAPS = """([one, others]) => [...document.querySelectorAll(others)].filter(other => {
  const [a, b] = [document.querySelector(one), other].map(each => each.getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}).map(other => other.outerHTML)"""


@pytest.mark.parametrize(
    "size", share([SMALL, PHONE["viewport"], SIZES["laptop"], SIZES["sideways"]])
)
def test_a_claim_is_taken_where_it_is_asked_about(
    site: Site, visit: Visit, size: dict[str, int]
) -> None:
    people = {"north": site.player("Ann"), "south": site.player("Bob")}
    name = f"asked{chr(97 + size['width'] % 26)}".ljust(20, "a")
    game = arranged(site.container, people, game_id=name)  # type: ignore[arg-type]
    played(site.container, game, people, "R7@9", "G1@1", "R8@9", "G3@2")  # type: ignore[arg-type]
    page = visit(f"/games/{game}?turn=R9@9", people["north"], viewport=size).page
    before = page.evaluate(TOPS)

    send_button(page).click()

    says(page, "Press Send again to play without claiming.")
    assert page.evaluate(TOPS) == before
    taken = ".ground .stone, .send button, .offer"
    assert page.evaluate(OVERLAPS, [".message", taken]) == []
    claim = page.get_by_role("button", name=re.compile("Claim"))  # one for a claim
    assert bounds(claim)["height"] >= 44
    claim.press("Enter")
    says(page, "Not sent yet: Red 9 on Stone 9, claim Stone 9.")


def test_what_is_refused_leaves_the_prompt_in_sight(table: Table, visit: Visit) -> None:
    version = table.stored.version
    page = visit(f"{table.path}?turn=R7@10&version={version}", table.mover, viewport=SMALL).page
    message, prompt = (bounds(page.locator(part)) for part in (".message", ".prompt"))
    assert message["y"] + message["height"] <= prompt["y"]


def test_a_stone_that_takes_no_card_has_no_place_for_it(site: Site, visit: Visit) -> None:
    table = Table(site)
    for stone in (4, 5, 4, 5, 4, 6):
        table.play(f"{table.card()}@{stone}")
    page = visit(table.path, table.mover).page
    hand(page).first.click()
    says(page, "Where do you")
    expect(button(page, "Play on Stone 5")).to_be_visible()
    expect(button(page, "Play on Stone 4")).to_have_count(0)
