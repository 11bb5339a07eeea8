"""POST, GET and DELETE /v1/me/tokens."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.accounts.tokens import ACCESS_CACHE_SECONDS, MAX_TOKENS, SCOPES
from service.container import Container
from service.core.redis.client import Client
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import Person, code
from tests.support.settings import settings
from tests.support.stored_state import stored_text

SECRET = 43
"""Characters of a token that nobody can guess, at its end."""
READER = {"name": "dashboard", "scopes": ["games:read"]}


def using(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_is_shown_once_and_stored_nowhere(ada: Person, redis: Client) -> None:
    made = ada.post("/me/tokens", READER)
    token = made.json["token"]
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    assert token not in ada.get("/me/tokens").text
    kept = stored_text(redis)
    assert READER["name"] in kept
    assert token[-SECRET:] not in kept


def test_tokens_are_listed_with_names_scopes_and_last_use(
    ada: Person, client: FlaskClient, clock: Clock
) -> None:
    clock.time += 3600
    token = ada.post("/me/tokens", READER).json["token"]
    clock.time += 90
    client.get("/v1/games", headers=using(token))

    first, second = ada.get("/me/tokens").json["tokens"]

    assert (first["name"], first["scopes"]) == ("registration", list(SCOPES))
    assert (second["name"], second["scopes"]) == ("dashboard", ["games:read"])
    assert second["created_at"] == "2026-11-21T13:00:00Z"
    assert second["last_used_at"] == "2026-11-21T13:01:30Z"


def test_use_is_noted_at_most_once_a_minute(
    ada: Person, redis: Client, clock: Clock, container: Container
) -> None:
    def noted() -> str:
        return str(redis.hvals(f"st:{{{ada.id}}}:used"))

    clock.time += 100
    ada.get("/games")
    at_first = noted()
    clock.time += 59
    ada.get("/games")
    assert noted() == at_first
    clock.time += 1
    ada.get("/games")
    assert noted() != at_first


def test_what_a_token_gives_is_asked_for_once_in_a_quarter_of_a_second(
    ada: Person, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = 1000.0
    monkeypatch.setattr("service.accounts.tokens.monotonic", lambda: moment)
    assert container.tokens.cached_access(ada.token) is None
    ada.get("/me")
    assert container.tokens.cached_access(ada.token).player == ada.id
    moment += ACCESS_CACHE_SECONDS
    assert container.tokens.cached_access(ada.token) is None
    ada.get("/me")
    assert container.tokens.cached_access(ada.token).player == ada.id


@pytest.mark.parametrize("end", ["/me/tokens/{}", "/me"])
def test_once_a_revocation_is_answered_no_process_takes_the_token(
    ada: Person, redis: Client, clock: Clock, end: str
) -> None:
    made = ada.post("/me/tokens", READER).json
    other = create_app(settings(), redis, clock).test_client()
    assert other.get("/v1/games", headers=using(made["token"])).status_code == 200

    assert ada.delete(end.format(made["id"])).status_code == 204
    assert other.get("/v1/games", headers=using(made["token"])).status_code == 401


def test_what_was_begun_while_an_account_was_deleted_is_ended_too(
    ada: Person, redis: Client, container: Container, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = create_app(settings(), redis, clock).test_client()
    assert other.get("/v1/games", headers=using(ada.token)).status_code == 200
    made: list[Any] = []

    def meanwhile(seconds: float) -> None:
        for path, body in (("me/tokens", READER), ("games", {"listed": True})):
            answer = other.post(f"/v1/{path}", json=body, headers=using(ada.token))
            assert answer.status_code == 201
            made.append(answer.json)

    monkeypatch.setattr("service.accounts.tokens.sleep", meanwhile)
    assert ada.delete("/me").status_code == 204

    token, game = made
    assert other.get("/v1/games", headers=using(token["token"])).status_code == 401
    assert container.games.load(game["id"]).game.status == "aborted"
    assert not list(redis.scan_iter(f"st:{{{ada.id}}}:*"))


def test_a_code_of_the_devices_page_signs_a_program_in_once(
    ada: Person, container: Container, client: FlaskClient
) -> None:
    asked = {"code": container.device_links.make(ada.id), "name": "terminal"}
    made = client.post("/v1/sign-ins", json=asked)
    assert (made.status_code, made.json["id"], made.json["name"]) == (201, ada.id, ada.name)
    assert made.headers["Cache-Control"] == "no-store"
    listed = {token["name"]: token for token in ada.get("/me/tokens").json["tokens"]}
    assert set(listed["terminal"]["scopes"]) == set(SCOPES)
    assert client.get("/v1/me", headers=using(made.json["token"])).json["id"] == ada.id
    again = client.post("/v1/sign-ins", json=asked)
    assert (again.status_code, code(again)) == (404, "code-not-found")


def test_a_revoked_token_is_good_for_nothing(ada: Person, client: FlaskClient) -> None:
    made = ada.post("/me/tokens", READER).json
    assert ada.delete(f"/me/tokens/{made['id']}").status_code == 204
    answer = client.get("/v1/games", headers=using(made["token"]))
    assert (answer.status_code, code(answer)) == (401, "unauthenticated")
    assert len(ada.get("/me/tokens").json["tokens"]) == 1


def test_nobody_revokes_the_tokens_of_others(ada: Person, bob: Person) -> None:
    made = ada.post("/me/tokens", READER).json
    answer = bob.delete(f"/me/tokens/{made['id']}")
    assert (answer.status_code, code(answer)) == (404, "token-not-found")
    assert len(ada.get("/me/tokens").json["tokens"]) == 2


def test_a_token_does_no_more_than_its_scopes_say(ada: Person, client: FlaskClient) -> None:
    token = using(ada.post("/me/tokens", READER).json["token"])
    assert client.get("/v1/games", headers=token).status_code == 200
    for method, path in (("POST", "/v1/games"), ("PATCH", "/v1/me"), ("DELETE", "/v1/me")):
        answer = client.open(path, method=method, headers=token)
        assert (answer.status_code, code(answer)) == (403, "insufficient-scope")


def test_a_token_gives_no_scope_that_it_does_not_have(ada: Person, client: FlaskClient) -> None:
    narrow = ada.post("/me/tokens", {"name": "admin", "scopes": ["account"]}).json["token"]
    answer = client.post("/v1/me/tokens", json=READER, headers=using(narrow))
    assert (answer.status_code, code(answer)) == (403, "insufficient-scope")


def test_the_same_request_again_gives_the_same_token(ada: Person) -> None:
    key = {"headers": {"Idempotency-Key": "7d1f0b62-53a8-4c0e-9f0e-2b8a4c6d9e10"}}
    first, again = (ada.post("/me/tokens", READER, **key) for _ in range(2))
    assert first.data == again.data
    other = ada.post("/me/tokens", {**READER, "name": "x"}, **key)
    assert (other.status_code, code(other)) == (422, "idempotency-key-reused")


def test_a_revoked_token_does_not_come_back_by_sending_its_request_again(
    ada: Person, client: FlaskClient
) -> None:
    key = {"headers": {"Idempotency-Key": "7d1f0b62-53a8-4c0e-9f0e-2b8a4c6d9e10"}}
    made = ada.post("/me/tokens", READER, **key).json
    ada.delete(f"/me/tokens/{made['id']}")
    assert code(ada.post("/me/tokens", READER, **key)) == "idempotency-key-spent"
    assert client.get("/v1/games", headers=using(made["token"])).status_code == 401


def test_there_is_an_end_of_tokens(ada: Person) -> None:
    for _ in range(MAX_TOKENS - 1):
        assert ada.post("/me/tokens", READER).status_code == 201
    answer = ada.post("/me/tokens", READER)
    assert (answer.status_code, code(answer)) == (409, "too-many-tokens")


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": None},
        {"scopes": []},
        {"scopes": ["all"]},
        {"scopes": "games:read"},
        {"scopes": None},
        {"scopes": ["games:read"] * 4},
        {"expires": "never"},
    ],
)
def test_what_is_no_token_is_refused(ada: Person, change: Any) -> None:
    answer = ada.post("/me/tokens", {**READER, **change})
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


def test_a_browsers_session_is_listed_but_no_bearer_token(
    ada: Person, container: Container, client: FlaskClient, clock: Clock
) -> None:
    session = container.tokens.open_session(ada.id, "the web")
    assert client.get("/v1/games", headers=using(session)).status_code == 401
    listed = ada.get("/me/tokens").json["tokens"]
    assert {token["kind"] for token in listed} == {"api", "session"}

    clock.time += 61 * 24 * 3600
    assert container.tokens.authenticate(session, "session") is None
    assert len(ada.get("/me/tokens").json["tokens"]) == 1
