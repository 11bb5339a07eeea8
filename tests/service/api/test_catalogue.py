"""Editions and bots: the lists, and games against bots."""

from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import EDITIONS
from service.bots import BOTS
from tests.support.people import Person, code


def test_editions_and_bots_are_told_without_a_token(client: FlaskClient) -> None:
    editions = client.get("/v1/editions").json["editions"]
    assert [edition["name"] for edition in editions] == list(EDITIONS)
    assert [bot["name"] for bot in client.get("/v1/bots").json["bots"]] == list(BOTS)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_has_exactly_the_combinations_that_it_lists(
    ada: Person, client: FlaskClient, edition: Any
) -> None:
    listed = {
        (found["tactics"], found["expert"]): found["options"]
        for told in client.get("/v1/editions").json["editions"]
        if told["name"] == edition
        for found in told["combinations"]
    }
    for tactics, expert in product((False, True), repeat=2):
        wanted = {"edition": edition, "tactics": tactics, "expert": expert}
        answer = ada.post("/games", wanted | {"opponent": {"bot": "random"}})
        if (tactics, expert) not in listed:
            assert code(answer) == "no-such-combination"
            continue
        options = ada.get(f"/games/{answer.json['id']}/events").json["events"][0]["data"]["options"]
        told = listed[tactics, expert]
        assert told == {name: options[name] for name in told}


def test_a_bot_sits_as_the_player_that_the_list_names(ada: Person, client: FlaskClient) -> None:
    bots = client.get("/v1/bots").json["bots"]
    assert bots
    for bot in bots:
        game = ada.post("/games", {"opponent": {"bot": bot["name"]}}).json
        assert game["players"]["south"] == bot["player"]


def test_a_bot_that_is_not_there_is_answered_with_those_that_are(ada: Person) -> None:
    answer = ada.post("/games", {"opponent": {"bot": "deep-thought"}})
    assert code(answer) == "bot-not-available"
    assert answer.json["bots"] == list(BOTS)
    assert all(name in answer.json["detail"] for name in BOTS)


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
