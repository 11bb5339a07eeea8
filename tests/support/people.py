"""Players who talk to the API, their games, and what they read in its answers."""

import re
from copy import copy
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.chain import StoredEvent
from engine.record import from_jsonl
from service.container import EXTENSION, Container
from tests.support.clock import Clock


def container_of(client: FlaskClient) -> Container:
    """The use cases of the server that a client talks to."""
    found: Container = client.application.extensions[EXTENSION]
    return found


def clock_of(client: FlaskClient) -> Clock:
    """The time of the server that a client talks to."""
    clock = container_of(client).now
    assert isinstance(clock, Clock)
    return clock


class Person:
    """A registered player who sends requests with their token."""

    def __init__(self, client: FlaskClient, name: str, **options: str) -> None:
        self._client = client
        registered = client.post("/v1/players", json={"name": name, **options})
        assert registered.status_code == 201
        self.id: str = registered.json["id"]
        self.name: str = registered.json["name"]
        self.token: str = registered.json["token"]

    @property
    def container(self) -> Container:
        """The use cases of the server that they talk to."""
        return container_of(self._client)

    @property
    def clock(self) -> Clock:
        """The time of that server."""
        return clock_of(self._client)

    def through(self, client: FlaskClient) -> "Person":
        """The same player with another client, whose application may be another one too."""
        same = copy(self)
        same._client = client
        return same

    def get(self, path: str, **options: Any) -> TestResponse:
        return self.send("GET", path, **options)

    def post(self, path: str, json: Any = None, **options: Any) -> TestResponse:
        return self.send("POST", path, json={} if json is None else json, **options)

    def patch(self, path: str, json: Any, **options: Any) -> TestResponse:
        return self.send("PATCH", path, json=json, **options)

    def put(self, path: str, json: Any, **options: Any) -> TestResponse:
        return self.send("PUT", path, json=json, **options)

    def delete(self, path: str, **options: Any) -> TestResponse:
        return self.send("DELETE", path, **options)

    def send(self, method: str, path: str, **options: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        return self._client.open(f"/v1{path}", method=method, headers=headers, **options)


class Started:
    """A game of Ada (north, who begins) and Bob (south) that has begun."""

    def __init__(self, ada: Person, bob: Person, **options: Any) -> None:
        wanted = {"first_player": "creator", **options}
        made = ada.post("/games", wanted).json
        self.id: str = made["id"]
        self.path = f"/games/{self.id}"
        self.invite: str = made["invite"]
        assert bob.post(f"{self.path}/join", {"invite": self.invite}).status_code == 200
        self.ada, self.bob = ada, bob
        self.players = {"north": ada, "south": bob}

    def view(self, seat: str = "north") -> dict[str, Any]:
        shown: dict[str, Any] = self.players[seat].get(self.path).json
        return shown

    def mover(self) -> Person:
        return self.players[self.view()["turn"]]

    def legal(self) -> list[str]:
        return list(self.mover().get(self.path).json["legal"])

    def play_any(self) -> TestResponse:
        """The player to move takes the first legal action."""
        return self.mover().post(f"{self.path}/turns", {"actions": self.legal()[:1]})


def record_of(answer: TestResponse) -> list[StoredEvent]:
    """The lines of an answer in JSON Lines."""
    return from_jsonl(answer.text)


def headers_of(answer: TestResponse) -> list[tuple[str, str]]:
    """All headers but those that name the request and the second."""
    return sorted(
        pair for pair in answer.headers.items() if pair[0] not in ("X-Request-Id", "Date")
    )


def code(answer: TestResponse) -> str:
    """The code of a problem, which must be told as one."""
    assert answer.mimetype == "application/problem+json", answer.text
    assert answer.json["status"] == answer.status_code
    assert re.fullmatch(r"[a-z-]+", answer.json["code"])
    return str(answer.json["code"])
