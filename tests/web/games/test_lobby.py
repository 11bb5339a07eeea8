"""The lobby: seats that anybody may take."""

import re

from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.games import NewGame
from service.games.terms import USUAL_CLOCK
from tests.web.people import Browser, browser_of, hidden, press


class TestLobby:
    def test_an_empty_lobby_helps(self, client: FlaskClient) -> None:
        page = client.get("/lobby").text
        assert "Nobody is waiting." in page
        assert 'href="/games/new?whom=lobby"' in page

    def test_it_says_what_is_rated_and_nothing_that_is_usual(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        container.games.create(ann.player, NewGame(listed=True, clock=USUAL_CLOCK))
        container.games.create(ann.player, NewGame(listed=True, rated=False))
        page = client.get("/lobby").text
        assert "Rated, a week for each turn" in page
        assert "Unrated, no time limit <" in page
        assert "Modern rules" not in page

    def test_a_stranger_gives_a_name_on_the_games_page_even_without_one_in_the_form(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(listed=True)).id
        fields = hidden(client.get(f"/games/{game}").text)
        answer = client.post(f"/lobby/{game}/join", data=fields)
        assert (answer.status_code, answer.location) == (303, f"/games/{game}")
        assert container.games.load(game).game.status == "open"

        lobby = client.get("/lobby").text
        assert f'href="/games/{game}" aria-label="Join Ann">Join</a>' in lobby
        assert "<input" not in lobby
        answer = press(client, f"/games/{game}", f"/games/{game}/seat", name="Cat")
        assert answer.location == f"/games/{game}"
        assert "Ann" in client.get("/").text

    def test_whoever_is_too_late_is_told_what_to_do(
        self, container: Container, ann: Browser, bob: Browser, client: FlaskClient
    ) -> None:
        game = container.games.create(ann.player, NewGame(listed=True)).id
        fields = hidden(client.get(f"/games/{game}").text)
        bob.press("/lobby", f"/lobby/{game}/join")
        answer = client.post(f"/lobby/{game}/join", data={**fields, "name": "Cat"})
        assert answer.status_code == 409
        assert "Both seats are taken" in answer.text
        assert container.players.named("Cat") == []

    def test_a_game_that_is_not_in_it_cannot_be_taken(self, ann: Browser, bob: Browser) -> None:
        game = ann.container.games.create(ann.player, NewGame(private=True)).id
        fields = hidden(bob.get("/games/new"))
        assert bob.client.post(f"/lobby/{game}/join", data=fields).status_code == 404
        game = ann.container.games.create(ann.player, NewGame()).id
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
