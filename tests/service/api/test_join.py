"""POST /v1/games/{id}/join."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.container import Container
from tests.support.people import Person, Started, code


@pytest.fixture
def open_game(ada: Person) -> Any:
    return ada.post("/games", {"first_player": "creator"}).json


def test_the_holder_of_the_invite_sits_down_and_the_game_starts(
    bob: Person, open_game: Any
) -> None:
    answer = bob.post(f"/games/{open_game['id']}/join", {"invite": open_game["invite"]})
    view = answer.json
    assert answer.status_code == 200
    assert (view["status"], view["seat"], view["turn"]) == ("active", "south", "north")
    assert view["players"]["south"] == {"id": bob.id, "name": "Bob", "bot": False}
    assert len(view["hands"]["south"]["cards"]) == 6
    assert view["hands"]["north"]["cards"] is None


@pytest.mark.parametrize("body", [{}, {"invite": "guessed"}, {"invite": None}])
def test_without_the_invite_the_seat_stays_free(
    bob: Person, open_game: Any, body: dict[str, Any] | dict[str, None] | dict[str, str]
) -> None:
    answer = bob.post(f"/games/{open_game['id']}/join", body)
    assert (answer.status_code, code(answer)) == (403, "invite-required")
    assert bob.get(f"/games/{open_game['id']}").json["status"] == "open"


def test_anyone_may_join_a_listed_game(ada: Person, bob: Person) -> None:
    made = ada.post("/games", {"listed": True}).json
    assert bob.post(f"/games/{made['id']}/join").status_code == 200


def test_an_invited_player_needs_no_invite(ada: Person, bob: Person, eve: Person) -> None:
    made = ada.post("/games", {"opponent": {"player": bob.id}, "private": True}).json
    assert code(eve.post(f"/games/{made['id']}/join")) == "game-not-found"
    assert bob.post(f"/games/{made['id']}/join").status_code == 200


def test_there_is_no_such_game(bob: Person) -> None:
    for game_id in ("a" * 20, "short"):
        assert bob.post(f"/games/{game_id}/join").status_code == 404


def test_a_repeated_join_gets_the_same_answer(bob: Person, open_game: Any) -> None:
    path, body = f"/games/{open_game['id']}/join", {"invite": open_game["invite"]}
    first = bob.post(path, body, headers={"Idempotency-Key": "sit"})
    again = bob.post(path, body, headers={"Idempotency-Key": "sit"})
    assert (again.status_code, again.data) == (200, first.data)


def test_the_later_visit_to_scotland_begins(ada: Person, bob: Person) -> None:
    wanted = {"first_player": "scotland", "visited_scotland": "2019-07-01"}
    made = ada.post("/games", wanted).json
    body = {"invite": made["invite"], "visited_scotland": "2025-07-01"}
    assert bob.post(f"/games/{made['id']}/join", body).json["turn"] == "south"


def test_the_player_to_move_is_noticed(ada: Person, game: Started, container: Container) -> None:
    mails = [notice.id for notice in container.log.outbox.pending() if ".mail." in notice.id]
    assert mails == [f"{game.id}.3.{ada.id}.mail.turn"]


def test_nobody_is_registered_for_a_game_that_was_called_off(
    ada: Person, client: FlaskClient, open_game: Any, container: Container
) -> None:
    ada.delete(f"/games/{open_game['id']}")
    body = {"invite": open_game["invite"], "name": "Newcomer"}
    answer = client.post(f"/v1/games/{open_game['id']}/join", json=body)
    assert (answer.status_code, answer.json["code"]) == (409, "game-over")
    assert container.players.starting_with("Newcomer", None, 1) == ([], None)
