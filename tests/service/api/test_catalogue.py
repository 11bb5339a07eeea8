"""GET /v1/editions and GET /v1/bots: what can be played, said by the server itself."""

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
