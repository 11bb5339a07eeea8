"""From a stranger's first press to a game, without JavaScript and with it."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visit, bounds
from tests.support.site import Site
from tests.web.browser.table import Table


def test_two_strangers_meet_by_a_link_without_javascript(site: Site, visit: Visit) -> None:
    one = visit("/", java_script_enabled=False).page
    one.get_by_role("link", name="Invite a friend").click()
    one.get_by_label("Your name").fill("Elspeth")
    one.get_by_role("button", name="Create the game").click()
    one.get_by_role("link", name="Games").click()
    link = one.get_by_label("Invite link to send").input_value()

    other = visit(link, java_script_enabled=False).page
    other.get_by_label("Your name").fill("Struan")
    other.get_by_role("button", name="Join").click()
    expect(other.get_by_role("heading", level=1)).to_contain_text("Elspeth")

    one.reload()
    row = one.get_by_role("listitem").filter(has_text="Struan")
    expect(row).to_contain_text("7 days left")
    row.get_by_role("link").last.click()
    expect(one.get_by_role("heading", level=1)).to_contain_text("Struan")


def test_an_invite_link_is_copied_on_the_page_of_its_game(site: Site, visit: Visit) -> None:
    page = visit("/games/new", site.player("Mairi")).page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Create the game").click()
    copy = page.get_by_role("button", name="Copy: Invite link")
    copy.click()
    expect(page.get_by_role("button", name="Copied: Invite link")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.get_by_label("Invite link", exact=True).input_value()


def test_only_what_an_edition_has_can_be_chosen(site: Site, visit: Visit) -> None:
    page = visit("/games/new", site.player("Isla")).page
    page.get_by_text("More choices:").click()
    tactics = page.get_by_role("checkbox", name="With Tactic cards")
    expert = page.get_by_role("checkbox", name="Expert")
    tactics.check()
    page.get_by_label("First edition, 1999").check()
    expect(tactics).to_be_disabled()
    expect(expert).to_be_disabled()
    expect(page.get_by_text("The rules you chose have no Tactic cards")).to_be_visible()
    page.get_by_role("radio", name="Anybody").check()
    page.get_by_role("button", name="Create the game").click()
    page.wait_for_url(re.compile("/games/[a-z2-7]{20}"))


def test_what_rated_means_is_said_only_where_a_game_will_be(site: Site, visit: Visit) -> None:
    page = visit("/games/new", site.player("Isla"), java_script_enabled=False).page
    meaning = page.get_by_text("Rated: a win raises your rating.")
    page.get_by_text("More choices:").click()
    page.get_by_label("Does it change your rating?").select_option("")
    expect(meaning).to_be_visible()
    page.get_by_label("no time limit").check()
    expect(meaning).to_be_hidden()
    page.get_by_label("a week").check()
    page.get_by_role("checkbox", name="Only the two of us can see it").check()
    expect(meaning).to_be_hidden()


def test_an_account_is_opened_on_a_phone(site: Site, visit: Visit) -> None:
    isla = site.player("Isla")
    here = visit("/account/devices", isla).page
    here.get_by_role("button", name="Show a code").click()
    expect(here.get_by_role("img", name="The address as a QR code")).to_be_visible()
    address = here.get_by_label("Address for the other device", exact=True).input_value()

    phone = visit(address, viewport={"width": 360, "height": 740}, has_touch=True).page
    phone.get_by_role("button", name=re.compile("Sign in as Isla")).tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Your games")
    here.reload()
    assert len(site.container.tokens.all_of(isla)) == 3


def test_a_game_with_a_bot_asks_for_neither_a_name_nor_a_clock_without_scripts(
    visit: Visit,
) -> None:
    page = visit("/games/new", java_script_enabled=False).page
    name, clock = (
        page.get_by_label("Your name"),
        page.get_by_role("group", name="How long for each turn?"),
    )
    expect(name).to_be_visible()
    expect(clock).to_be_visible()
    page.get_by_text("Or a bot").click()
    page.get_by_label("Piper (medium)").check()
    expect(name).to_be_hidden()
    expect(clock).to_be_hidden()
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Piper (bot)")


def test_a_day_near_scotland_is_asked_for_where_it_decides(site: Site, visit: Visit) -> None:
    page = visit("/games/new", site.player("Morag")).page
    page.get_by_text("More choices:").click()
    expect(page.get_by_label("Your last day near Scotland")).to_be_hidden()
    page.get_by_label("Who plays first?").select_option("scotland")
    expect(page.get_by_label("Your last day near Scotland")).to_be_visible()


def test_a_new_game_of_the_usual_kind_is_made_without_scrolling(site: Site, visit: Visit) -> None:
    iona, rory = site.player("Iona"), site.player("Rory")
    ways = (
        ("/games/new", None, "Create the game"),
        (f"/games/new?player={rory}", iona, "Send the challenge"),
    )
    for path, player, name in ways:
        page = visit(path, player, viewport={"width": 1280, "height": 800}).page
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def test_the_link_to_a_game_is_named_by_whose_turn_it_is_and_by_its_clock(
    site: Site, visit: Visit
) -> None:
    ann, ben = site.player("Morven"), site.player("Hamish")
    games = site.container.games
    for days in (3, 7):
        game = site.game(ben, ann, clock={"days_per_move": days})
        games.play(game, ben, [games.view(games.load(game), ben).legal[0]])
        site.game(ben, ann, clock={"days_per_move": days})
    page = visit("/", ann).page
    for days in (3, 7):
        mine = re.compile(rf"^It is your turn against Hamish.* played .*[.!] {days} days left$")
        expect(page.get_by_role("link", name=mine)).to_have_count(1)
        theirs = re.compile(rf"^Waiting for Hamish.*, {days} days left$")
        expect(page.get_by_role("link", name=theirs)).to_have_count(1)


def test_a_phone_shows_the_first_game_at_the_top(site: Site, visit: Visit) -> None:
    mairi, other = site.player("Mairi"), site.player("Rob")
    site.game(mairi, other)
    page = visit("/", mairi, viewport={"width": 375, "height": 812}).page
    # In one go: the list is replaced when something moves.
    top = "document.querySelector('.game-entry').getBoundingClientRect().top"
    assert page.evaluate(top) < 812 / 4


def test_the_same_country_lies_behind_every_page_off_the_table(site: Site, visit: Visit) -> None:
    page = visit("/", site.player("Mairi")).page
    colours = set()
    for path in ("/", "/lobby", "/daily", "/account", "/help/mail", "/docs", "/replay", "/judge"):
        page.goto(path)
        expect(page.locator(".country")).to_be_visible()
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundImage"))
    assert len(colours) == 1
    assert "gradient" in colours.pop()


def test_a_guest_s_ways_to_find_an_opponent_are_in_one_row_and_the_form_is_in_sight(
    visit: Visit,
) -> None:
    page = visit("/", viewport={"width": 1280, "height": 800}).page
    page.get_by_role("button", name="Play a bot").click()
    expect(page.locator(".board")).to_be_visible()
    page.goto("/games/new")
    ways = page.locator(".whom > .choice-with")
    expect(ways).to_have_count(3)
    assert len({bounds(way)["y"] for way in ways.all()}) == 1
    for part in (page.get_by_label("Your name"), page.get_by_role("button", name="Create")):
        expect(part).to_be_in_viewport(ratio=1)


def test_the_other_ways_stay_near_their_place_beside_the_fields_for_an_address(
    site: Site, visit: Visit
) -> None:
    page = visit("/games/new", site.player("Isla"), viewport={"width": 1280, "height": 800}).page
    others = page.locator(".others > summary")
    before = bounds(others)
    page.get_by_role("radio", name="A friend, by e-mail").check()
    assert abs(bounds(others)["y"] - before["y"]) <= 40


def test_the_choices_that_were_folded_away_are_gone_to_as_they_open(
    site: Site, visit: Visit
) -> None:
    page = visit("/games/new", site.player("Isla")).page
    page.locator(".others > summary").press("Enter")
    expect(page.get_by_role("radio", name="A player by name")).to_be_focused()
    expect(page.get_by_role("radio", name="A friend, by a link")).to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[name=whom][value=random]")).to_be_checked()


def test_no_arrow_of_a_disclosure_is_read_out(site: Site, visit: Visit) -> None:
    page = visit("/account", site.player("Isla")).page
    arrows = "summary => getComputedStyle(summary, '::before').content"
    folds = page.locator(".fold > summary")
    assert folds.evaluate_all(f"all => new Set(all.map({arrows})).size") == 1
    assert folds.first.evaluate(arrows) == '"›" / ""'


def test_a_game_for_anybody_cannot_be_private(site: Site, visit: Visit) -> None:
    page = visit("/games/new", site.player("Ann")).page
    private = page.get_by_role("checkbox", name="Only the two of us can see it")
    private.check()
    page.get_by_role("radio", name="Anybody").check()
    expect(private).to_be_disabled()
    expect(private).not_to_be_checked()
    page.get_by_role("radio", name="A friend, by a link").check()
    expect(private).to_be_enabled()


@pytest.mark.parametrize(("width", "rows"), [(1280, 1), (375, 2)])
def test_the_foot_of_a_table_has_few_rows(site: Site, visit: Visit, width: int, rows: int) -> None:
    table, viewport = Table(site), {"width": width, "height": 800}
    parts = visit(table.path, table.mover, viewport=viewport).page.locator(".foot p > *")
    tops = parts.evaluate_all("parts => parts.map(part => part.getBoundingClientRect().top)")
    assert len({*map(round, tops)}) == rows
