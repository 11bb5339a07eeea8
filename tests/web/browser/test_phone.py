"""The table on the smallest phones: what is cut, what lies over what, what a thumb can hit."""

from contextlib import suppress
from typing import Any, Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Error, Page, expect

from service.eventlog import IdempotencyKey
from service.games import NewGame
from service.web.cookies import LANGUAGE
from tests.support.browser import RESTS, Visit, at_rest, bounds
from tests.support.games import RED_RUN, arranged, play_on, played
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import (
    PHONE,
    Table,
    before_the_win,
    enlarge,
    hand,
    middle,
    put_together,
    says,
    send_button,
    turn_to,
)

SMALL = {"width": 320, "height": 568}
ENLARGED = {"width": 640, "height": 400}
"""A laptop's screen at 200 %."""
SHORT = {"width": 375, "height": 667}
TALL = {"width": 375, "height": 812}
CLOCK = {"days_per_move": 7}
"""With a deadline that is named by its date."""

COVERED = """() => {
  if (!document.querySelector("RESTS")) return null;
  const parts = ".face, .player > b, .deadline";
  return [...document.querySelector(".player.below").querySelectorAll(parts)].flatMap(part => {
    const {left, top, right, bottom} = part.getBoundingClientRect();
    const over = [[left + 4, top + 2], [right - 4, bottom - 2]].map(
      ([x, y]) => document.elementFromPoint(x, y)).filter(
      over => !over?.closest(".player.below"));
    return over.map(over => [part, over ?? document.body].map(({outerHTML}) =>
      outerHTML.slice(0, 120)).join(` ${top} below `));
  });
}""".replace("RESTS", RESTS)
"""What of one's own row lies below something else, and below what; null while the page comes."""


def covered(page: Page) -> Any:
    """What lies below something else and stays there: a page that comes may cover it a moment."""
    with suppress(Error):
        page.wait_for_function(f"() => ({COVERED})()?.length === 0", timeout=10_000)
    return page.evaluate(COVERED)


BELOW = """() => Math.max(...[...document.querySelectorAll(".side.below .card")].map(
  card => card.getBoundingClientRect().bottom))
  - document.querySelector(".player.below").getBoundingClientRect().top"""
"""By how much one's own row lies over the lowest card."""
CUT = """() => {
  const parts = ".player.above > b, .deadline b, .deadline .when:first-of-type, #presence";
  return [...document.querySelectorAll(parts)].filter(part => {
    const box = part.getBoundingClientRect(), row = part.closest(".deadline, .player");
    const {right, bottom} = row.getBoundingClientRect();
    return part.scrollWidth > part.clientWidth + 1 && part.clientWidth
      || box.right > right + 1 || box.bottom > bottom + 1 || bottom > innerHeight;
  }).map(part => part.outerHTML);
}"""
REACHED = """button => {
  button.scrollIntoView({block: "center"});
  const {left, top, width, height} = button.getBoundingClientRect();
  const hits = (x, y) => button.contains(document.elementFromPoint(x, y));
  const span = Array.from({length: 80}, (_, at) => at - 40);
  return [span.filter(by => hits(left + width / 2 + by, top + height / 2)).length,
    span.filter(by => hits(left + width / 2, top + height / 2 + by)).length];
}"""
"""How wide and how high the place is that presses a button."""


OUTSIDE = """() => {
  const [bubble, words] = [".coach", ".coach p"].map(part =>
    document.querySelector(part).getBoundingClientRect());
  return words.top < bubble.top + 3 || words.bottom > bubble.bottom - 3;
}"""
"""Whether the words of a hint touch the edges of its bubble."""
WIDER = "chip => chip.offsetWidth - chip.closest('.column').offsetWidth"
"""By how much the mark of an unsent claim is wider than its Stone has room."""


def speak(page: Page, site: Site, code: str) -> None:
    page.context.add_cookies([{"name": LANGUAGE, "value": code, "url": site.url}])
    page.emulate_media(reduced_motion="reduce")  # no card is on its way
    page.reload()
    expect(page.locator(f"html[lang={code}]")).to_have_count(1)  # not the page of before
    at_rest(page)


@pytest.mark.parametrize("size", [(375, 812), (1280, 800)])
def test_why_a_stone_was_claimed_is_whole_and_leaves_its_cards_in_sight(
    site: Site, visit: Visit, size: tuple[int, int]
) -> None:
    table = Table(site)
    play_on(site.container, table.id)
    viewport = {"width": size[0], "height": size[1]}
    page = visit(table.path, table.people["north"], viewport=viewport).page
    speak(page, site, "de")
    for stone in (4, 5, 6):
        column = page.locator(f".column[data-stone='{stone}']")
        column.locator("summary").click()
        reason = column.locator(".judged")
        assert reason.evaluate("reason => reason.scrollHeight - reason.clientHeight") <= 1
        expect(reason).to_be_in_viewport(ratio=1)
        said = bounds(reason)
        for card in map(bounds, column.locator(".side .card").all()):
            is_left = card["x"] + card["width"] <= said["x"]
            is_right = said["x"] + said["width"] <= card["x"]
            assert is_left or is_right or card["y"] + card["height"] <= said["y"]
        column.locator(".close").click()


@pytest.mark.parametrize("scene", ["news", "hint", "claim", "stale"])
def test_nothing_covers_one_s_own_row(site: Site, visit: Visit, scene: str) -> None:
    people: Any = {"north": site.player("Isla MacRae"), "south": site.player("Fergus")}
    hands: Any = {"north": ("R7", "R8", "R9", "O7", "O8", "O9"), "south": RED_RUN["south"]}
    game = arranged(site.container, people, hands, game_id=scene.ljust(20, "z"), clock=CLOCK)
    long = "R7@4 G1@1 R8@4 G3@1 R9@4,+C G5@1 O7@5,+C B2@9 O8@5,+C B4@9 O9@5,!4,!5"
    turns = {"news": long, "hint": "", "claim": "R7@1 G1@2 R8@1 G3@3", "stale": "R7@1 G1@2"}[
        scene
    ].split()
    played(site.container, game, people, *(turn.replace(",", " ") for turn in turns))
    mover = site.container.games.load(game).game.turn
    path = f"/games/{game}" + {"claim": "?turn=R9@1", "stale": "?turn=R8@1&version=1"}.get(
        scene, ""
    )
    page = visit(path, people[mover], viewport=SMALL).page
    for code in ("de", "fr"):
        speak(page, site, code)
        assert covered(page) == [], code
        assert scene != "news" or page.evaluate(BELOW) < 10, code


CHIP = """chip => {
  const line = chip.closest(".now");
  const margin = parseFloat(getComputedStyle(line).overflowClipMargin);
  return chip.getBoundingClientRect().top - line.getBoundingClientRect().top + margin;
}"""
"""How far the upper edge of a card in the news lies within what is painted."""


@pytest.mark.parametrize("size", [SMALL, SHORT, TALL], ids=["small", "short", "tall"])
def test_the_card_in_the_news_is_whole(table: Table, visit: Visit, size: Any) -> None:
    table.play(f"{table.card()}@4")
    page = visit(table.path, table.mover, viewport=size).page
    assert page.locator(".now .chip").evaluate(CHIP) >= 0


PLACES = """() => [".board", ".player.below", ".hand"].map(
  part => Math.round(document.querySelector(part).getBoundingClientRect().top))"""
"""Where the board, one's own row and the hand stand."""


def near(places: list[int], others: list[int]) -> bool:
    return all(abs(one - other) < 4 for one, other in zip(places, others, strict=True))


def test_neither_claims_nor_a_message_move_the_board(site: Site, visit: Visit) -> None:
    players: Any = {"north": site.player("Isla MacRae"), "south": site.player("Fergus")}
    hands = {"north": ("R7", "R8", "R9", "O7", "O8", "O9"), "south": RED_RUN["south"]}
    game = arranged(site.container, players, hands, game_id="wrote".ljust(20, "z"), clock=CLOCK)
    turns = "R7@4 G1@1 R8@4 G3@1 R9@4,+C G5@1 O7@5,+C B2@9 O8@5,+C B4@9"
    played(site.container, game, players, *(turn.replace(",", " ") for turn in turns.split()))
    page = visit(f"/games/{game}", players["south"], viewport=SMALL).page
    seen = {}

    def look(number: int) -> None:
        for code in ("en", "de", "fr"):
            speak(page, site, code)
            for size in (SMALL, SHORT, TALL):
                page.set_viewport_size(size)
                at_rest(page)
                at = code, size["height"]
                seen.setdefault(at, []).append(page.evaluate(PLACES))
                assert page.evaluate(BELOW) <= 0, (at, number)

    look(0)
    played(site.container, game, players, "O9@5 !4 !5")
    look(1)
    key = IdempotencyKey("a", "a")
    site.container.games.conversations.write(game, players["north"], "Luck!", "web", key)
    expect(page.locator(".wrote")).to_be_visible()
    look(2)
    for at, (_, claims, message) in seen.items():
        assert near(claims, message), (at, claims, message)
    boards = {at: [places[0] for places in each] for at, each in seen.items()}
    assert all(max(each) - min(each) < 4 for each in boards.values()), boards


@pytest.mark.parametrize("reader", ["north", "south"])
def test_the_end_moves_no_board(site: Site, visit: Visit, reader: str) -> None:
    path, people = before_the_win(site, f"end{reader}")
    page = visit(path, people[reader], viewport=SMALL).page

    def boards() -> list[int]:
        tops = []
        for code in ("en", "de", "fr"):
            speak(page, site, code)
            for size in (SMALL, SHORT, TALL):
                page.set_viewport_size(size)
                at_rest(page)
                tops.append(page.evaluate(PLACES.replace(', ".hand"', ""))[0])
        return tops

    before = boards()
    site.container.games.play(path.split("/")[-1], people["north"], ["Y9@3", "!3"])
    assert near(before, after := boards()), (before, after)


@pytest.mark.parametrize("size", [SMALL, ENLARGED], ids=["small", "enlarged"])
def test_the_other_s_deadline_and_presence_are_read_in_full(
    site: Site, visit: Visit, size: Any
) -> None:
    table = Table(site, clock=CLOCK)
    site.container.tokens.record_answer(table.people["north"])
    page = visit(table.path, table.people["south"], viewport=size).page
    for code in ("en", "de", "fr"):
        speak(page, site, code)
        assert page.evaluate(CUT) == [], code


LEFT = "flag => flag.getBoundingClientRect().left"
APART = """() => {
  const [time, flags] = [".deadline", ".flags"].map(part =>
    document.querySelector(`.above ${part}`).getBoundingClientRect());
  return time.right <= flags.left || time.top >= flags.bottom;
}"""
"""Whether the other player's flags lie beside the end of their time."""


@pytest.mark.parametrize(("width", "name"), [(320, "narrow"), (360, "usual"), (375, "wide")])
def test_the_flags_of_who_is_to_move_lie_beside_their_deadline(
    site: Site, visit: Visit, width: int, name: str
) -> None:
    players: Any = {"north": site.player("Ann"), "south": site.player("Bob")}
    north = ("R7", "R8", "R9", "O7", "O8", "O9")
    hands = {"north": north, "south": ("G1", "G3", "G5", "B2", "B4", "B6")}
    deck = ("Y7", "G2", "Y8", "G4", "Y9", "B1")
    game = arranged(site.container, players, hands, deck, name.ljust(20, "z"), clock=CLOCK)
    turns = ("R7@1", "G1@9", "R8@1", "G3@9", "R9@1 !1", "G5@8", "O7@3", "B2@8", "O8@3", "B4@7")
    more = ("O9@3 !3", "B6@7", "Y7@5", "G2@6", "Y8@5", "G4@6", "Y9@5 !5", "B1@4")
    played(site.container, game, players, *turns, *more)
    site.container.tokens.record_answer(players["north"])
    viewport = {"width": width, "height": 640}
    page = visit(f"/games/{game}", players["south"], viewport=viewport).page
    for pixels in (16, 24):
        enlarge(page, pixels)
        for code in ("en", "de", "fr"):
            speak(page, site, code)
            expect(page.locator(".flags .flag")).to_have_count(3)
            assert page.evaluate(APART), (pixels, code)


def test_the_flags_stay_where_they_are_when_presence_comes(site: Site, visit: Visit) -> None:
    players: Any = {"north": site.player("Ann"), "south": site.player("Bob")}
    hands = {"north": ("R7", "R8", "R9", "O7", "O8", "O9"), "south": RED_RUN["south"]}
    game = arranged(site.container, players, hands, game_id="flags".ljust(20, "z"), clock=CLOCK)
    played(site.container, game, players, "R7@4", "G1@1", "R8@4", "G3@1", "R9@4 !4", "G5@1")
    page = visit(f"/games/{game}", players["south"], viewport=SMALL).page

    def flags() -> list[Any]:
        found = []
        for code in ("en", "de", "fr"):
            speak(page, site, code)
            found.append(page.locator(".above .flags .flag").evaluate(LEFT))
        return found

    before = flags()
    site.container.tokens.record_answer(players["north"])
    after = flags()
    expect(page.locator("#presence")).not_to_be_empty()
    assert after == before


def test_a_thumb_hits_the_small_buttons(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.mover, viewport=SMALL).page
    for button in ("#sounds", ".coach button", ".coach a"):
        assert min(page.locator(button).evaluate(REACHED)) >= 44, button
    for link in page.locator(".foot a").all():
        assert link.evaluate(REACHED)[1] >= 32
    page.set_viewport_size({"width": 375, "height": 812})
    hand(page).first.click()
    expect(page.locator(".press.place")).to_have_count(9)
    assert min(page.locator("#sounds").evaluate(REACHED)) >= 44


@pytest.mark.parametrize("size", [SMALL, TALL])
def test_a_thumb_hits_what_a_finished_game_can_be_checked_with(
    site: Site, visit: Visit, size: Any
) -> None:
    path, people = before_the_win(site, f"thumb{size['width']}")
    played(site.container, path.rpartition("/")[2], people, "Y9@3 !3")
    page = visit(path, people["north"], viewport=size).page
    link = page.get_by_role("link", name="Check every claim")
    assert link.evaluate(REACHED)[1] >= 40


@pytest.mark.parametrize("size", [TALL, {"width": 768, "height": 1024}])
def test_a_thumb_hits_what_leads_to_messages_and_through_the_log(
    site: Site, visit: Visit, size: Any
) -> None:
    table = Table(site)
    play_on(site.container, table.id, 14)
    site.container.games.conversations.write(table.id, table.people["south"], "Hello", "web")
    page = visit(table.path, table.people["north"], viewport=size).page
    for link in (".wrote a", "#story [data-whole]", "#sounds", ".pace"):
        assert page.locator(link).evaluate(REACHED)[1] >= 42, link
    assert page.locator(".story li:nth-child(3) a").evaluate(REACHED)[1] >= 32


@pytest.mark.parametrize("width", [320, 360])
def test_a_hint_has_air_around_its_words(site: Site, visit: Visit, width: int) -> None:
    table = Table(site)
    page = visit(table.path, table.mover, viewport={"width": width, "height": 640}).page
    for code in ("en", "de", "fr"):
        speak(page, site, code)
        assert not page.evaluate(OUTSIDE), code


LIFTED = "document.getAnimations().map(({effect}) => effect.target.className)"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_place_that_is_pressed_too_early_points_to_the_hand(
    table: Table, visit: Visit, motion: str
) -> None:
    page = visit(table.path, table.mover, viewport=SMALL, reduced_motion=motion).page
    at = page.url
    page.locator("[data-stone='4'] .ground").click()
    expect(page.get_by_role("status")).to_contain_text("Choose a card first, then its place.")
    expect(page.locator(".coach p")).to_contain_text("1 of 3 Choose a card first")
    assert page.evaluate(LIFTED) == ["press card-in-hand"] * 6
    moved = page.evaluate("document.getAnimations()[0].effect.getKeyframes()[0].translate")
    assert (moved == "0px") is (motion == "reduce")
    hand(page).first.click()
    expect(page.locator(".coach p")).to_contain_text("Press a place at a Stone")
    assert page.url == at


def test_a_phone_shares_the_link_of_an_invitation(site: Site, visit: Visit) -> None:
    maker = site.player("Isla MacRae")
    game = site.container.games.create(maker, NewGame())
    page = visit("about:blank", maker, viewport=SMALL, is_own=True).page
    page.add_init_script("navigator.share = async ({url}) => { window.shared = url; }")
    page.goto(f"/games/{game.id}")
    link = page.get_by_label("Invite link", exact=True).input_value()
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared") == link
    mailto = page.get_by_role("link", name="Send it by e-mail").get_attribute("href")
    assert mailto is not None
    assert mailto.endswith(f"Schotten%20Totten&body={quote(link)}")


def test_an_unsent_claim_covers_no_neighbour(site: Site, visit: Visit) -> None:
    people: Any = {"north": site.player("Isla MacRae"), "south": site.player("Fergus")}
    game = arranged(site.container, people, game_id="claimed".ljust(20, "z"))
    played(site.container, game, people, "R7@1", "G1@2", "R8@1", "G3@3")
    path = f"/games/{game}?turn=R9@1&turn=!1&version={site.container.games.load(game).version}"
    page = visit(path, people["north"], viewport=SMALL).page
    for code in ("en", "de", "fr"):
        speak(page, site, code)
        assert page.locator(".claimed-unsent").evaluate(WIDER) <= 0, code


FIRST_COVERED = """() => [...document.querySelectorAll(".first")].filter(badge => {
  const {left, right, top, bottom, width, height} = badge.getBoundingClientRect();
  const corners = [[left + height / 3, top + 2], [right - height / 3, bottom - 2]];
  return left < 0 || right > innerWidth || !corners.concat([[left + width / 2, bottom - 1]]).every(
    ([x, y]) => badge.contains(document.elementFromPoint(x, y)));
}).map(({parentElement}) => parentElement.ariaLabel)"""
"""Which sides' badges of who was complete first are cut, or lie below something else."""


@pytest.mark.parametrize("reader", ["north", "south"])
def test_who_was_complete_first_is_read_on_both_sides(
    site: Site, visit: Visit, reader: str
) -> None:
    people: Any = {"north": site.player("Isla MacRae"), "south": site.player("Fergus")}
    hands: Any = {"north": ("R7", "R8", "R9", "O7", "O8", "O9"), "south": RED_RUN["south"]}
    game = arranged(site.container, people, hands, game_id=f"first{reader}".ljust(20, "z"))
    turns = "R7@4 G1@1 R8@4 G3@1 R9@4,+C G5@1 O7@5,+C B2@9 O8@5,+C B4@9 O9@5,+C B6@9"
    played(site.container, game, people, *(turn.replace(",", " ") for turn in turns.split()))
    page = visit(f"/games/{game}", people[reader]).page
    for size in (SMALL, SHORT, TALL, {"width": 1280, "height": 800}):
        page.set_viewport_size(size)
        for code in ("en", "de", "fr"):
            speak(page, site, code)
            expect(page.locator(".first")).to_have_count(4)
            assert page.evaluate(FIRST_COVERED) == [], (size, code)


PRESSED = """watch => {
  const seen = () => [watch.getBoundingClientRect().left, watch.textContent];
  const before = seen();
  watch.click();
  return [...before, ...seen()];
}"""
CENTRED = """step => {
  const words = document.createRange();
  words.selectNodeContents(step);
  const [box, inner] = [step, words].map(part => part.getBoundingClientRect());
  return Math.abs(box.top + box.bottom - inner.top - inner.bottom) / 2;
}"""


def test_the_replay_s_buttons_stand_still_with_their_words_in_the_middle(
    site: Site, visit: Visit
) -> None:
    path, people = before_the_win(site, "stand")
    page = visit(f"{path}?at=6", people["south"], viewport=TALL).page
    watch = page.locator("[data-replay=play]")
    for code in ("en", "de", "fr"):
        speak(page, site, code)
        assert page.locator("a.step").first.evaluate(CENTRED) < 1, code
        left, words, now, others = watch.evaluate(PRESSED)
        assert (now, words != others) == (left, True), code


TALLER = {"width": 768, "height": 1024}


def test_the_line_of_a_deal_of_the_day_pushes_no_board_down(site: Site, visit: Visit) -> None:
    games, reader = site.container.games, site.player("Ann")
    plain = games.create(reader, NewGame(bot="shepherd", first_player="creator"))
    pages = [
        visit(f"/games/{game}", reader, viewport=SMALL).page
        for game in (plain.id, games.daily.begin(reader).id)
    ]
    for size in (SMALL, TALL, TALLER):
        tops = []
        for page in pages:
            page.set_viewport_size(size)
            at_rest(page)
            tops.append(page.evaluate(PLACES))
        assert near(*tops), (size, tops)


def test_no_card_rises_under_a_finger_that_has_gone(table: Table, visit: Visit) -> None:
    page = visit(table.path, table.mover, **PHONE).page
    hand(page).first.hover()
    expect(hand(page).first).to_have_css("translate", "none")


def test_all_ways_to_be_told_come_in_sight_when_they_are_opened(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.people["south"], viewport=TALL).page
    alerts = page.get_by_role("region", name="Turn alerts")
    alerts.get_by_text("Choose").click()
    expect(alerts.get_by_role("button").last).to_be_in_viewport(ratio=1)


def test_names_that_are_free_stand_in_the_card_of_the_name(site: Site, visit: Visit) -> None:
    site.container.registrations.register("Morna of the Moor")
    visitor = visit("/games/new", viewport=TALL, is_own=True)
    visitor.allowed.add(422)
    page = visitor.page
    page.get_by_label("Your name").fill("Morna of the Moor")
    page.get_by_role("button", name="Create the game").click()
    name = bounds(page.locator(".free-names button").last)
    card = bounds(page.locator(".own-name"))
    assert card["x"] + 8 < name["x"]
    assert name["x"] + name["width"] < card["x"] + card["width"] - 8
    assert name["y"] + name["height"] < card["y"] + card["height"] - 8


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_panel_of_a_tab_at_the_lower_edge_comes_in_sight(
    table: Table, visit: Visit, motion: str
) -> None:
    page = visit(table.path, table.people["south"], viewport=TALL, reduced_motion=motion).page
    tabs = page.locator(".tabs")
    for tab, panel in (("Cards", ".panel.left"), ("Talk", "#talk-form"), ("More", ".panel.time")):
        page.evaluate("scrollTo(0, 0)")
        lower = bounds(tabs)["y"] + bounds(tabs)["height"]
        page.set_viewport_size({"width": 375, "height": round(lower) + 8})
        turn_to(page, tab)
        expect(page.locator(panel)).to_be_in_viewport(ratio=0.5)
        assert bounds(tabs)["y"] >= 0


LIT: Final = """places => places.map(place => getComputedStyle(place).backgroundColor)"""


def test_a_card_that_a_finger_drags_leaves_the_hand_and_lights_the_place_below_it(
    table: Table, visit: Visit
) -> None:
    page = visit(table.path, table.mover, **PHONE).page
    at_rest(page)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    def lit() -> list[int]:
        colours = page.locator(".place").evaluate_all(LIT)
        return [at + 1 for at, colour in enumerate(colours) if colours.count(colour) == 1]

    x, y = middle(hand(page).nth(2))
    touch("touchStart", (x, y))
    touch("touchMove", (x, y - 30))
    expect(page.locator(".place")).to_have_count(9)
    expect(hand(page).nth(2).locator(".card")).to_have_css("opacity", "0.3")
    for stone in (5, 6):
        touch("touchMove", middle(page.locator(f"[data-stone='{stone}'] .place")))
        until(lambda stone=stone: lit() == [stone])
    touch("touchMove", (x, y - 30))
    until(lambda: lit() == [])
    touch("touchEnd")
    expect(hand(page).nth(2).locator(".card")).to_have_css("opacity", "1")


@pytest.mark.parametrize("size", [TALL, {"width": 1280, "height": 800}])
def test_the_hint_of_a_place_points_at_no_name(table: Table, visit: Visit, size: Any) -> None:
    page = visit(f"{table.path}?chosen={table.card()}", table.mover, viewport=size).page
    hint = page.locator(".coach")
    expect(hint).to_contain_text("Press a place at a Stone")
    assert hint.evaluate("hint => getComputedStyle(hint, '::after').content") == "none"


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (375, 812), (844, 390), (667, 375)])
def test_a_turn_that_is_sent_moves_neither_board_nor_hand(
    site: Site, visit: Visit, size: tuple[int, int]
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    for stone in (4, 5):
        table.play(f"{table.card()}@{stone}")
    viewport = {"width": size[0], "height": size[1]}
    page = visit(table.path, table.mover, viewport=viewport, reduced_motion="reduce").page

    def places() -> Any:
        at_rest(page)
        page.evaluate("scrollTo({top: 0, behavior: 'instant'})")  # a press may have scrolled
        return page.evaluate(PLACES)

    before = places()
    put_together(page, table.card())
    assert places() == before
    send_button(page).click()
    says(page, "Waiting for")
    assert places() == before
