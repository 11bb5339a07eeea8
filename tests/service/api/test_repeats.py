"""Every write can be sent again under its `Idempotency-Key`: each operation of the document, done
for real, then repeated."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts import idempotency
from service.accounts.channels.store import Channels
from service.accounts.idempotency import AnswerStore
from service.container import Container
from service.core.redis.client import Client
from service.seasons.seasons import NewSeason
from service.server.app import create_app
from tests.service.api.declared import METHODS, read_document
from tests.service.api.world import BODIES, World
from tests.support.clock import Clock
from tests.support.games import arranged, played
from tests.support.people import Person, code
from tests.support.settings import settings
from tests.support.stored_state import StoredState, stored_text
from tests.support.telling import tell_all

WRITES: Final = [
    (method.upper(), path)
    for path, methods in read_document()["paths"].items()
    for method in METHODS
    if method != "get" and method in methods
]


class Stage(NamedTuple):
    """Where a request is made: a world, and the parts behind it."""

    world: World
    container: Container
    clock: Clock

    @property
    def game(self) -> str:
        return f"/games/{self.world.ids['game_id']}"


def claimable(stage: Stage) -> None:
    players = {"north": stage.world.owner.id, "south": stage.world.opponent.id}
    turns = ("R7@1 +C", "G1@9 +C", "R8@1 +C", "G3@9 +C")
    game = arranged(stage.container, players)
    played(stage.container, game, players, *turns)
    stage.world.ids["game_id"] = game
    stage.world.owner.post(f"/games/{game}/moves", {"card": "R9", "stone": 1})


def out_of_time(stage: Stage) -> None:
    world = stage.world
    clock = {"days_per_move": 3, "time_out": "claim"}
    made = world.opponent.post("/games", {"first_player": "creator", "clock": clock}).json
    world.owner.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
    tell_all(stage.container)
    stage.clock.time += 4 * 86_400
    world.ids["game_id"] = made["id"]


def written(stage: Stage) -> None:
    stage.world.opponent.post(f"{stage.game}/messages", {"text": "Well played!"})


def shown_code(stage: Stage) -> None:
    world = stage.world
    world.ids["code"] = stage.container.device_links.make(world.owner.id)


def invited(stage: Stage) -> None:
    wanted = {"opponent": {"player": stage.world.owner.id}}
    stage.world.ids["game_id"] = stage.world.opponent.post("/games", wanted).json["id"]


def challenged(stage: Stage) -> None:
    made = stage.world.owner.post("/challenges", {"player": stage.world.spectator.id})
    stage.world.ids["challenge_id"] = made.json["id"]


def climbing(stage: Stage) -> None:
    wanted = NewSeason("Ladder", format="ladder")
    season = stage.container.seasons.announce(wanted, None, "operator").id
    for person in (stage.world.opponent, stage.world.owner):
        person.put(f"/seasons/{season}/entry", {})
    stage.world.ids["season_id"] = season


def disliked(stage: Stage) -> None:
    stage.world.ids["player_id"] = stage.world.spectator.id


SPECIAL: Final[dict[str, tuple[str, Callable[[Stage], None] | None]]] = {
    "POST /v1/games/{game_id}/claims": ("public", claimable),
    "POST /v1/games/{game_id}/time-out": ("public", out_of_time),
    "POST /v1/games/{game_id}/messages/reports": ("public", written),
    "POST /v1/sign-ins": ("-", shown_code),
    "PUT /v1/me/blocked/{player_id}": ("-", disliked),
    "POST /v1/seasons/{season_id}/challenges": ("-", climbing),
    "DELETE /v1/challenges/{challenge_id}": ("-", challenged),
    "DELETE /v1/games/{game_id}": ("invited", None),
    "POST /v1/games/{game_id}/join": ("-", invited),
    "POST /v1/games/{game_id}/rematch": ("over", None),
    "POST /v1/games/{game_id}/practice": ("over", None),
    "POST /v1/games/{game_id}/analysis": ("over", None),
}
"""The operations that need a world of their own."""
BODY: Final[dict[str, Callable[[World], Any]]] = {
    **BODIES,
    "POST /v1/sign-ins": lambda world: {"code": world.ids["code"], "name": "terminal"},
}
OTHER: Final[dict[str, Any]] = {
    "POST /v1/challenges": {"rounds": 2},
    "POST /v1/seasons/{season_id}/challenges": {"player": "a" * 16},
    "POST /v1/games/{game_id}/moves": {"stone": 9},
    "POST /v1/games/{game_id}/claims": {"stone": 2},
    "POST /v1/games/{game_id}/turns": {"actions": ["+C"]},
    "POST /v1/games/{game_id}/clock": {"give": {"days": 2}},
    "POST /v1/games/{game_id}/offers": {"kind": "abandonment"},
    "POST /v1/games/{game_id}/messages": {"text": "Thank you."},
}
"""What another body has where a further member would be refused before its key is looked at."""
DEAD: Final = ("DELETE /v1/me",)
"""After it no token is left for whoever would repeat it."""


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    """In place of the usual one: clocks can be moved."""
    return create_app(settings(sandbox=True, seasons_by="players"), redis, clock)


def staged(operation: str, client: FlaskClient, container: Container, clock: Clock) -> Stage:
    kind = "-"
    if "{game_id}" in operation or "{challenge_id}" in operation:
        kind = "public" if "{game_id}" in operation else "theirs"
    kind, prepare = SPECIAL.get(operation, (kind, None))
    stage = Stage(World(client, kind), container, clock)
    if prepare is not None:
        prepare(stage)
    return stage


@pytest.mark.parametrize(("method", "rule"), WRITES, ids=lambda part: part)
def test_a_write_is_repeated_and_not_done_twice(
    client: FlaskClient, container: Container, redis: Client, clock: Clock, method: str, rule: str
) -> None:
    operation = f"{method} {rule}"
    stage = staged(operation, client, container, clock)
    takes_body = "requestBody" in read_document()["paths"][rule][method.lower()]
    path = rule.format(**stage.world.ids)
    body = BODY.get(operation, lambda world: {})(stage.world) if takes_body else None
    key = str(uuid4())

    def send(content: Any) -> TestResponse:
        headers = {"Idempotency-Key": key}
        if rule not in ("/v1/players", "/v1/sign-ins"):
            headers["Authorization"] = f"Bearer {stage.world.owner.token}"
        options = {} if content is None else {"json": content}
        return client.open(path, method=method, headers=headers, **options)

    first = send(body)
    assert first.status_code < 300, first.text
    assert "Idempotent-Replayed" not in first.headers
    before = StoredState.of(redis)
    again = send(body)
    if operation in DEAD:
        assert (again.status_code, code(again)) == (401, "unauthenticated")
        return
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    for header in ("Location", "ETag", "Content-Type", "Cache-Control"):
        assert again.headers.get(header) == first.headers.get(header)
    # Lists and streams may be repaired at any time.
    changed = {key for key in before.changed(StoredState.of(redis)) if ":games:" not in key}
    assert changed == set()
    if body:
        other = send({**body, **OTHER.get(operation, {"name": "another"})})
        assert (other.status_code, code(other)) == (422, "idempotency-key-reused")


NAMED = {"webhook": {"url": "https://hooks.example.org/"}}


def keyed(key: str = "one") -> dict[str, Any]:
    return {"headers": {"Idempotency-Key": key}}


class TestAnswers:
    def test_two_requests_at_once_are_one(self, ada: Person, redis: Client) -> None:
        def meanwhile(*args: Any, **named: Any) -> Any:
            overtaking = ada.post("/me/channels", NAMED, **keyed())
            assert (overtaking.status_code, code(overtaking)) == (503, "request-in-progress")
            assert int(overtaking.headers["Retry-After"]) > 0
            return real(*args, **named)

        real = Channels.add
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Channels, "add", meanwhile)
            first = ada.post("/me/channels", NAMED, **keyed())
        assert ada.post("/me/channels", NAMED, **keyed()).json == first.json
        assert len(ada.get("/me/channels").json["channels"]) == 1

    def test_a_request_whose_server_died_is_carried_out_again(
        self, ada: Person, redis: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(AnswerStore, "finish", lambda *_: None)
        ada.put("/me/calendar", {"zone": "Asia/Kathmandu"}, **keyed())
        (claim,) = redis.keys("st:answer:*")
        assert 0 < redis.ttl(claim) <= 60
        redis.delete(claim)  # as it expires
        assert ada.put("/me/calendar", {"zone": "Asia/Kathmandu"}, **keyed()).status_code == 200

    def test_a_refusal_is_not_stored(self, ada: Person, redis: Client) -> None:
        assert ada.patch("/me", {"name": ""}, **keyed()).status_code == 422
        assert redis.keys("st:answer*") == []
        assert ada.patch("/me", {"name": "Ada B"}, **keyed()).status_code == 200

    def test_each_player_has_keys_of_their_own(self, ada: Person, bob: Person) -> None:
        for person in (ada, bob):
            named = person.patch("/me", {"name": f"{person.name} B"}, **keyed()).json["name"]
            assert named == f"{person.name} B"

    def test_what_they_hold_cannot_be_read_in_the_store(
        self, ada: Person, client: FlaskClient, container: Container, redis: Client
    ) -> None:
        asked = {"code": container.device_links.make(ada.id), "name": "terminal"}
        token = client.post("/v1/sign-ins", json=asked, **keyed(str(uuid4()))).json["token"]
        secret = ada.post("/me/channels", NAMED, **keyed()).json["secret"]
        redis.delete(*redis.keys("st:*channels*"))
        assert len(redis.keys("st:answer:*")) == 2
        assert token not in stored_text(redis)
        assert secret not in stored_text(redis)

    def test_a_sign_in_needs_a_key_that_nobody_guesses(self, client: FlaskClient) -> None:
        body = {"code": "q7xk-m2vd-a5tz", "name": "terminal"}
        assert code(client.post("/v1/sign-ins", json=body, **keyed())) == "weak-idempotency-key"

    def test_only_the_newest_are_stored_and_none_for_ever(
        self, ada: Person, redis: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(idempotency, "MOST_ANSWERS", 3)
        for number in range(5):
            ada.patch("/me/settings", {"messages_wanted": True}, **keyed(str(number)))
        assert len(redis.keys("st:answer:*")) == 3
        assert all(0 < redis.ttl(key) <= 86_400 for key in redis.keys("st:answer*"))
        answers = [ada.patch("/me/settings", {"messages_wanted": True}, **keyed(n)) for n in "40"]
        assert ["Idempotent-Replayed" in answer.headers for answer in answers] == [True, False]
