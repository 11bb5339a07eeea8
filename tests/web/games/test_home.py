"""The front page: for a stranger, and with all that concerns a player."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts.email_addresses import AddressVerification
from service.container import Container
from service.core.redis.client import Client
from service.games import ChangeContext, NewGame
from service.server.app import create_app
from tests.support.application import Server
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.people import Browser, browser_of, dump

DAY = 24 * 60 * 60


@pytest.fixture
def ann(app: Flask, container: Container) -> Browser:
    return browser_of(app, container, "Ann")


def play(container: Container, one: Browser, other: Browser, **options: object) -> str:
    """The id of a game between the two that `one` begins."""
    wanted = NewGame(first_player="creator", opponent=other.player, **options)  # type: ignore[arg-type]
    made = container.games.create(one.player, wanted)
    container.games.join(made.id, other.player)
    return made.id


def turn(container: Container, game_id: str, by: Browser, stone: int = 1) -> None:
    """Any card goes to this Stone."""
    legal = container.games.view(container.games.load(game_id), by.player).legal
    text = next(text for text in legal if text.endswith(f"@{stone}"))
    container.games.play(game_id, by.player, [text])


class TestStranger:
    def test_it_says_what_this_is_and_leads_everywhere(self, client: FlaskClient) -> None:
        page = client.get("/").text
        assert (
            "Nine stones. <span>Fifty-four\u00a0cards.</span> <span>One\u00a0move a\u00a0day."
            in page
        )
        assert re.search(r"<button[^>]*>Play a bot</button>", page)
        for path in ("/games/new", "/lobby", "/sign-in", "/rules", "/docs"):
            assert f'href="{path}"' in page

    def test_a_session_that_is_over_shows_the_same(self, client: FlaskClient) -> None:
        client.set_cookie("scottenbury_session", "scos_nothing")
        assert "Play a bot" in client.get("/").text


class TestGames:
    def test_after_a_game_with_a_friend_their_rematch_comes_first(
        self, app: Flask, container: Container, ann: Browser
    ) -> None:
        bob = browser_of(app, container, "Bob")
        game = play(container, ann, bob)
        container.games.resign(game, bob.player)
        assert ">Rematch with Bob</button>" in ann.get("/")
        friend = container.players.find(bob.player)
        assert friend is not None
        container.accounts.close(friend)
        assert "Rematch with" not in ann.get("/")

    def test_their_address_leads_to_them_or_to_sign_in(
        self, client: FlaskClient, ann: Browser
    ) -> None:
        assert client.get("/games").location == "/sign-in?why=needed&next=/games"
        assert ann.client.get("/games").location == "/"

    def test_a_new_player_is_told_how_to_begin(self, ann: Browser) -> None:
        page = ann.get("/")
        assert "You have no games yet." in page
        assert "Play the Shepherd (easy)" in page

    def test_who_has_played_finds_all_ways_on(self, container: Container, ann: Browser) -> None:
        made = ann.press("/", "/play-the-steward", level="hard").location
        assert made is not None
        container.games.resign(made.removeprefix("/games/"), ann.player)
        page = ann.get("/")
        for path in ("/daily", "/puzzles", "/learn/1", "/games/new", "/games/new?whom=shepherd"):
            assert f'href="{path}"' in page.partition("<main")[2].partition("</main")[0], path

    def test_whoever_could_not_sign_in_again_is_told_so(self, server: Server, ann: Browser) -> None:
        assert "You\N{RIGHT SINGLE QUOTATION MARK}re signed in only on this browser" in ann.get("/")
        cat = browser_of(server.app, server.container, "Cat", "cat@example.org")
        assert "You\N{RIGHT SINGLE QUOTATION MARK}re signed in only" not in cat.get("/")

    def test_an_address_that_is_not_confirmed_is_called_to_mind(
        self, container: Container, redis: Client, clock: Clock
    ) -> None:
        app = create_app(settings(smtp_url="smtp://mail"), redis, clock)
        cat = browser_of(app, container, "Cat", "cat@example.org")
        words = "open the link in the mail to cat@example.org"
        assert words in cat.get("/")
        assert container.players.verify(AddressVerification(cat.player, "cat@example.org", 0))
        assert words not in cat.get("/")

    def test_my_turns_come_first_sorted_by_the_time_left(
        self, app: Flask, container: Container, ann: Browser, clock: Clock
    ) -> None:
        others = [
            browser_of(app, container, name) for name in ("Slow", "Quick", "Endless", "Later")
        ]
        for other, days in zip(others, (7, 1, None, 3), strict=True):
            play(container, ann, other, clock=days and {"days_per_move": days})
            clock.time += 60
        page = ann.get("/")
        assert re.findall(r'class="who"><svg.*?</svg>(\w+)', page) == [
            "Quick",
            "Later",
            "Slow",
            "Endless",
        ]
        assert "Your turn" in page
        assert "<title>(4) Your games" in page
        for words in ("23 h 57 min left", "3 days left", "7 days left", "no time limit"):
            assert words in page

    def test_a_row_says_what_is_unusual_about_its_game(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        play(container, ann, bob)
        assert "no time limit</span>" in ann.get("/")
        play(container, ann, bob, tactics=True, edition="bga", rounds=3)
        shown = "Rules of Board Game Arena · with Tactic cards · round 1 of 3</span>"
        assert f"no time limit · {shown}" in ann.get("/")

    def test_a_clock_that_is_paused_is_no_game_without_a_limit(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = play(container, ann, bob, clock={"days_per_move": 3})
        for player in (ann, bob):
            container.games.pauses.agree(game, player.player, None, ChangeContext())
        for player in (ann, bob):
            page = player.get("/")
            assert ["3 days left · paused" in page, "no time limit" in page] == [True, False]

    def test_every_page_tells_how_many_games_wait(
        self, client: FlaskClient, container: Container, ann: Browser, bob: Browser
    ) -> None:
        first, second = play(container, ann, bob), play(container, ann, bob)
        paths = [
            "/rules",
            "/lobby",
            "/account",
            "/help/mail",
            "/games/new",
            f"/games/{first}",
            f"/games/{second}",
        ]
        for path in paths:
            told = [
                re.findall(r'<title>\(2\) |data-waiting="2"', page)
                for page in (ann.get(path), bob.get(path))
            ]
            assert told == [["<title>(2) ", 'data-waiting="2"'], []], path
            assert "stone-dot.svg" not in client.get(path).text
        assert "<title>(2) Not found" in ann.client.get("/games/none").text
        turn(container, first, ann)
        assert "<title>(1) " in ann.get("/rules")
        assert "<title>(1) Your turn" in bob.get(f"/games/{first}")

    def test_a_challenge_and_an_invitation_wait_too(
        self, app: Flask, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game, cat = play(container, ann, bob), browser_of(app, container, "Cat")
        turn(container, game, ann)
        challenge = container.games.challenges.make(bob.player, ann.player, NewGame()).id
        container.games.create(cat.player, NewGame(opponent=ann.player))
        mark = '<b id="menu-count" class="new-mark" role="img" aria-label="2 waiting">2</b>'
        for path in ("/", "/rules", "/help", "/account", "/lobby", "/games/list"):
            assert mark in ann.get(path), path
            assert "<title>(2) " in ann.get(path), path
        assert mark in ann.get(f"/games/{game}")
        for path in ("/rules", "/"):
            assert mark.replace("2", "1") in bob.get(path)
        container.games.challenges.withdraw(challenge, bob.player)
        assert "<title>(1) " in ann.get("/rules")

    def test_the_title_of_another_s_turn_counts_the_other_games(
        self, ann: Browser, bob: Browser
    ) -> None:
        first, _ = play(bob.container, ann, bob), play(bob.container, ann, bob)
        turn(bob.container, first, ann)
        for path in (f"/games/{first}", f"/games/{first}/orders"):
            page = ann.get(path)
            assert "<title>(1) " in page
            assert 'data-waiting="1" data-turns="1"' in page

    def test_it_tells_in_one_sentence_what_the_other_did(self, ann: Browser, bob: Browser) -> None:
        game = play(bob.container, ann, bob)
        assert "You got the first turn." in ann.get("/")
        turn(bob.container, game, ann)
        assert "Waiting for Bob" in ann.get("/")
        turn(bob.container, game, bob, stone=2)
        assert re.search(
            r"Bob played [A-Za-z ]+\d on Stone\s2\.", re.sub("<[^>]+>", "", ann.get("/"))
        )
        assert "Ann" not in ann.get("/games/list")

    def test_it_tells_nothing_that_is_hidden(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = play(container, ann, bob)
        turn(container, game, ann)
        turn(container, game, bob)
        drawn = container.games.history.lines(container.games.load(game), bob.player)[-2]["private"]
        assert drawn is not None
        assert "drew" not in ann.get("/")

    def test_the_list_stands_alone_too(self, ann: Browser, bob: Browser) -> None:
        play(bob.container, ann, bob)
        fragment = ann.get("/games/list")
        assert "<html" not in fragment
        assert "Bob" in fragment
        assert 'id="games"' in ann.get("/")

    def test_the_list_of_nobody_says_so(self, client: FlaskClient) -> None:
        answer = client.get("/games/list")
        assert answer.status_code == 401
        assert "not signed in any more" in answer.text

    def test_finished_games_have_their_result_and_a_way_to_the_replay(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = play(container, ann, bob)
        container.games.resign(game, ann.player)
        assert "Bob won: you resigned." in ann.get("/")
        assert "You won: Ann resigned." in bob.get("/")
        for path in ("/", "/games/finished"):
            assert f'href="/games/{game}"' in ann.get(path)

    def test_finished_games_come_in_pages(self, ann: Browser, bob: Browser) -> None:
        for _ in range(21):
            bob.container.games.resign(play(bob.container, ann, bob), ann.player)
        first = ann.get("/games/finished")
        older = re.search(r'href="(/games/finished\?after=[^"]+)"', first)
        assert older is not None
        assert first.count("Bob won") + ann.get(older[1]).count("Bob won") == 21
        assert ann.client.get("/games/finished?after=x").status_code == 404

    def test_a_look_changes_nothing(self, container: Container, ann: Browser, bob: Browser) -> None:
        play(container, ann, bob)
        ann.get("/")
        before = dump(container.redis)
        for path in (
            "/",
            "/games/list",
            "/games/finished",
            "/lobby",
            "/games/new",
            f"/players/{bob.player}",
        ):
            ann.get(path)
            ann.client.head(path)
        assert dump(container.redis) == before


class TestOffers:
    def test_whoever_made_an_offer_reads_that_it_was_declined_until_their_next_turn(
        self, container: Container, ann: Browser, bob: Browser, clock: Clock
    ) -> None:
        game = play(container, ann, bob, clock={"days_per_move": 3})
        clock.time += 60
        container.games.pauses.agree(game, ann.player, None, ChangeContext())
        container.games.abandonments.agree(game, bob.player, ChangeContext())
        clock.time += 60
        container.games.pauses.withdraw(game, bob.player)
        container.games.abandonments.withdraw(game, ann.player)
        said = ("Bob declined the pause", "Ann declined to end the game")
        for page in ("/", f"/games/{game}"):
            for player, own in ((ann, said[0]), (bob, said[1])):
                shown = player.get(page)
                assert [words in shown for words in said] == [words == own for words in said]
        turn(container, game, ann)
        for page in ("/", f"/games/{game}"):
            assert said[0] not in ann.get(page)
            assert said[1] in bob.get(page)
        clock.time += 60
        turn(container, game, bob, 2)
        for page in ("/", f"/games/{game}"):
            assert said[1] not in bob.get(page)

    def test_an_offer_that_was_withdrawn_is_not_declined(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = play(container, ann, bob, clock={"days_per_move": 3})
        container.games.pauses.agree(game, ann.player, None, ChangeContext())
        container.games.pauses.withdraw(game, ann.player)
        assert "declined" not in ann.get("/")

    def test_whoever_asked_for_a_rematch_reads_that_it_was_declined(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = play(container, ann, bob)
        container.games.resign(game, bob.player)
        rematch = container.games.rematches.ask(game, ann.player)
        assert "declined" not in ann.get("/")
        container.games.call_off(rematch.id, bob.player)
        for page in ("/", f"/games/{game}"):
            assert "Bob declined the rematch" in ann.get(page)
            assert "declined the rematch" not in bob.get(page)

    def test_a_row_says_what_the_other_player_offers(self, ann: Browser, bob: Browser) -> None:
        wanted = NewGame(opponent=bob.player, clock={"days_per_move": 3})
        game = bob.container.games.create(ann.player, wanted)
        bob.container.games.join(game.id, bob.player)
        bob.container.games.pauses.agree(game.id, bob.player, None, ChangeContext())
        bob.container.games.abandonments.agree(game.id, bob.player, ChangeContext())
        assert "Bob offers a pause" in ann.get("/")
        assert "Bob offers to end the game" in ann.get("/")
        assert "offers" not in bob.get("/")

    def test_a_rematch_is_called_one(self, ann: Browser, bob: Browser) -> None:
        game = bob.container.games.create(ann.player, NewGame(opponent=bob.player))
        bob.container.games.join(game.id, bob.player)
        bob.container.games.resign(game.id, ann.player)
        bob.container.games.rematches.ask(game.id, bob.player)
        page = ann.get("/")
        assert "asks for a rematch. Unrated" in " ".join(page.split())
        assert 'aria-label="Accept: Bob"' in page


class TestInvitations:
    def test_an_invitation_is_accepted(self, ann: Browser, bob: Browser) -> None:
        game = bob.container.games.create(ann.player, NewGame(opponent=bob.player, tactics=True)).id
        page = bob.get("/")
        assert "invites you. With Tactic cards, unrated, no time limit" in " ".join(page.split())
        assert "For Bob" in ann.get("/")
        assert bob.press("/", f"/invitations/{game}/accept").location == f"/games/{game}"
        assert bob.container.games.load(game).game.status == "active"

    def test_a_second_press_finds_the_same_game(self, ann: Browser, bob: Browser) -> None:
        game = bob.container.games.create(ann.player, NewGame(opponent=bob.player)).id
        fields = dict(
            re.findall(r'name="(form|once)" value="([^"]+)"', bob.get("/"))[:3]
        )  # the list has one of its own
        for _ in range(2):
            answer = bob.client.post(f"/invitations/{game}/accept", data=fields)
            assert answer.location == f"/games/{game}"

    def test_an_invitation_is_declined_or_called_off(self, ann: Browser, bob: Browser) -> None:
        for browser in (ann, bob):
            game = bob.container.games.create(ann.player, NewGame(opponent=bob.player)).id
            assert browser.press("/", f"/invitations/{game}/end").location == "/"
            assert bob.container.games.load(game).game.status == "aborted"

    def test_nobody_else_can(self, server: Server, ann: Browser, bob: Browser) -> None:
        game = server.container.games.create(ann.player, NewGame(opponent=bob.player)).id
        eve = browser_of(server.app, server.container, "Eve")
        form = dict(re.findall(r'name="(form|once)" value="([^"]+)"', eve.get("/games/new"))[:2])
        for act in ("accept", "end"):
            assert eve.client.post(f"/invitations/{game}/{act}", data=form).status_code == 403
        assert server.container.games.load(game).game.status == "open"

    def test_the_link_of_an_open_game_is_there_to_copy_for_its_maker_alone(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(opponent_email="cat@example.org"))
        url = container.games.invitations.url(game.id)
        assert f'value="{url}"' in ann.get("/")
        assert "For somebody invited by mail" in ann.get("/")
        assert url not in bob.get("/")


def test_a_name_is_never_html(app: Flask, container: Container, ann: Browser) -> None:
    nasty = browser_of(app, container, "<b>\"'&")
    play(container, ann, nasty)
    container.games.create(nasty.player, NewGame(opponent=ann.player))
    container.games.create(nasty.player, NewGame(listed=True))
    container.games.challenges.make(
        browser_of(app, container, "<i>x").player, ann.player, NewGame()
    )
    for path in (
        "/",
        "/games/list",
        "/lobby",
        f"/players/{nasty.player}",
        f"/games/new?player={nasty.player}",
    ):
        page = ann.get(path)
        assert '<b>"' not in page
        assert "<i>x" not in page
        assert "&lt;b&gt;&#34;&#39;&amp;" in page
