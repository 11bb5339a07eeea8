"""Challenges, as both players see them on the pages."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.games import NewGame
from service.ops.integrity import reindex_challenges
from tests.web.games.game_form import PLAIN, made
from tests.web.people import Browser, browser_of, hidden


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
        assert "Ann withdrew it" in bob.get(path)
        answer = bob.client.post(f"{path}/accept", data=fields)
        assert answer.status_code == 409
        assert "was withdrawn" in answer.text

    def test_it_is_answered_with_a_counter_offer(
        self, container: Container, ann: Browser, bob: Browser, path: str
    ) -> None:
        assert 'value="5" checked' in " ".join(bob.get(path).split())
        asked = f"{path}?counter=yes"
        assert f'href="{asked}"' in bob.get("/")
        assert re.search(r'<details[^>]* id="counter-offer" open', bob.get(asked))
        assert not re.search(r'<details[^>]* id="counter-offer" open', bob.get(path))
        counter = bob.press(path, f"{path}/counter-offer", **{**PLAIN, "tactics": "on"}).location
        assert counter is not None
        assert "a counter-offer" in ann.get(path)
        assert "makes you a counter-offer. With Tactic cards" in " ".join(ann.get("/").split())
        game = ann.press(counter, f"{counter}/accept").location
        assert made(container, game).game.tactics

    def test_a_counter_offer_that_cannot_be_is_told(self, bob: Browser, path: str) -> None:
        fields = {**PLAIN, "edition": "scottentots", "expert": "on"}
        answer = bob.press(path, f"{path}/counter-offer", **fields)
        assert answer.status_code == 422
        assert 'id="expert-wrong"' in answer.text
        assert "Accept" in answer.text

    def test_whoever_was_near_scotland_last_begins(self, ann: Browser, bob: Browser) -> None:
        wanted = NewGame(first_player="scotland", visited="2020-05-01")
        path = (
            f"/challenges/{ann.container.games.challenges.make(ann.player, bob.player, wanted).id}"
        )
        assert f'action="{path}/accept"' not in bob.get("/")
        assert bob.press(path, f"{path}/accept", visited="2999-01-01").status_code == 422
        game = made(ann.container, bob.press(path, f"{path}/accept", visited="2021-05-01").location)
        assert game.player_to_move() == bob.player

    def test_it_is_for_the_two_alone(
        self, app: Flask, container: Container, ann: Browser, client: FlaskClient, path: str
    ) -> None:
        assert browser_of(app, container, "Eve").client.get(path).status_code == 404
        assert client.get(path).location == f"/sign-in?why=needed&next={path}"
        fields = hidden(ann.get(path))
        for act in ("accept", "decline", "counter-offer"):
            answer = ann.client.post(f"{path}/{act}", data={**fields, **PLAIN})
            assert answer.status_code == 403
