"""Programs in web pages of any origin use the API; the pages of this server stay closed to them."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.people import Person, Started

ORIGIN = {"Origin": "https://elsewhere.example"}


def preflight(client: FlaskClient, path: str, method: str) -> Any:
    asked = {"Access-Control-Request-Method": method}
    asked["Access-Control-Request-Headers"] = "authorization,content-type,idempotency-key,if-match"
    return client.options(path, headers=ORIGIN | asked)


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/v1/players", "POST"),
        ("/v1/me", "PATCH"),
        (f"/v1/games/{'a' * 20}", "GET"),
        (f"/v1/games/{'a' * 20}/moves", "POST"),
        (f"/v1/games/{'a' * 20}/orders", "PUT"),
        ("/v1/me/stream", "GET"),
        ("/openapi.yaml", "GET"),
    ],
)
def test_a_preflight_is_answered_without_a_token(
    client: FlaskClient, path: str, method: str
) -> None:
    answer = preflight(client, path, method)
    assert answer.status_code in (200, 204)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert method in answer.headers["Access-Control-Allow-Methods"].split(", ")
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    for header in ("authorization", "if-match", "idempotency-key", "last-event-id", "content-type"):
        assert header in allowed


def test_every_answer_can_be_read_with_its_headers(client: FlaskClient, game: Started) -> None:
    answers = [
        game.ada.get(game.path, headers=ORIGIN),
        game.ada.get(f"{game.path}/events", headers=ORIGIN | {"Accept": "text/event-stream"}),
        game.ada.get("/nothing", headers=ORIGIN),
        client.get("/v1/me", headers=ORIGIN),
        client.post("/v1/players", json={}, headers=ORIGIN),
        client.get("/openapi.yaml", headers=ORIGIN),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 401, 422, 200]
    for answer in answers:
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Location", "Link", "RateLimit-Remaining", "Retry-After"} <= set(exposed)


def test_cookies_never_count_for_other_origins(client: FlaskClient, ada: Person) -> None:
    client.set_cookie("scottenbury_session", ada.container.tokens.open_session(ada.id, "a browser"))
    answer = client.get("/v1/me", headers=ORIGIN)
    assert answer.status_code == 401
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/", "/account", "/sign-in", "/mailbox", "/docs", "/metrics", "/v10"]
)
def test_pages_are_closed_to_other_origins(client: FlaskClient, path: str) -> None:
    for answer in (client.get(path, headers=ORIGIN), preflight(client, path, "GET")):
        assert not any(name.startswith("Access-Control") for name, _ in answer.headers)


def test_a_preflight_to_nothing_is_not_found(client: FlaskClient) -> None:
    assert preflight(client, "/v1/nothing", "GET").status_code == 404
