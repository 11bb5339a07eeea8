"""A bot as opponent."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.bots import BOTS
from tests.support.people import Person, code


@pytest.mark.parametrize("name", BOTS)
def test_a_game_against_a_bot_starts_at_once(ada: Person, name: Any) -> None:
    answer = ada.post("/games", {"opponent": {"bot": name}, "first_player": "creator"})
    view = answer.json
    assert answer.status_code == 201
    assert (view["status"], view["turn"]) == ("active", "north")
    bot = {"id": BOTS[name].player, "name": f"{name.title()} (bot)", "bot": True}
    assert view["players"]["south"] == bot


def test_a_bot_can_be_named_as_the_player_it_is(ada: Person) -> None:
    made = ada.post("/games", {"opponent": {"player": BOTS["steward"].player}}).json
    assert made["status"] == "active"


def test_a_repeated_request_makes_one_game(ada: Person) -> None:
    body, headers = {"opponent": {"bot": "random"}}, {"Idempotency-Key": "against a bot"}
    first, again = (ada.post("/games", body, headers=headers) for _ in range(2))
    assert first.json["id"] == again.json["id"]
    assert len(ada.get("/games").json["games"]) == 1


def test_nobody_else_is_called_like_a_bot(client: FlaskClient) -> None:
    for name in ("Steward (bot)", "RANDOM"):
        answer = client.post("/v1/players", json={"name": name})
        assert (answer.status_code, code(answer)) == (422, "name-reserved")


def test_nor_by_other_forms_of_the_same_letters(client: FlaskClient, ada: Person) -> None:
    wide = "\uff53\uff54\uff45\uff57\uff41\uff52\uff44"
    answer = client.post("/v1/players", json={"name": wide})
    assert (answer.status_code, code(answer)) == (422, "name-reserved")
    answer = ada.patch("/me", {"name": wide.upper()})
    assert (answer.status_code, code(answer)) == (422, "name-reserved")


def test_a_bot_agrees_to_abandon_a_game_at_once(ada: Person) -> None:
    made = ada.post("/games", {"opponent": {"bot": "steward"}}).json
    answer = ada.post(f"/games/{made['id']}/offers", {"kind": "abandonment"})
    assert answer.json["status"] == "finished"
    assert ada.get(f"/games/{made['id']}").json["reason"] == "agreement"


def test_a_rematch_with_a_bot_starts_at_once_and_the_other_begins(ada: Person) -> None:
    made = ada.post("/games", {"opponent": {"bot": "steward"}, "first_player": "creator"}).json
    ada.post(f"/games/{made['id']}/resignation")
    again = ada.post(f"/games/{made['id']}/rematch").json
    assert (again["status"], again["turn"]) == ("active", "south")
