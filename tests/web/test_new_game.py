"""A new game in three choices, the lobby, challenges, and players' pages."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine import EDITIONS
from service.container import Container
from service.games import NewGame
from service.ops.reindex import reindex_challenges
from service.text.game_terms import EDITION_WORDS
from tests.web.people import Browser, browser_of, hidden, press

PLAIN = {"edition": "iello", "days": "7", "rounds": "1", "first": "random"}


@pytest.fixture
def ann(app: Flask, container: Container) -> Browser:
    return browser_of(app, container, "Ann", "ann@example.org")


@pytest.fixture
def bob(app: Flask, container: Container) -> Browser:
    return browser_of(app, container, "Bob")


def make(browser: Browser, **choices: object) -> Any:
    return browser.press("/games/new", "/games/new", **{**PLAIN, **choices})


def made(container: Container, location: str | None) -> Any:
    assert location is not None
    return container.games.load(location.removeprefix("/games/"))


def test_every_edition_can_be_chosen_in_plain_words(ann: Browser) -> None:
    assert list(EDITION_WORDS) == list(EDITIONS)
    page = ann.get("/games/new")
    for words in EDITION_WORDS.values():
        assert words.title in page


class TestWhom:
    def test_a_friend_by_a_link(self, container: Container, ann: Browser) -> None:
        answer = make(
            ann, whom="link", edition="bga", days="3", tactics="on", rounds="3", private="on"
        )
        game = made(container, answer.location)
        view = container.games.view(game, ann.player)
        assert (view["status"], view["edition"], view["tactics"], view["rounds"]) == (
            "open",
            "bga",
            True,
            3,
        )
        assert view["clock"] == {"days_per_move": 3}
        assert view["private"]
        assert container.games.invitations.url(game.id) in ann.get("/")

    def test_the_steward(self, container: Container, ann: Browser) -> None:
        game = made(container, make(ann, whom="steward", days="").location)
        assert game.game.status == "active"

    def test_anybody(self, container: Container, ann: Browser, bob: Browser) -> None:
        game = made(container, make(ann, whom="lobby").location)
        assert "Modern rules, a week for each turn" in " ".join(bob.get("/lobby").split())
        assert bob.press("/lobby", f"/lobby/{game.id}/join").location == f"/games/{game.id}"

    def test_an_address(self, container: Container, ann: Browser) -> None:
        game = made(container, make(ann, whom="email", email="cat@example.org").location)
        assert container.games.invitations.address(game.id) == "cat@example.org"

    def test_a_player_by_name_is_challenged(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        location = make(ann, whom="name", name="bob").location
        assert location is not None
        assert "Challenge to Bob" in ann.get(location)
        assert "challenges you" in bob.get("/")
        assert "Challenge from Ann" in bob.get(location)

    def test_a_player_from_their_page(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        assert f'href="/games/new?player={bob.player}"' in ann.get(f"/players/{bob.player}")
        location = make(ann, whom="player", player=bob.player).location
        assert location is not None
        assert "Challenge to Bob" in ann.get(location)

    def test_a_second_press_makes_no_second_game(self, container: Container, ann: Browser) -> None:
        fields = {**hidden(ann.get("/games/new")), **PLAIN, "whom": "link"}
        one, other = (ann.client.post("/games/new", data=fields).location for _ in range(2))
        assert one == other
        changed = ann.client.post("/games/new", data={**fields, "days": "1"}).location
        assert changed != one


class TestRefusals:
    @pytest.mark.parametrize(
        ("choices", "field", "words"),
        [
            ({"edition": "scottentots", "tactics": "on"}, "tactics", "has no Tactic cards"),
            ({"edition": "scottentots", "expert": "on"}, "expert", "no Expert variant"),
            ({"edition": "none"}, "edition", "no edition"),
            ({"rounds": "0"}, "rounds", "1"),
            ({"rounds": "many"}, "rounds", "Not a valid integer"),
            ({"days": "91"}, "days", "1 to 90 days"),
            ({"days": "x"}, "days", "1 to 90 days"),
            ({"first": "nobody"}, "first", "Must be one of"),
            ({"visited": "2999-01-01"}, "visited", "still to come"),
            ({"whom": "lobby", "private": "on"}, "private", "cannot be private"),
            ({"whom": "somebody"}, "whom", "Choose one"),
            ({"whom": "name"}, "name", "Give the name"),
            ({"whom": "name", "name": "Nobody Here"}, "name", "no player of this name"),
            ({"whom": "name", "name": "Ann"}, "name", "against themselves"),
            ({"whom": "email", "email": "x"}, "email", "not a valid e-mail address"),
            ({"whom": "player", "player": "a" * 16}, "name", "no player with this id"),
        ],
    )
    def test_what_cannot_be_had_is_told_at_its_field(
        self, ann: Browser, choices: dict[str, str], field: str, words: str
    ) -> None:
        answer = make(ann, **{"whom": "link", **choices})
        assert answer.status_code == 422
        told = re.search(rf'id="{field}-wrong" role="alert">([^<]+)<', answer.text)
        assert told is not None, answer.text
        assert words in told[1]

    def test_what_was_chosen_stays_chosen(self, ann: Browser) -> None:
        page = make(
            ann, whom="email", email="x", edition="community", days="14", rounds="5", expert="on"
        ).text
        assert 'value="x"' in page
        for chosen in ('value="email" checked', 'value="community" checked', 'value="14" checked'):
            assert chosen in " ".join(page.split())
        assert 'value="5" selected' in page
        assert re.search(r"<details[^>]* open", page)

    def test_a_second_request_to_the_same_player_is_told(self, ann: Browser, bob: Browser) -> None:
        assert make(ann, whom="name", name="Bob").status_code == 303
        answer = make(ann, whom="name", name="Bob")
        assert "open challenge or invitation between you" in answer.text

    def test_another_site_makes_nothing(self, container: Container, ann: Browser) -> None:
        assert ann.client.post("/games/new", data={**PLAIN, "whom": "link"}).status_code == 403


class TestStrangers:
    def test_a_name_is_enough(self, container: Container, client: FlaskClient) -> None:
        fields = {**PLAIN, "whom": "link", "own_name": "Cat"}
        answer = press(client, "/games/new", "/games/new", **fields)
        game = made(container, answer.location)
        assert "You are" in client.get("/").text
        assert "Cat" in client.get("/").text
        assert container.players.names(game.players) == {game.players[0]: "Cat"}

    def test_two_presses_make_one_guest(self, container: Container, client: FlaskClient) -> None:
        page = client.get("/games/new").text
        fields = {**hidden(page), **PLAIN, "whom": "link", "own_name": "Cat"}
        cookies = client.get_cookie("scottenbury_form")
        assert cookies is not None
        twin = client.application.test_client()
        twin.set_cookie("scottenbury_form", cookies.value)
        one = client.post("/games/new", data=fields).location
        assert twin.post("/games/new", data=fields).location == one
        assert len(container.players.named("Cat")) == 1

    @pytest.mark.parametrize(
        "name", ["", "  ", "steward", "a@b.example", "x" * 41, "=?utf-8?b?x?="]
    )
    def test_what_is_no_name_is_told(self, client: FlaskClient, name: str) -> None:
        fields = {**PLAIN, "whom": "link", "own_name": name}
        answer = press(client, "/games/new", "/games/new", **fields)
        assert answer.status_code == 422
        assert 'id="own_name-wrong"' in answer.text

    def test_they_write_to_nobody(self, client: FlaskClient, bob: Browser) -> None:
        for choice in (
            {"whom": "name", "name": "Bob"},
            {"whom": "email", "email": "x@example.org"},
        ):
            fields = {**PLAIN, "own_name": "Cat", **choice}
            answer = press(client, "/games/new", "/games/new", **fields)
            assert answer.status_code == 422
            assert "Sign in first" in answer.text


class TestFreeSeat:
    def test_it_is_told_who_asks_for_what_game_and_where_the_rules_are(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        made = container.games.create(ann.player, NewGame(tactics=True, clock={"days_per_move": 3}))
        invite = container.games.invitations.token(made.id)
        page = " ".join(client.get(f"/games/{made.id}?invite={invite}").text.split())
        assert "Ann <small>v</small> nobody yet" in page
        assert (
            "Ann invites you to a game of Schotten Totten: Modern rules, with Tactic cards" in page
        )
        assert '<a href="/rules">The rules in short</a>' in page

    def test_the_maker_of_a_listed_game_is_told_that_anybody_can_come(
        self, container: Container, ann: Browser
    ) -> None:
        for listed in (True, False):
            made = container.games.create(ann.player, NewGame(listed=listed))
            page = ann.get(f"/games/{made.id}")
            assert ("The game stands in" in page, "The first to open it" in page) == (
                listed,
                not listed,
            )


class TestLobby:
    def test_an_empty_lobby_helps(self, client: FlaskClient) -> None:
        page = client.get("/lobby").text
        assert "Nobody waits here just now" in page
        assert 'href="/games/new?whom=lobby"' in page

    def test_a_stranger_takes_a_seat_by_a_name(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(listed=True)).id
        answer = press(client, "/lobby", f"/lobby/{game}/join", name="Cat")
        assert answer.location == f"/games/{game}"
        assert "Ann" in client.get("/").text

    def test_a_stranger_without_a_name_is_told(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(listed=True)).id
        answer = press(client, "/lobby", f"/lobby/{game}/join", name=" ")
        assert (answer.status_code, "Your name" in answer.text) == (422, True)

    def test_whoever_is_too_late_is_told_what_to_do(
        self, container: Container, ann: Browser, bob: Browser, client: FlaskClient
    ) -> None:
        game = container.games.create(ann.player, NewGame(listed=True)).id
        fields = hidden(client.get("/lobby").text)
        bob.press("/lobby", f"/lobby/{game}/join")
        answer = client.post(f"/lobby/{game}/join", data={**fields, "name": "Cat"})
        assert answer.status_code == 409
        assert "Somebody was quicker" in answer.text
        assert container.players.named("Cat") == []

    def test_a_game_that_is_not_in_it_cannot_be_taken(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(private=True)).id
        fields = hidden(bob.get("/games/new"))
        assert bob.client.post(f"/lobby/{game}/join", data=fields).status_code == 404
        game = container.games.create(ann.player, NewGame()).id
        assert bob.client.post(f"/lobby/{game}/join", data=fields).status_code == 403

    def test_my_own_game_can_be_called_off_there(self, container: Container, ann: Browser) -> None:
        game = container.games.create(ann.player, NewGame(listed=True)).id
        ann.press("/lobby", f"/invitations/{game}/end")
        assert container.games.load(game).game.status == "aborted"

    def test_it_comes_in_pages(self, app: Flask, container: Container, ann: Browser) -> None:
        for number in range(3):
            maker = browser_of(app, container, f"Maker {number}").player
            for _ in range(7):
                container.games.create(maker, NewGame(listed=True))
        first = ann.get("/lobby")
        older = re.search(r'href="(/lobby\?after=[^"]+)"', first)
        assert older is not None
        assert first.count("Take the seat<") + ann.get(older[1]).count("Take the seat<") == 21


class TestChallenges:
    @pytest.fixture
    def path(self, container: Container, ann: Browser, bob: Browser) -> str:
        challenge = container.games.challenges.make(
            ann.player, bob.player, NewGame(clock={"days_per_move": 5})
        )
        return f"/challenges/{challenge.id}"

    def test_it_is_accepted(self, container: Container, bob: Browser, path: str) -> None:
        for page in ("/", "/lobby", path):
            assert f'action="{path}/accept"' in bob.get(page)
        game = bob.press("/", f"{path}/accept").location
        assert game == path.replace("challenges", "games")
        assert "It was accepted" in bob.get(path)

    def test_it_is_declined(self, ann: Browser, bob: Browser, path: str) -> None:
        assert bob.press(path, f"{path}/decline").location == "/"
        assert "Bob declined" in ann.get(path)
        assert "You declined" in bob.get(path)

    def test_a_declined_one_stays_on_the_list_until_it_is_noticed(
        self, ann: Browser, bob: Browser, path: str
    ) -> None:
        bob.press(path, f"{path}/decline")
        told = " ".join(ann.get("/").split())
        assert f'<a href="{path}"><b class="who">Bob</b></a> declined your challenge:' in told
        assert "Declined" not in bob.get("/")
        assert ann.press("/", f"{path}/notice").location == "/"
        assert "Declined" not in ann.get("/")
        assert "Bob declined" in ann.get(path)

    def test_only_one_that_was_declined_is_noticed(
        self, app: Flask, container: Container, ann: Browser, bob: Browser, path: str
    ) -> None:
        fields = hidden(ann.get("/"))
        assert ann.client.post(f"{path}/notice", data=fields).status_code == 303
        assert f"{path}/withdraw" in ann.get("/")
        eve = browser_of(app, container, "Eve")
        fields = hidden(eve.get("/"))
        assert eve.client.post(f"{path}/notice", data=fields).status_code == 404

    def test_a_declined_one_is_found_again_after_a_restore(
        self, container: Container, ann: Browser, bob: Browser, path: str
    ) -> None:
        bob.press(path, f"{path}/decline")
        container.redis.delete(f"st:{{{ann.player}}}:declined")
        assert "Declined" not in ann.get("/")
        assert reindex_challenges(container) == 0
        assert "Declined" in ann.get("/")
        player = container.players.find(ann.player)
        assert player is not None
        container.accounts.close(player)
        assert not container.redis.exists(f"st:{{{ann.player}}}:declined")

    def test_it_is_taken_back(self, ann: Browser, bob: Browser, path: str) -> None:
        fields = hidden(bob.get(path))
        assert ann.press("/", f"{path}/withdraw").location == "/"
        assert "Ann took it back" in bob.get(path)
        answer = bob.client.post(f"{path}/accept", data=fields)
        assert answer.status_code == 409
        assert "was withdrawn" in answer.text

    def test_it_is_answered_with_a_counter_offer(
        self, container: Container, ann: Browser, bob: Browser, path: str
    ) -> None:
        page = bob.get(path)
        assert 'value="5" checked' in " ".join(page.split())
        asked = f"{path}?counter=yes"
        assert f'href="{asked}"' in bob.get("/")
        assert re.search(r'<details[^>]* id="counter-offer" open', bob.get(asked))
        assert not re.search(r'<details[^>]* id="counter-offer" open', bob.get(path))
        counter = bob.press(path, f"{path}/counter-offer", **{**PLAIN, "tactics": "on"}).location
        assert counter is not None
        assert "a counter-offer" in ann.get(path)
        assert "makes you a counter-offer: Modern rules, with Tactic cards" in " ".join(
            ann.get("/").split()
        )
        game = ann.press(counter, f"{counter}/accept").location
        assert made(container, game).game.tactics

    def test_a_counter_offer_that_cannot_be_is_told(self, bob: Browser, path: str) -> None:
        fields = {**PLAIN, "edition": "scottentots", "expert": "on"}
        answer = bob.press(path, f"{path}/counter-offer", **fields)
        assert answer.status_code == 422
        assert 'id="expert-wrong"' in answer.text
        assert "Accept" in answer.text

    def test_whoever_was_near_scotland_last_begins(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        wanted = NewGame(first_player="scotland", visited="2020-05-01")
        path = f"/challenges/{container.games.challenges.make(ann.player, bob.player, wanted).id}"
        assert f'action="{path}/accept"' not in bob.get("/")
        assert bob.press(path, f"{path}/accept", visited="2999-01-01").status_code == 422
        game = made(container, bob.press(path, f"{path}/accept", visited="2021-05-01").location)
        assert game.player_to_move() == bob.player

    def test_it_is_for_the_two_alone(
        self, app: Flask, container: Container, ann: Browser, client: FlaskClient, path: str
    ) -> None:
        eve = browser_of(app, container, "Eve")
        assert eve.client.get(path).status_code == 404
        assert client.get(path).location == "/sign-in?why=needed"
        fields = hidden(ann.get(path))
        for act in ("accept", "decline", "counter-offer"):
            answer = ann.client.post(f"{path}/{act}", data={**fields, **PLAIN})
            assert answer.status_code == 403


class TestPlayers:
    def test_anybody_sees_the_public_facts_and_no_address(
        self, container: Container, client: FlaskClient, ann: Browser, bob: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(opponent=bob.player))
        container.games.join(game.id, bob.player)
        page = client.get(f"/players/{ann.player}").text
        assert "1 game going on" in page
        assert "ann@example.org" not in page
        assert "Your games together" not in page

    def test_a_player_sees_the_games_together(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(opponent=bob.player, private=True))
        container.games.join(game.id, bob.player)
        container.games.resign(game.id, bob.player)
        assert "You won by resignation." in ann.get(f"/players/{bob.player}")
        assert "0 games finished" in bob.get(f"/players/{ann.player}").replace("\n", "")

    def test_nobody_is_not_found(self, client: FlaskClient) -> None:
        assert client.get(f"/players/{'a' * 16}").status_code == 404
