"""Nothing that a reader gets depends on what that reader may not see."""

import json
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.container import EXTENSION, Container
from service.core.redis.client import Client
from tests.support.clock import Clock
from tests.support.games import arranged, played
from tests.support.people import Person, headers_of

SOUTH = ("G1", "G3", "G5", "B2", "B4", "B6")
HANDS = {
    "one": {"north": ("R7", "R8", "R9", "O1", "O2", "O3"), "south": SOUTH},
    "other": {"north": ("R7", "R8", "P1", "P9", "Y5", "Y6"), "south": SOUTH},
}
NORTHS_FIRST_DRAW = {"one": "Y1", "other": "Y2"}
PARTS = (
    "",
    "?at=3",
    "?at=4",
    "/board",
    "/board?format=svg",
    "/events",
    "/events?after=3",
    "/record",
    "/record?format=text",
)
SEALED = re.compile(r'("head":|"hash":|Head )"[0-9a-f]{64}"')
"""What the secret seals: of course it differs."""


@pytest.fixture
def told(
    redis: Client,
    container: Container,
    app: Flask,
    clock: Clock,
    client: FlaskClient,
    ada: Person,
    bob: Person,
) -> Any:
    """All that Bob and a spectator are told of a game, by the name of its hands."""

    def ask(name: str) -> list[str]:
        players = {"north": ada.id, "south": bob.id}
        # One after the other under the same id, so that nothing else can differ.
        for key in [*redis.scan_iter("st:*:g:*"), *redis.scan_iter("st:*:games:*")]:
            redis.unlink(key)
        fresh = _forgetful(app, container, clock)
        game = arranged(fresh, players, HANDS[name], deck=[NORTHS_FIRST_DRAW[name], "O9"])
        played(fresh, game, players, "R7@1 +C", "G1@9 +C", "R8@1 +C")
        path, headers = f"/v1/games/{game}", {"Authorization": f"Bearer {bob.token}"}
        answers = [
            *(client.get(path + part, headers=headers) for part in PARTS),
            *(client.get(path + part) for part in PARTS),
            client.get(f"{path}/proofs", headers=headers),
            client.get("/v1/games", headers=headers),
            client.post(f"{path}/claims", json={"stone": 1}, headers=headers),
            client.post(f"{path}/moves", json={"card": "R9", "stone": 1}, headers=headers),
            client.post(f"{path}/moves", json={"card": "G3", "stone": 9}, headers=headers),
        ]
        return [_bytes(answer) for answer in answers]

    return ask


def test_two_games_that_differ_in_hidden_cards_give_the_same_bytes(told: Any) -> None:
    one, other = told("one"), told("other")
    assert one == other
    assert all(answer for answer in one)
    statuses = [json.loads(answer)["status"] for answer in one]
    assert 200 in statuses
    assert 409 in statuses


def _forgetful(app: Any, container: Any, clock: Any) -> Any:
    """The container of the application, with nothing remembered of the games before."""
    fresh = Container(container.settings, container.redis, clock)
    app.extensions[EXTENSION] = fresh
    return fresh


def _bytes(answer: TestResponse) -> str:
    """Status, headers and body, without what is sealed."""
    headers = headers_of(answer)
    return json.dumps(
        {"status": answer.status_code, "headers": headers, "body": SEALED.sub("", answer.text)}
    )
