"""Quiet sounds on a game's page: made in the browser, off until they are switched on."""

from collections.abc import Callable
from typing import Literal, get_args

import pytest
from playwright.sync_api import Page, Route, expect

from engine import Seat
from service.core.times import timestamp, unix
from service.eventlog import IdempotencyKey
from service.games import ChangeContext, NewGame
from tests.support.browser import Visit, at_rest
from tests.support.games import arranged, played
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.table import (
    COUNTED,
    HIDE,
    Table,
    before_the_win,
    button,
    followed,
    put_together,
    says,
    send_button,
    turn_to,
)

NOTED = """window.notes = [];
const note = (name, { currentTime }, at) => notes.push([name, at - currentTime, performance.now(),
  document.querySelectorAll(".board .in-flight").length]);
window.OscillatorNode = class extends OscillatorNode {
  start(at) {
    note(`${this.type} ${Math.round(this.frequency.value)}`, this.context, at);
    super.start(at);
  }
};
window.AudioBufferSourceNode = class extends AudioBufferSourceNode {
  start(at) { note("noise", this.context, at); super.start(at); }
};"""
"""All that sounds is noted: what it is, in how many seconds it begins, when it was started, in
milliseconds, and how many columns have a card in flight meanwhile."""
TRIED = (
    "Your turn",
    "A Stone is claimed, Yours",
    "A Stone is claimed, Theirs",
    "A message or an offer",
    "Your last hour begins",
    "The game is over, Won",
    "The game is over, Lost",
    "The game is over, Drawn",
    "A card is laid, Yours",
    "A card is laid, Theirs",
    "The other player comes after 5 minutes away",
    "You have sent your turn",
)

Tune = list[str]
Sound = tuple[str, float, float, int]
Motion = Literal["no-preference", "reduce"]
MOTIONS = pytest.mark.parametrize("motion", get_args(Motion))
TOGETHER = 150  # milliseconds (MOMENT in instruments.js)


def notes(page: Page) -> Tune:
    found: list[Sound] = page.evaluate("notes.splice(0)")
    return [name for name, *_ in found]


def assert_apart(sounds: list[Sound], first: int) -> None:
    """The others of these do not begin with so many at first."""
    assert sounds[first][2] - sounds[first - 1][2] > TOGETHER


def heard(page: Page) -> Tune:
    """The tune that sounds, once it does."""
    until(lambda: page.evaluate("notes.length"))
    return notes(page)


def switch_on(page: Page, *tried: str, also: tuple[str, ...] = ()) -> dict[str, Tune]:
    """Switch the sounds on, and some besides; gives what those sound like that are tried."""
    page.get_by_role("button", name="Sounds").click()
    page.get_by_role("checkbox", name="Sounds on").check()
    heard(page)  # and how loud it is
    page.get_by_text("Which sounds?").click()
    for name in also:
        page.get_by_role("checkbox", name=name).check()
        heard(page)
    tunes = {}
    for name in tried:
        button(page, f"Try: {name}").click()
        tunes[name] = heard(page)
    button(page, "Close").click()
    page.evaluate("notes.splice(0)")
    return tunes


def not_now(page: Page) -> None:
    """Put the question about turn alerts away: nothing else is asked in that wait."""
    alerts = page.get_by_role("region", name="Turn alerts")
    alerts.get_by_text("Choose", exact=True).click()
    expect(page.get_by_role("region", name="A sound when")).to_have_count(0)
    alerts.get_by_role("button", name="Not now").click()
    expect(alerts).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="Sounds: off")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("region", name="A sound when")).to_have_count(0)


def take_turn(page: Page, table: Table) -> None:
    """Play a turn on the page, as soon as it is one's own."""
    expect(page.locator(".now.mine")).to_be_visible()
    put_together(page, table.card())
    send_button(page).click()


def listening(page: Page) -> Page:
    page.add_init_script(NOTED)
    page.reload()
    return page


def test_they_are_off_until_switched_on_and_the_device_remembers(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = listening(visit(table.path, table.people["south"]).page)
    opener = page.get_by_role("button", name="Sounds")
    expect(opener).to_have_accessible_name("Sounds: off")
    says(page, "Waiting for Ann")
    table.play(f"{table.card()}@4")
    says(page, "Your turn")
    expect(page.locator(".in-flight")).to_have_count(0)
    assert notes(page) == []

    tunes = switch_on(page, "Your turn")
    expect(opener).to_be_focused()

    page.reload()
    expect(opener).to_have_accessible_name("Sounds: on")
    put_together(page, table.card(), stone=5)
    expect(opener).to_have_accessible_name("Sounds: on")  # on the board put anew
    send_button(page).click()
    says(page, "Waiting for Ann")
    assert notes(page) == []  # one's own turn has none, unless that is chosen
    table.play(f"{table.card()}@4")
    says(page, "Your turn")
    assert heard(page) == tunes["Your turn"]


def test_no_two_sounds_are_alike(site: Site, visit: Visit) -> None:
    table = Table(site)
    tunes = switch_on(listening(visit(table.path, table.people["south"]).page), *TRIED)
    assert len({tuple(sorted(tune)) for tune in tunes.values()}) == len(TRIED)


def test_each_sound_is_chosen_and_tried_and_none_is_louder_than_wished(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    page = visit(table.path, table.people["north"]).page
    page.evaluate("localStorage.setItem('scottenbury.sounds', 'on')")  # as versions before wrote it
    page = listening(page)
    page.get_by_role("button", name="Sounds: on").click()
    page.get_by_text("Which sounds?").click()
    expect(page.get_by_role("checkbox", name="Your turn", exact=True)).to_be_checked()
    expect(page.get_by_role("checkbox", name="A card is laid")).not_to_be_checked()
    page.get_by_role("checkbox", name="You have sent").check()
    sent = heard(page)
    page.get_by_role("slider", name="Volume").fill("0")
    button(page, "Try: Your turn").click()
    assert notes(page) == []
    page.get_by_role("slider", name="Volume").fill("9")
    heard(page)
    page.keyboard.press("Escape")

    page.reload()
    put_together(page, table.card(), stone=5)
    assert notes(page) == []
    send_button(page).click()
    assert heard(page) == sent
    assert page.evaluate("JSON.parse(localStorage['scottenbury.sounds']).volume") == 9


def test_a_card_and_the_turn_are_heard_as_the_card_arrives(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = listening(visit(table.path, table.people["north"]).page)
    mine, theirs = "A card is laid, Yours", "A card is laid, Theirs"
    tunes = switch_on(page, mine, theirs, "Your turn", also=("A card is laid",))
    put_together(page, table.card(), stone=5)
    until(lambda: page.evaluate("notes.length"))
    assert {flying for *_, flying in page.evaluate("notes")} == {0}
    assert notes(page) == tunes[mine]
    send_button(page).click()
    says(page, "Waiting for Bob")
    table.play(f"{table.card()}@4")
    expected = tunes[theirs] + tunes["Your turn"]
    until(lambda: page.evaluate("notes.length") == len(expected))
    knocks = len(tunes[theirs])
    sounds: list[Sound] = page.evaluate("notes")
    assert {flying for *_, flying in sounds} == {0}
    assert_apart(sounds, knocks)
    assert notes(page) == expected


def answered_at_once(page: Page, path: str, answer: Callable[[], object]) -> list[Sound]:
    """Send the turn, so that the page that comes holds the other player's `answer` too."""

    def both(route: Route) -> None:
        route.fetch(max_redirects=0)
        answer()
        route.fulfill(response=page.request.get(path))

    page.route("**/turns", both, times=1)
    page.evaluate("notes.splice(0)")
    send_button(page).click()
    expect(send_button(page)).to_have_count(0)
    page.wait_for_timeout(1500)  # all flights have ended, and nothing sounds twice
    sounds: list[Sound] = page.evaluate("notes.splice(0)")
    return sounds


@MOTIONS
def test_a_turn_that_is_answered_at_once_sounds_before_its_answer(
    site: Site, visit: Visit, motion: Motion
) -> None:
    table = Table(site)
    page = listening(visit(table.path, table.people["north"], reduced_motion=motion).page)
    sent, theirs, turn = "You have sent your turn", "A card is laid, Theirs", "Your turn"
    tunes = switch_on(page, sent, theirs, turn, also=("A card is laid", "You have sent"))
    for stone in (5, 6):
        put_together(page, table.card(), stone)
        heard(page)  # it lies there
        sounds = answered_at_once(page, table.path, lambda: table.play(f"{table.card()}@4"))
        assert [name for name, *_ in sounds] == tunes[sent] + tunes[theirs] + tunes[turn]
        assert_apart(sounds, len(tunes[sent]))


@MOTIONS
def test_a_claim_that_is_answered_by_a_claim_sounds_before_it(
    site: Site, visit: Visit, motion: Motion
) -> None:
    people: dict[Seat, str] = {"north": site.player("Ann"), "south": site.player("Bob")}
    hands = {
        "north": ("R7", "R8", "R9", "O1", "O2", "O3"),
        "south": ("G7", "G8", "G9", "B2", "B4", "B6"),
    }
    game = arranged(site.container, people, hands, game_id=f"claims{motion[:2]}".ljust(20, "a"))
    played(site.container, game, people, "R7@1", "G7@9", "R8@1", "G8@9")
    page = visit(f"/games/{game}", people["north"], reduced_motion=motion).page
    listening(page)
    claimed, taken = "A Stone is claimed, Yours", "A Stone is claimed, Theirs"
    tunes = switch_on(page, claimed, taken)
    put_together(page, "R9", stone=1)
    page.get_by_role("button", name="Claim Stone 1").click()
    says(page, "claim Stone 1. You draw")
    at_rest(page)
    claim = "G9@9", "!9"
    sounds = answered_at_once(
        page, f"/games/{game}", lambda: site.container.games.play(game, people["south"], claim)
    )
    assert [name for name, *_ in sounds] == tunes[claimed] + tunes[taken]
    assert_apart(sounds, len(tunes[claimed]))


def test_a_tab_that_nobody_sees_tells_the_turn_at_once(site: Site, visit: Visit) -> None:
    """Nothing moves there: the card flies when somebody looks."""
    table = Table(site)
    page = listening(visit(table.path, table.people["south"]).page)
    turn = switch_on(page, "Your turn")["Your turn"]
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    page.evaluate(HIDE, True)
    table.play(f"{table.card()}@4")
    assert heard(page) == turn
    expect(page.locator(".in-flight").first).to_be_attached()


MEETING = """async ([first, after, second]) => {
  const [, folder] = document.querySelector("link[href$='/table.css']").href.match("(.*/)");
  const { perform } = await import(`${folder}instruments.js`);
  const tape = new OfflineAudioContext(1, 48000, 48000);
  return [[first, 0], [second, after]].map(([name, at]) => {
    notes.splice(0);
    performance.now = () => at;
    perform(tape, name, 0.5, false);
    return notes.length ? Math.min(...notes.map(([, wait]) => wait)) : null;
  });
}"""
"""In how many seconds each of two tunes begins, the second so many milliseconds after the first;
null where it is not heard."""


@pytest.mark.parametrize(
    ("first", "after", "second", "is_heard"),
    [
        ("sent", 500, "turn", True),  # a bot answers at once
        ("won", 500, "message", True),
        ("claimed", 300, "answered", True),
        ("turn", 100, "message", False),
        ("taken", 100, "turn", False),
        ("message", 100, "turn", True),
        ("turn", 100, "answered", True),
    ],
)
def test_no_sound_waits_for_another_and_of_two_at_once_the_lesser_is_left_out(
    site: Site, visit: Visit, first: str, after: int, second: str, is_heard: bool
) -> None:
    table = Table(site)
    page = listening(visit(table.path, table.mover).page)
    assert page.evaluate(MEETING, [first, after, second]) == [0, 0 if is_heard else None]


def test_whoever_watches_hears_each_card(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = listening(visit(table.path, site.player("Wim")).page)
    theirs = "A card is laid, Theirs"
    tunes = switch_on(page, theirs, also=("A card is laid",))
    for stone in (4, 5):
        table.play(f"{table.card()}@{stone}")
        assert heard(page) == tunes[theirs]
        expect(page.locator(f"[data-stone='{stone}'] .card")).to_be_visible()


def test_the_first_sounds_of_a_page_keep_their_order(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = listening(visit(table.path, table.people["south"]).page)
    theirs = "A card is laid, Theirs"
    tunes = switch_on(page, theirs, "Your turn", also=("A card is laid",))
    page.reload()
    page.mouse.click(3, 3)
    page.evaluate("new Promise(runs => { new AudioContext().onstatechange = runs; })")
    table.play(f"{table.card()}@4")
    expected = tunes[theirs] + tunes["Your turn"]
    until(lambda: page.evaluate("notes.length") == len(expected))
    assert notes(page) == expected


@pytest.mark.parametrize(("seat", "words"), [("north", "Yours"), ("south", "Theirs")])
def test_one_s_own_stone_sounds_unlike_one_that_is_taken(
    site: Site, visit: Visit, seat: str, words: str
) -> None:
    people = {"north": site.player("Ann"), "south": site.player("Bob")}
    game = arranged(site.container, people, game_id=f"stone{seat}".ljust(20, "a"))  # type: ignore[arg-type]
    played(site.container, game, people, "R7@1", "G1@1", "R8@1", "G3@2")  # type: ignore[arg-type]
    page = listening(visit(f"/games/{game}", people[seat]).page)
    claimed = f"A Stone is claimed, {words}"
    tune = switch_on(page, claimed)[claimed]
    site.container.games.play(game, people["north"], ["R9@1", "!1"])
    assert heard(page)[: len(tune)] == tune


@pytest.mark.parametrize("place", ["/", "/games/new", "another game", "an earlier step"])
def test_ones_turn_is_heard_wherever_one_is(site: Site, visit: Visit, place: str) -> None:
    table = Table(site)
    page = visit("about:blank", table.people["south"]).page
    for script in (NOTED, COUNTED):
        page.add_init_script(script)
    page.goto(table.path)
    turn = switch_on(page, "Your turn")["Your turn"]
    other = f"/games/{site.game(*table.people.values())}"
    page.goto({"another game": other, "an earlier step": f"{table.path}?at=3"}.get(place, place))
    page.mouse.click(3, 3)
    followed(page)
    expect(page.locator("[rel=icon][data-turns='0']")).to_have_count(1)
    table.play(f"{table.card()}@4")
    assert heard(page) == turn
    expect(page.get_by_role("link", name="Games 1 waiting")).to_be_visible()


def test_the_first_turn_is_heard_where_one_waits_for_the_other(site: Site, visit: Visit) -> None:
    table = Table(site)
    north, south = table.people["north"], table.people["south"]
    page = visit("about:blank", north).page
    page.add_init_script(NOTED)
    page.goto(table.path)
    turn = switch_on(page, "Your turn")["Your turn"]
    wanted = NewGame(first_player="creator", opponent=south)
    game = site.container.games.create(north, wanted).id
    page.goto(f"/games/{game}")
    page.mouse.click(3, 3)
    says(page, "Waiting for Bob")
    site.container.games.join(game, south)
    assert heard(page) == turn
    says(page, "Your turn")


def test_ones_turn_is_heard_in_one_tab(site: Site, visit: Visit) -> None:
    table = Table(site)
    first = visit("about:blank", table.people["south"]).page
    second = first.context.new_page()
    for page in (first, second):
        page.add_init_script(NOTED)
        page.add_init_script(COUNTED)
    first.goto(table.path)
    turn = switch_on(first, "Your turn")["Your turn"]
    second.goto("/")
    second.mouse.click(3, 3)
    followed(second)
    table.play(f"{table.card()}@4")
    assert heard(second) == turn
    says(first, "Your turn")
    assert notes(first) == []


def test_whoever_wins_as_the_other_resigns_hears_no_card(site: Site, visit: Visit) -> None:
    table = Table(site)
    table.play(f"{table.card()}@4")
    table.play(f"{table.card()}@4")
    table.play(f"{table.card()}@5")
    page = listening(visit(table.path, table.people["north"]).page)
    won = "The game is over, Won"
    tunes = switch_on(page, won, also=("A card is laid",))
    site.container.games.resign(table.id, table.people["south"])
    assert heard(page) == tunes[won]


@pytest.mark.parametrize(("seat", "words"), [("north", "Lost"), ("south", "Won")])
def test_a_win_sounds_unlike_a_loss(site: Site, visit: Visit, seat: str, words: str) -> None:
    table = Table(site)
    page = listening(visit(table.path, table.people[seat]).page)  # type: ignore[index]
    over = f"The game is over, {words}"
    tunes = switch_on(page, over)
    site.container.games.resign(table.id, table.people["north"])
    assert heard(page) == tunes[over]


def test_the_rematch_that_the_other_asks_for_is_heard(site: Site, visit: Visit) -> None:
    table = Table(site)
    north, south = table.people["north"], table.people["south"]
    page = listening(visit(table.path, south).page)
    rings = "A message or an offer"
    bell = switch_on(page, rings)[rings]
    site.container.games.resign(table.id, north)
    expect(page.locator("#match.ended")).to_be_visible()
    page.reload()
    page.mouse.click(3, 3)
    site.container.games.rematches.ask(table.id, north)
    expect(page.locator("#now")).to_contain_text("asks for a rematch")
    assert heard(page) == bell


def test_the_move_that_wins_is_seen_before_it_is_heard(site: Site, visit: Visit) -> None:
    path, people = before_the_win(site, "heardlast")
    page = listening(visit(path, people["south"]).page)
    theirs, lost = "A Stone is claimed, Theirs", "The game is over, Lost"
    tunes = switch_on(page, theirs, lost)
    page.evaluate("addEventListener('game:claimed', () => { window.early = notes.length; }, true)")
    site.container.games.play(path.split("/")[-1], people["north"], ["Y9@3", "!3"])
    expected = tunes[theirs] + tunes[lost]
    until(lambda: page.evaluate("notes.length") == len(expected))
    assert notes(page) == expected
    assert page.evaluate("early") == 0


@MOTIONS
def test_one_s_own_winning_turn_rings_no_turn(site: Site, visit: Visit, motion: Motion) -> None:
    path, people = before_the_win(site, f"rings{motion[:2]}")
    page = listening(visit(path, people["north"], reduced_motion=motion).page)
    laid = "A card is laid, Yours"
    yours, won = "A Stone is claimed, Yours", "The game is over, Won"
    tunes = switch_on(page, laid, yours, won)
    put_together(page, "Y9", stone=3)
    assert notes(page) == []
    button(page, "Claim Stone 3").click()
    says(page, "Yellow 9 on Stone 3, claim Stone 3")
    assert heard(page) == tunes[laid]  # the claim is laid too, not made
    send_button(page).click()
    expect(page.locator(".now.won")).to_be_visible()
    until(lambda: page.evaluate("notes.length") >= len(tunes[yours] + tunes[won]))
    assert notes(page) == tunes[yours] + tunes[won]


def test_an_end_without_a_winner_has_its_own(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = listening(visit(table.path, table.people["north"]).page)
    tunes = switch_on(page, "The game is over, Drawn")
    for player in table.people.values():
        site.container.games.abandonments.agree(table.id, player, ChangeContext("web"))
    drawn = tunes["The game is over, Drawn"]
    until(lambda: page.evaluate("notes.length") >= len(drawn))
    assert notes(page)[-len(drawn) :] == drawn


def test_one_s_last_hour_is_heard_once(site: Site, visit: Visit) -> None:
    table = Table(site, clock={"days_per_move": 3})
    deadline = table.stored.deadline_text
    assert deadline is not None
    page = visit("about:blank", table.mover, is_own=True).page
    page.add_init_script(NOTED)
    page.clock.install(time=timestamp(unix(deadline) - 62 * 60))
    page.goto(table.path)
    tunes = switch_on(page, "Your last hour begins")
    page.clock.run_for("03:00")
    assert heard(page) == tunes["Your last hour begins"]
    page.clock.run_for("30:00")
    assert notes(page) == []


def test_the_other_is_heard_to_come_after_a_while_away_if_that_is_chosen(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    page = visit("about:blank", table.people["south"], is_own=True).page
    page.add_init_script(NOTED)
    page.clock.install()
    other = visit(table.path, table.people["north"]).page
    page.goto(table.path)
    comes = "The other player comes after 5 minutes away"
    tunes = switch_on(page, comes, also=(comes,))
    expect(page.locator("#presence")).to_have_text("here now")
    for minutes in (1, 6):
        other.evaluate(HIDE, True)
        until(lambda: page.clock.run_for(1000) or page.locator("#presence.live").count() == 0)
        page.clock.fast_forward(f"{minutes:02}:00")
        assert notes(page) == []
        other.evaluate(HIDE, False)
        until(lambda: page.clock.run_for(1000) or page.locator("#presence.live").count() == 1)
    assert heard(page) == tunes[comes]


def test_whoever_was_here_a_moment_ago_is_not_heard_to_come(site: Site, visit: Visit) -> None:
    table = Table(site)
    other = visit(table.path, table.people["north"]).page
    other.evaluate(HIDE, True)
    page = listening(visit(table.path, table.people["south"]).page)
    comes = "The other player comes after 5 minutes away"
    switch_on(page, comes, also=(comes,))
    page.reload()
    page.mouse.click(3, 3)
    expect(page.locator("#presence")).to_have_text("here a moment ago")
    other.evaluate(HIDE, False)
    expect(page.locator("#presence")).to_have_text("here now")
    page.wait_for_timeout(300)
    assert notes(page) == []


def plays(page: Page, site: Site, game: str, player: str, *actions: str) -> None:
    """A program of the player's plays."""
    token = site.container.tokens.create(player, "a program", ["games:play"]).text
    headers = {"Authorization": f"Bearer {token}"}
    answer = page.request.post(
        f"{site.url}/v1/games/{game}/turns", headers=headers, data={"actions": actions}
    )
    assert answer.ok, answer.text()


def test_a_program_that_moves_is_not_heard_to_come(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = listening(visit(table.path, table.people["south"]).page)
    turn, comes = "Your turn", "The other player comes after 5 minutes away"
    tunes = switch_on(page, turn, also=(comes,))
    plays(page, site, table.id, table.people["north"], f"{table.card()}@4")
    expect(page.locator("#presence")).to_have_text("online")
    page.wait_for_timeout(1500)  # the card has arrived, and nothing comes after it
    assert notes(page) == tunes[turn]


def test_nobody_is_heard_to_come_as_the_game_ends_or_after_it(site: Site, visit: Visit) -> None:
    path, people = before_the_win(site, "heardend")
    page = listening(visit(path, people["south"]).page)
    taken, lost = "A Stone is claimed, Theirs", "The game is over, Lost"
    tunes = switch_on(page, taken, lost, also=("The other player comes after 5 minutes away",))
    plays(page, site, path.split("/")[-1], people["north"], "Y9@3", "!3")
    expect(page.locator(".now.lost")).to_be_visible()
    visit(path, people["north"])
    expect(page.locator("#presence")).to_have_text("here now")
    page.wait_for_timeout(300)
    assert notes(page) == tunes[taken] + tunes[lost]


def test_without_javascript_nothing_offers_them(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.people["south"], java_script_enabled=False).page
    expect(page.locator("#sounds")).to_be_hidden()


def test_nothing_rings_when_the_other_only_comes_types_or_goes_or_when_one_writes_oneself(
    site: Site, visit: Visit
) -> None:
    table = Table(site, clock={"days_per_move": 3})
    north, south = table.people["north"], table.people["south"]
    page = listening(visit(table.path, south, viewport={"width": 320, "height": 568}).page)
    rings = "A message or an offer"
    bell = switch_on(page, rings)[rings]
    other = visit(table.path, north).page
    expect(page.locator("#presence")).to_have_text("here now")
    turn_to(other, "Talk")
    other.get_by_label("Your message").fill("Shall we")
    expect(page.locator("#presence")).to_have_text("is writing to you…")
    turn_to(page, "Talk")
    page.get_by_label("Your message").fill("Hello")
    button(page, "Send message").click()
    expect(page.locator(".said .own")).to_have_count(1)
    other.evaluate(HIDE, True)
    expect(page.locator("#presence")).to_have_text("here a moment ago")
    assert notes(page) == []

    site.container.games.conversations.write(
        table.id, north, "Hello", "web", IdempotencyKey("a", "a")
    )
    assert heard(page) == bell
    page.wait_for_timeout(200)  # within a moment they would ring as one
    site.container.games.pauses.agree(table.id, north, None, ChangeContext("web"))
    expect(page.locator("#now")).to_contain_text("offers a pause")
    assert heard(page) == bell
    other.evaluate(HIDE, False)
    expect(page.locator("#presence")).to_have_text("here now")
    assert notes(page) == []  # the offer has rung


LOUDNESS = """async name => {
  const [, folder] = document.querySelector("link[href$='/table.css']").href.match("(.*/)");
  const { perform } = await import(`${folder}instruments.js`);
  const tape = new OfflineAudioContext(1, 4 * 48000, 48000);
  perform(tape, name, 0.5, true);
  const samples = (await tape.startRendering()).getChannelData(0);
  let most = 0;
  for (let from = 0; from < samples.length; from += 1500) {
    const part = samples.subarray(from, from + 6000);
    most = Math.max(most, part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length);
  }
  return 10 * Math.log10(most);
}"""
"""The loudest eighth of a second of a tune, in decibels."""


def test_a_card_is_hardly_less_loud_than_the_turn(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.mover).page
    turn = page.evaluate(LOUDNESS, "turn")
    for card in ("laid", "answered"):
        assert turn - 4 < page.evaluate(LOUDNESS, card) < turn


def test_a_first_game_against_a_person_asks_once_with_a_sample(site: Site, visit: Visit) -> None:
    table = Table(site)
    waits = table.people["south" if table.mover == table.people["north"] else "north"]
    page = visit("about:blank", waits).page
    page.add_init_script(NOTED)
    page.goto(table.path)
    question = page.get_by_role("region", name="A sound when")
    not_now(page)
    table.play(f"{table.card()}@2")
    take_turn(page, table)
    question.get_by_text("Choose", exact=True).click()
    question.get_by_role("button", name="Listen").click()
    sample = heard(page)
    question.get_by_role("button", name="Yes, please").click()
    expect(question).to_have_count(0)
    assert heard(page) == sample
    expect(page.get_by_role("button", name="Sounds: on")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Sounds: on")).to_be_visible()
    expect(question).to_have_count(0)


def test_who_leaves_turn_alerts_unanswered_is_asked_in_the_next_wait(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    phone = {"width": 375, "height": 812}
    page = visit(table.path, table.people["south"], viewport=phone).page
    question = page.get_by_role("region", name="A sound when")
    alerts = page.get_by_role("region", name="Turn alerts")
    expect(alerts).to_be_visible()
    table.play(f"{table.card()}@2")
    take_turn(page, table)
    says(page, "Waiting for Ann")
    expect(question).to_be_visible()
    expect(alerts).to_be_hidden()  # one question at a time


def test_a_turn_that_comes_beside_a_question_moves_nothing(site: Site, visit: Visit) -> None:
    table = Table(site)
    page = visit(table.path, table.people["south"], viewport={"width": 1280, "height": 800}).page
    top = "document.getElementById('story').getBoundingClientRect().top"
    alerts = page.get_by_role("region", name="Turn alerts")
    for question in (alerts, page.get_by_role("region", name="A sound when")):
        expect(question).to_be_visible()
        before = page.evaluate(top)
        table.play(f"{table.card()}@{2 if question is alerts else 3}")
        says(page, "Your turn")
        expect(page.locator(".story li").first).to_contain_text("Ann")
        assert page.evaluate(top) == before
        take_turn(page, table)
        says(page, "Waiting for Ann")
    expect(question).to_have_count(0)


def test_nobody_is_asked_about_sounds_in_their_turn_or_against_a_bot(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    question = "A sound when"
    page = visit(table.path, table.mover).page
    expect(page.get_by_role("button", name="Sounds: off")).to_be_visible()
    expect(page.get_by_role("region", name=question)).to_have_count(0)
    take_turn(page, table)
    not_now(page)
    table.play(f"{table.card()}@2")
    take_turn(page, table)
    expect(page.get_by_role("region", name=question)).to_be_visible()
    page.get_by_role("region", name=question).get_by_text("Choose", exact=True).click()
    page.get_by_role("button", name="No, thanks").click()
    expect(page.get_by_role("region", name=question)).to_have_count(0)

    alone = site.player("Una")
    game = site.container.games.create(alone, NewGame(bot="random", first_player="opponent"))
    page = visit(f"/games/{game.id}", alone).page
    expect(page.locator("#sounds[aria-label]:not([data-asks])")).to_be_visible()


def test_a_replay_sounds_as_the_game_did(site: Site, visit: Visit) -> None:
    path, people = before_the_win(site, "heardagain")
    page = listening(visit(path, people["north"]).page)
    laid, claimed, won = (
        "A card is laid, Yours",
        "A Stone is claimed, Yours",
        "The game is over, Won",
    )
    tunes = switch_on(page, laid, claimed, won)
    site.container.games.play(path.split("/")[-1], people["north"], ["Y9@3", "!3"])
    expect(page.locator("#match.ended")).to_be_visible()
    at_rest(page)
    back, forward = (
        page.get_by_role("link", name=name, exact=True) for name in ("Back", "Forward")
    )
    back.click()
    expect(page.locator(".now.past")).to_be_visible()
    back.click()
    expect(page.locator(".board .owned-below")).to_have_count(2)
    page.wait_for_load_state("networkidle")
    page.evaluate("notes.splice(0)")
    button(page, "Watch").click()
    expected = tunes[laid] + tunes[claimed] + tunes[won]
    until(lambda: page.evaluate("notes.length") >= len(expected))
    assert notes(page) == expected

    expect(page.locator(".now.past")).to_have_count(0)
    back.click()
    expect(page.locator(".now.past")).to_be_visible()
    page.evaluate(HIDE, True)
    forward.click()
    expect(page.locator(".now.past.won")).to_be_visible()
    assert notes(page) == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (375, 812)])
def test_all_sounds_are_in_sight_at_once(site: Site, visit: Visit, width: int, height: int) -> None:
    table = Table(site)
    page = visit(table.path, table.mover, viewport={"width": width, "height": height}).page
    page.get_by_role("button", name="Sounds").click()
    page.get_by_text("Which sounds?").click()
    dialog = page.get_by_role("dialog")
    assert dialog.evaluate("({scrollHeight, clientHeight}) => scrollHeight - clientHeight") == 0
    assert dialog.evaluate("({scrollWidth, clientWidth}) => scrollWidth - clientWidth") == 0


def test_nothing_beside_the_button_moves_when_its_script_has_come(
    table: Table, visit: Visit
) -> None:
    lefts = "() => document.getElementById('keys').getBoundingClientRect().left"
    watched = visit(table.path, table.mover, viewport={"width": 1280, "height": 800}, is_own=True)
    page = watched.page
    expect(button(page, "Sounds: off")).to_be_visible()
    before = page.evaluate(lefts)
    page.evaluate("localStorage.setItem('scottenbury.sounds', 'on')")
    page.reload()
    expect(button(page, "Sounds: on")).to_be_visible()
    assert page.evaluate(lefts) == before
    page.route("**/sounds.js", lambda route: route.abort("aborted"))
    page.reload()
    at_rest(page)
    expect(button(page, "Sounds")).to_be_hidden()
    assert page.evaluate(lefts) == before
