"""Two people at one board: whether the other is here or writes appears by itself."""

from playwright.sync_api import Page, expect

from service.core.redis.batch import execute
from service.games import NewGame
from tests.support.browser import Visit
from tests.support.site import Site
from tests.web.browser.table import HIDE, Table, turn_to


def shows(page: Page, words: str) -> None:
    expect(page.locator("#presence")).to_have_text(words)


def test_a_page_shows_that_the_other_comes_writes_and_goes(site: Site, visit: Visit) -> None:
    table = Table(site)
    ann = visit(table.path, table.people["north"]).page
    shows(ann, "")  # who has registered and never came is not here

    bob = visit(table.path, table.people["south"]).page
    shows(bob, "here now")
    bob.evaluate(HIDE, True)
    shows(ann, "here a moment ago")
    bob.evaluate(HIDE, False)
    shows(ann, "here now")
    turn_to(bob, "Talk")
    bob.get_by_label("Your message").fill("Well played!")
    shows(ann, "is writing to you…")
    bob.get_by_role("button", name="Send message").click()
    shows(ann, "here now")
    bob.evaluate("delete document.hidden")  # as it really is
    with bob.expect_response(lambda answer: "here" in (answer.request.post_data or "")):
        bob.goto(f"{table.path}/orders")
    shows(ann, "here now")
    bob.goto("/rules")
    shows(ann, "online")
    bob.goto("/")
    shows(ann, "online")
    bob.evaluate(HIDE, True)
    shows(ann, "here a moment ago")


def test_for_a_day_after_the_game_they_still_see_each_other(site: Site, visit: Visit) -> None:
    table = Table(site)
    site.container.games.resign(table.id, table.people["north"])
    ann, bob = (visit(table.path, player).page for player in table.people.values())
    turn_to(bob, "Talk")
    bob.get_by_label("Your message").fill("Well played!")
    shows(ann, "is writing to you…")
    bob.goto("/rules")
    shows(ann, "online")


def test_the_players_page_shows_it_too(site: Site, visit: Visit) -> None:
    table = Table(site)
    visit(table.path, table.people["south"])
    page = visit(f"/players/{table.people['south']}", table.people["north"]).page
    expect(page.locator("#here")).to_have_text("here now")


def test_who_hides_it_says_to_the_server_alone_that_the_page_is_in_sight(
    site: Site, visit: Visit
) -> None:
    table = Table(site)
    ann, bob = table.people["north"], table.people["south"]
    site.container.presences.choose(bob, "never")
    page = visit("about:blank", bob).page
    with page.expect_response(lambda answer: answer.url.endswith("/page-sign")):
        page.goto(table.path)
    signs, redis = site.container.page_signs, site.container.redis
    assert execute(redis, signs.sight_query(table.id, bob)).is_open
    assert execute(redis, signs.query(table.id, bob)) is None
    shows(visit(table.path, ann).page, "")


def test_the_list_of_games_says_that_it_is_in_sight(site: Site, visit: Visit) -> None:
    bob = Table(site).people["south"]
    page = visit("about:blank", bob).page
    with page.expect_response(lambda answer: answer.url.endswith("/games/page-sign")) as sign:
        page.goto("/")
    assert sign.value.status == 204
    query = site.container.page_signs.sight_query("", bob)
    assert execute(site.container.redis, query).place == "list"


def test_a_page_against_a_bot_says_that_it_is_in_sight_so_no_mail_is_needed(
    site: Site, visit: Visit
) -> None:
    zoe = site.player("Zoe")
    game = site.container.games.create(zoe, NewGame(bot="shepherd", first_player="creator")).id
    page = visit("about:blank", zoe).page
    with page.expect_response(lambda answer: answer.url.endswith("/page-sign")):
        page.goto(f"/games/{game}")
    query = site.container.page_signs.sight_query(game, zoe)
    assert execute(site.container.redis, query).is_open
