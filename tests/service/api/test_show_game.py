"""GET /v1/games/{id}."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.people import Person, Started, code


def test_a_player_sees_their_own_hand_alone(game: Started) -> None:
    hands = game.view("south")["hands"]
    assert len(hands["south"]["cards"]) == 6
    assert hands["north"] == {"cards": None, "clan": 6, "tactic": 0}


def test_anyone_may_watch_who_knows_the_id(client: FlaskClient, eve: Person, game: Started) -> None:
    for view in (client.get(f"/v1{game.path}").json, eve.get(game.path).json):
        assert view["seat"] is None
        assert view["legal"] == []
        assert [hand["cards"] for hand in view["hands"].values()] == [None, None]


def test_what_is_legal_is_told_to_the_player_to_move(game: Started) -> None:
    assert len(game.view("north")["legal"]) == 54
    assert game.view("south")["legal"] == []


def test_a_game_is_shown_as_it_stood(ada: Person, game: Started) -> None:
    before = game.view()
    game.play_any()
    assert ada.get(f"{game.path}?at=3").json == before
    assert ada.get(f"{game.path}?at=1").json["status"] == "open"


@pytest.mark.parametrize("query", ["at=0", "at=-1", "at=x", "at=", "when=3"])
def test_a_bad_query_is_refused(ada: Person, game: Started, query: str) -> None:
    answer = ada.get(f"{game.path}?{query}")
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


@pytest.mark.parametrize("game_id", ["a" * 20, "a", "ä" * 20, "a" * 21])
def test_there_is_no_such_game(ada: Person, game_id: str) -> None:
    assert ada.get(f"/games/{game_id}").status_code == 404


class TestPrivate:
    @pytest.fixture
    def secret_game(self, ada: Person, bob: Person) -> Any:
        return Started(ada, bob, private=True)

    def test_its_players_see_it(self, secret_game: Started) -> None:
        assert secret_game.view("south")["seat"] == "south"

    @pytest.mark.parametrize("part", ["", "/events", "/record", "/proofs"])
    def test_for_others_there_is_none(
        self, client: FlaskClient, eve: Person, secret_game: Started, part: str
    ) -> None:
        answer = eve.get(f"{secret_game.path}{part}")
        assert (answer.status_code, code(answer)) == (404, "game-not-found")
        nobody = client.get(f"/v1{secret_game.path}{part}")
        assert nobody.status_code == (401 if part == "/proofs" else 404)

    def test_it_is_told_like_a_game_that_is_not_there(
        self, eve: Person, secret_game: Started
    ) -> None:
        hidden, missing = eve.get(secret_game.path), eve.get(f"/games/{'a' * 20}")
        assert hidden.data == missing.data

    def test_the_holder_of_the_invite_sees_it_while_the_seat_is_free(
        self, client: FlaskClient, ada: Person
    ) -> None:
        made = ada.post("/games", {"private": True}).json
        path = f"/v1/games/{made['id']}?invite="
        assert client.get(path + made["invite"]).status_code == 200
        assert client.get(path + "guessed").status_code == 404


class TestETag:
    def test_it_is_the_version(self, ada: Person, game: Started) -> None:
        assert ada.get(game.path).headers["ETag"] == '"3"'
        assert ada.get(f"{game.path}?at=2").headers["ETag"] == '"2"'

    @pytest.mark.parametrize("part", ["", "/events", "/record", "/proofs"])
    @pytest.mark.parametrize("seen", ['"3"', 'W/"3"', '"1", "3"', "*"])
    def test_what_the_client_has_is_not_sent_again(
        self, ada: Person, game: Started, part: str, seen: str
    ) -> None:
        answer = ada.get(f"{game.path}{part}", headers={"If-None-Match": seen})
        assert (answer.status_code, answer.data) == (304, b"")
        assert answer.headers["ETag"] == '"3"'

    def test_an_older_version_is_answered(self, ada: Person, game: Started) -> None:
        game.play_any()
        answer = ada.get(game.path, headers={"If-None-Match": '"3"'})
        assert answer.status_code == 200

    def test_caches_keep_readers_apart(self, ada: Person, game: Started) -> None:
        headers = ada.get(game.path).headers
        assert "Authorization" in headers["Vary"]
        assert headers["Cache-Control"] == "private, no-cache"
