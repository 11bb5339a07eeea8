"""The lobby: seats that anybody may take."""

import re

from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.games import NewGame
from service.games.opening.new_game import USUAL_CLOCK
from tests.web.people import Browser, browser_of, hidden, press


class TestLobby:
    def test_an_empty_lobby_helps(self, client: FlaskClient) -> None:
        page = client.get("/lobby").text
        assert "Nobody waits here just now" in page
        assert 'href="/games/new?whom=lobby"' in page

    def test_it_says_what_is_rated_and_promises_nights_to_those_who_set_them(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        container.games.create(ann.player, NewGame(listed=True, clock=USUAL_CLOCK))
        container.games.create(ann.player, NewGame(listed=True, rated=False))
        page = client.get("/lobby").text
        stops = "the clock stops for nights and vacations you set"
        assert f"Modern rules, rated, a week for each turn; {stops}." in page
        assert "Modern rules, unrated, no time limit." in page

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

    def test_a_taken_name_stays_in_the_field_beside_free_ones(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        game, _ = (container.games.create(ann.player, NewGame(listed=True)).id for _ in range(2))
        page = press(client, "/lobby", f"/lobby/{game}/join", name="Ann").text
        assert page.count('value="Ann" aria-invalid="true"') == 1
        assert re.findall('name="free_name" value="([^"]+)"', page) == ["Ann 2", "Ann 3", "Ann 4"]
        press(client, "/lobby", f"/lobby/{game}/join", name="Ann", free_name="Ann 3")
        (joined,) = container.players.named("Ann 3")
        assert container.games.load(game).players == [ann.player, joined.id]

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
        assert first.count("Join<") + ann.get(older[1]).count("Join<") == 21
