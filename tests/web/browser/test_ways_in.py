"""The ways in, as newcomers see them: the front page, an invitation, a first game, the app."""

from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from service.games import NewGame
from service.web.games.showcase import STILL, beats
from tests.support.browser import Visit, at_rest, bounds, first_view
from tests.support.site import Site
from tests.support.waiting import until
from tests.web.browser.checks import PHONE, faults
from tests.web.browser.table import Table, says

WATCH: Final = """
window.shifts = 0;
new PerformanceObserver(list => {
  for (const shift of list.getEntries()) window.shifts += shift.value;
}).observe({type: "layout-shift", buffered: true});
"""
UNSEEN: Final = 0.005
"""A shift of the layout that nobody sees: a card of a pile, while the page is being read."""
LAPTOP: Final = {"width": 1366, "height": 768}
MOST: Final = 90_000
"""Bytes of the front page with all that it needs."""


def cards(page: Page) -> int:
    return page.locator(".moor .card").count()


def where(page: Page) -> list[object]:
    """What must not move while a panel of the page is answered, and its address."""
    return [page.url, page.evaluate("scrollY"), bounds(page.locator(".board"))]


class TestFrontPage:
    def test_its_board_plays_until_it_is_paused(self, visit: Visit) -> None:
        page = visit("about:blank", is_own=True).page
        page.clock.install()
        page.goto("/")
        expect(page.get_by_role("button", name="Pause")).to_be_enabled()
        before, played = cards(page), [beat.card for beat in beats()[STILL : STILL + 4]]
        page.clock.run_for(4 * 1300 + 100)
        after = before + len(list(filter(None, played)))
        assert cards(page) == after > before
        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(5000)
        assert cards(page) == after
        page.get_by_role("button", name="Watch").click()
        page.clock.run_for(60_000)
        assert 0 < cards(page) < before  # it has ended and begun again

    def test_it_keeps_still_where_motion_is_not_wanted(self, visit: Visit) -> None:
        page = visit("about:blank", reduced_motion="reduce").page
        page.clock.install()
        page.goto("/")
        expect(page.get_by_role("button", name="Watch")).to_be_enabled()
        before = cards(page)
        page.clock.run_for(5000)
        assert cards(page) == before

    def test_without_scripts_it_is_a_picture(self, visit: Visit) -> None:
        page = visit("/", java_script_enabled=False).page
        assert cards(page) > 20
        expect(page.locator("[data-pause]")).to_be_hidden()
        expect(page.get_by_role("button", name="Play a bot")).to_be_visible()

    @pytest.mark.parametrize("viewport", [PHONE, LAPTOP])
    def test_all_that_counts_is_seen_at_first_and_nothing_moves(
        self, visit: Visit, viewport: dict[str, int]
    ) -> None:
        page = visit("about:blank", viewport=viewport).page
        page.add_init_script(WATCH)
        page.goto("/", wait_until="networkidle")
        for seen in ("Play a bot", "Pause"):
            box = bounds(page.get_by_role("button", name=seen))
            assert box["y"] + box["height"] <= viewport["height"]
        assert page.evaluate("shifts") < UNSEEN

    def test_it_is_light(self, visit: Visit) -> None:
        sizes = first_view(visit("about:blank", is_own=True).page, "/")
        assert 40_000 < sum(sizes.values()) <= MOST


class TestInvitation:
    def test_its_button_is_seen_at_first_and_it_is_one_for_everybody(
        self, site: Site, visit: Visit
    ) -> None:
        made = site.container.games.create(site.player("Ada"), NewGame(tactics=True))
        path = site.container.games.invitations.url(made.id).removeprefix(site.url)
        page = visit("about:blank", viewport=PHONE).page
        page.add_init_script(WATCH)
        page.goto(path, wait_until="networkidle")
        box = bounds(page.get_by_role("button", name="Join"))
        assert box["y"] + box["height"] <= PHONE["height"]
        assert page.evaluate("shifts") < UNSEEN
        assert list(faults(page)) == []

    def test_who_waits_sees_the_game_begin(self, site: Site, visit: Visit) -> None:
        ada = site.player("Ada")
        made = site.container.games.create(ada, NewGame(first_player="creator"))
        page = visit(f"/games/{made.id}", ada).page
        expect(page.get_by_role("heading", level=1)).to_have_text("Your game is ready")
        invite = site.container.games.invitations.token(made.id)
        site.container.games.join(made.id, site.player("Bo"), invite=invite)
        expect(page.get_by_role("group", name="Your hand")).to_be_visible()

    def test_who_looks_at_it_sees_it_called_off(self, site: Site, visit: Visit) -> None:
        ada = site.player("Ada")
        made = site.container.games.create(ada, NewGame())
        path = site.container.games.invitations.url(made.id).removeprefix(site.url)
        page = visit(path, viewport=PHONE).page
        expect(page.get_by_role("button", name="Join")).to_be_visible()
        page.wait_for_load_state("networkidle")
        site.container.games.call_off(made.id, ada)
        expect(page.get_by_role("heading", level=1)).to_have_text("Game cancelled")
        expect(page.get_by_role("status")).to_contain_text("called this game off.")
        assert list(faults(page)) == []

    def test_who_joins_gets_the_answer_though_the_page_hears_of_it_first(
        self, site: Site, visit: Visit
    ) -> None:
        made = site.container.games.create(site.player("Ada"), NewGame())
        path = site.container.games.invitations.url(made.id).removeprefix(site.url)
        page = visit(path).page
        held: list[Route] = []
        page.route("**/seat", lambda route: held.append(route))
        page.get_by_label("Your name").fill(site.free_name("Cleo"))
        with page.expect_request("**/seat") as joining:
            page.get_by_role("button", name="Join").click(no_wait_after=True)
        with page.expect_response(lambda answer: f"/games/{made.id}?version=" in answer.url):
            answer = page.request.fetch(joining.value, max_redirects=0)
        # The page has seen that the game has begun; only now the answer arrives.
        (route,) = held
        route.fulfill(response=answer)
        expect(page).to_have_url(f"{site.url}/games/{made.id}")
        expect(page.get_by_role("group", name="Your hand")).to_be_visible()


class TestFirstGame:
    @pytest.mark.parametrize("viewport", [PHONE, LAPTOP])
    def test_its_hints_move_nothing_and_cover_nothing(
        self, site: Site, visit: Visit, viewport: dict[str, int]
    ) -> None:
        player = site.player("Zoe")
        wanted = NewGame(opponent=site.player("Bo"), first_player="creator")
        game = site.container.games.create(player, wanted).id
        site.container.games.join(game, site.container.games.load(game).invited)
        page = visit(f"/games/{game}", player, viewport=viewport).page
        hand, hint = page.get_by_role("group", name="Your hand"), page.locator(".coach")
        places = []
        for words, pressed in (
            ("1 of 3", hand.get_by_role("button").first),
            ("2 of 3", page.get_by_role("button", name="Play on Stone 4")),
            ("3 of 3", page.get_by_role("button", name="Send")),
        ):
            expect(hint).to_contain_text(words)
            at_rest(page)
            places.append([bounds(hand)["y"], bounds(page.locator(".board"))["y"]])
            if viewport is PHONE:
                assert list(faults(page)) == []
                table = bounds(page.locator(".table"))
                assert bounds(hint)["y"] >= table["y"] + table["height"]
            pressed.click()
        assert places[0] == places[1] == places[2]
        expect(page.get_by_role("heading", name="Turn alerts")).to_be_visible()
        if viewport is PHONE:
            assert list(faults(page)) == []
        page.evaluate("window.same = true")
        page.locator("#telling summary").click()
        page.get_by_label("Your e-mail address").fill("zoe@home")
        page.get_by_role("button", name="Mail me").click()
        expect(page.get_by_role("alert")).to_contain_text("Give a whole e-mail address")
        assert page.evaluate("window.same")  # its module came with the question

    @pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
    def test_the_answer_to_how_to_be_told_stands_where_the_question_stood(
        self, site: Site, visit: Visit, viewport: dict[str, int]
    ) -> None:
        game = site.game(site.player("Bo"), zoe := site.player("Zoe"))
        page = visit(f"/games/{game}", zoe, viewport=viewport).page
        page.evaluate("scrollTo(0, 60)")
        page.locator("#telling summary").click()
        address = page.get_by_label("Your e-mail address")
        address.fill("zoe@home")
        mail = page.get_by_role("button", name="Mail me")
        mail.click()
        expect(page.get_by_role("alert")).to_contain_text("Give a whole e-mail address")
        expect(address).to_be_focused()
        expect(address).to_have_value("zoe@home")
        address.fill("zoe@example.org")
        before = where(page)
        mail.click()
        answer = page.locator("#telling summary", has_text="Look into the mailbox here")
        expect(answer).to_be_focused()
        assert where(page) == before
        page.get_by_role("button", name="Hide this").click()
        expect(page.locator("#game")).to_be_focused()
        expect(page.locator("#telling")).to_be_empty()
        assert where(page) == before

    def test_on_a_phone_a_line_beside_the_first_turn_leads_to_alerts_once(
        self, site: Site, visit: Visit
    ) -> None:
        table = Table(site)
        page = visit(table.path, table.people["north"], viewport=PHONE).page
        for_alerts = page.get_by_role("link", name="Choose an alert")
        at_rest(page)
        expect(for_alerts).to_have_count(0)
        table.play(f"{table.card()}@4")
        expect(for_alerts).to_be_in_viewport(ratio=1)
        for_alerts.click()
        expect(page.get_by_label("Your e-mail address")).to_be_in_viewport(ratio=1)
        for stone in (4, 5):
            table.play(f"{table.card()}@{stone}")
        says(page, "Waiting for")
        expect(for_alerts).to_have_count(0)

    def test_on_a_phone_nothing_leads_to_alerts_once_one_was_chosen(
        self, site: Site, visit: Visit
    ) -> None:
        table = Table(site)
        table.play(f"{table.card()}@4")
        page = visit(table.path, zoe := table.people["north"], viewport=PHONE).page
        for_alerts = page.get_by_role("link", name="Choose an alert")
        for_alerts.click()
        page.get_by_label("Your e-mail address").fill(f"{zoe}@example.org")
        page.get_by_role("button", name="Mail me").click()
        expect(page.get_by_role("link", name="Wrong address?")).to_be_visible()
        expect(for_alerts).to_have_count(0)

    def test_alerts_open_above_the_log_on_a_laptop(self, site: Site, visit: Visit) -> None:
        table, size = Table(site), {"width": 1280, "height": 800}
        page = visit(table.path, table.people["south"], viewport=size).page
        expect(page.get_by_role("link", name="Choose an alert")).to_be_hidden()
        at_rest(page)
        page.locator("#telling summary").click()
        expect(page.get_by_label("Your e-mail address")).to_be_visible()
        expect(page.locator("#story > .story")).to_be_in_viewport(ratio=1)

    def test_a_page_that_waits_for_an_address_hears_that_it_is_confirmed(
        self, site: Site, visit: Visit
    ) -> None:
        game = site.game(site.player("Bo"), zoe := site.player("Zoe"))
        page = visit(f"/games/{game}", zoe).page
        page.locator("#telling summary").click()
        page.get_by_label("Your e-mail address").fill("zoe@example.org")
        page.get_by_role("button", name="Mail me").click()
        expect(page.get_by_role("link", name="Wrong address?")).to_be_visible()
        container = site.container
        link = container.addresses.links.url(zoe, "zoe@example.org", int(container.now()))
        visit(link.removeprefix(container.settings.base_url), zoe)
        expect(page.locator("#telling")).to_be_empty()

    def test_an_iphone_is_told_to_add_it_to_the_home_screen(self, site: Site, visit: Visit) -> None:
        page = visit("about:blank", site.player("Isla"), viewport=PHONE).page
        page.add_init_script("delete window.PushManager; navigator.standalone = false;")
        page.goto("/account/channels")
        expect(page.get_by_text("Add to Home Screen first.")).to_be_visible()
        expect(page.get_by_role("button", name="Push to this browser")).to_be_hidden()
        assert list(faults(page)) == []


class TestApp:
    def test_it_can_be_installed(self, visit: Visit) -> None:
        page = visit("/").page
        devtools = page.context.new_cdp_session(page)
        assert devtools.send("Page.getAppManifest")["errors"] == []
        errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert {error["errorId"] for error in errors} <= {"in-incognito"}  # as all contexts here

    def test_its_icon_tells_how_many_games_wait(self, site: Site, visit: Visit) -> None:
        player, other = site.player("Isla"), site.player("Bo")
        site.game(player, other)
        page = visit("about:blank", player).page
        page.add_init_script(
            "window.badges = []; navigator.setAppBadge = async (count) => badges.push(count);"
        )
        page.goto("/rules")
        page.wait_for_function("badges.length")
        assert page.evaluate("badges") == [1]
        page.evaluate(
            "const icon = document.querySelector('link[rel=icon]'), next = icon.cloneNode();"
            "delete next.dataset.waiting; icon.replaceWith(next)"
        )  # as turn.js takes the head of the next page
        until(lambda: page.evaluate("badges") == [1, 0])


@pytest.mark.parametrize("height", [720, 800])
@pytest.mark.parametrize("astray", ["1?turn=Y3@5", "2?turn=G9@4"])
def test_a_lesson_is_seen_at_once(visit: Visit, height: int, astray: str) -> None:
    page = visit(f"/learn/{astray}", viewport={"width": 1280, "height": height}).page
    expect(page.locator(".table")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("group", name="Your hand")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
